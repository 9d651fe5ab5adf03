import { expect, test } from 'vitest'
import { followedAfter } from './followedAfter.ts'

const house = { genre_id: 1, name: 'House' }
const drill = { genre_id: 2, name: 'Drill' }
const techno = { genre_id: 3, name: 'Techno' }

test('a genre that is followed takes its place among the others, by name', () => {
  expect(followedAfter([drill, techno], house, true)).toEqual([drill, house, techno])
})

test('followed twice it stands there once', () => {
  expect(followedAfter([drill, house], house, true)).toEqual([drill, house])
})

test('one that is no longer followed leaves the others as they are', () => {
  expect(followedAfter([drill, house, techno], house, false)).toEqual([drill, techno])
  expect(followedAfter([drill], house, false)).toEqual([drill])
})
