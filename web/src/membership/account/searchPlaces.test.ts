import { expect, test } from 'vitest'
import { findPlaceByName, searchPlaces } from './searchPlaces.ts'

const places = ['Austria', 'Côte d’Ivoire', 'New Zealand', 'Åland Islands', 'Zealand'].map((name) => ({
  id: name,
  name,
}))
const found = (typed: string) => searchPlaces(places, typed).map(({ name }) => name)

test('finds a place by any part of its name, those that start with it first', () => {
  expect(found('zea')).toEqual(['Zealand', 'New Zealand'])
  expect(found('AUSTR ')).toEqual(['Austria'])
  expect(found('mars')).toEqual([])
})

test('ignores accents', () => {
  expect(found('cote')).toEqual(['Côte d’Ivoire'])
  expect(found('aland')).toEqual(['Åland Islands', 'New Zealand', 'Zealand'])
})

test('returns all in their order for an empty search', () => {
  expect(found('')).toEqual(places.map(({ name }) => name))
})

test('accepts an autofilled place only by its whole name', () => {
  expect(findPlaceByName(places, ' austria')?.id).toBe('Austria')
  expect(findPlaceByName(places, 'aust')).toBeUndefined()
  expect(findPlaceByName(places, '')).toBeUndefined()
})
