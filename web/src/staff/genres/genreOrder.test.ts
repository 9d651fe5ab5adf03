import { expect, test } from 'vitest'
import { movedIn, movedOut, movedToRow, placeOf } from './genreOrder.ts'

const entry = (genre_id: number, parent_id: number | null = null) => ({ genre_id, parent_id })
/** 1 with 11 and 12, 2 without sub-genres, 3 with 31. */
const TREE = [entry(1), entry(11, 1), entry(12, 1), entry(2), entry(3), entry(31, 3)]

const shown = ({ items, at }: ReturnType<typeof movedIn<(typeof TREE)[number]>>) => [
  items.map(({ genre_id, parent_id }) => (parent_id === null ? `${genre_id}` : `${parent_id}>${genre_id}`)).join(' '),
  at,
]

test('moves a main genre together with its sub-genres', () => {
  expect(shown(movedToRow(TREE, 0, 1))).toEqual(['2 1 1>11 1>12 3 3>31', 1])
  expect(shown(movedToRow(TREE, 4, 3))).toEqual(['1 1>11 1>12 3 3>31 2', 3])
  expect(shown(movedToRow(TREE, 3, 2))).toEqual(['2 1 1>11 1>12 3 3>31', 0])
  expect(shown(movedToRow(TREE, 0, Number.POSITIVE_INFINITY))).toEqual(['2 3 3>31 1 1>11 1>12', 3])
})

test('moves a sub-genre on below the next main genre, but not above the first one', () => {
  expect(shown(movedToRow(TREE, 1, 2))).toEqual(['1 1>12 1>11 2 3 3>31', 2])
  expect(shown(movedToRow(TREE, 2, 3))).toEqual(['1 1>11 2 2>12 3 3>31', 3])
  expect(shown(movedToRow(TREE, 5, 4))).toEqual(['1 1>11 1>12 2 2>31 3', 4])
  expect(shown(movedToRow(TREE, 1, 0))).toEqual(['1 1>11 1>12 2 3 3>31', 1])
})

test('moves in: below the previous main genre, and out: directly after it', () => {
  expect(shown(movedIn(TREE, 3))).toEqual(['1 1>11 1>12 1>2 3 3>31', 3])
  expect(shown(movedOut(TREE, 1))).toEqual(['1 1>12 11 2 3 3>31', 2])
  // A genre with sub-genres, the first one, and a sub-genre stay in place.
  expect(movedIn(TREE, 4).items).toEqual(TREE)
  expect(movedIn(TREE, 0).items).toEqual(TREE)
  expect(movedIn(TREE, 1).items).toEqual(TREE)
  expect(movedOut(TREE, 3).items).toEqual(TREE)
})

test('counts the position among siblings', () => {
  expect(TREE.map((one) => placeOf(TREE, one))).toEqual([1, 1, 2, 2, 3, 1])
})
