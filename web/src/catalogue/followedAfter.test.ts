import { expect, test } from 'vitest'
import { followedAfter } from './followedAfter.ts'

const house = { genre_id: 1, name: 'House' }
const drill = { genre_id: 2, name: 'Drill' }
const techno = { genre_id: 3, name: 'Techno' }

test('adds a followed genre among the others by name', () => {
  expect(followedAfter([drill, techno], house, true)).toEqual([drill, house, techno])
})

test('adds a genre followed twice only once', () => {
  expect(followedAfter([drill, house], house, true)).toEqual([drill, house])
})

test('leaves the other genres unchanged when one is unfollowed', () => {
  expect(followedAfter([drill, house, techno], house, false)).toEqual([drill, techno])
  expect(followedAfter([drill], house, false)).toEqual([drill])
})
