import { expect, test } from 'vitest'
import { findPlaceByName, searchPlaces } from './searchPlaces.ts'

const places = ['Austria', 'Côte d’Ivoire', 'New Zealand', 'Åland Islands', 'Zealand'].map((name) => ({
  id: name,
  name,
}))
const found = (typed: string) => searchPlaces(places, typed).map(({ name }) => name)

test('a place is found by any part of its name, and first where its name begins with it', () => {
  expect(found('zea')).toEqual(['Zealand', 'New Zealand'])
  expect(found('AUSTR ')).toEqual(['Austria'])
  expect(found('mars')).toEqual([])
})

test('accents need not be typed', () => {
  expect(found('cote')).toEqual(['Côte d’Ivoire'])
  expect(found('aland')).toEqual(['Åland Islands', 'New Zealand', 'Zealand'])
})

test('with nothing typed all of them stand there in their order', () => {
  expect(found('')).toEqual(places.map(({ name }) => name))
})

test('what a browser fills in is a place only where it is the whole name', () => {
  expect(findPlaceByName(places, ' austria')?.id).toBe('Austria')
  expect(findPlaceByName(places, 'aust')).toBeUndefined()
  expect(findPlaceByName(places, '')).toBeUndefined()
})
