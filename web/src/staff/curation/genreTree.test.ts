import { expect, test } from 'vitest'
import { moveInTree } from './genreTree.ts'

const genre = (curated_genre_id: number, parent_id: number | null = null) => ({ curated_genre_id, parent_id })
/** 1 with 11 and 12, 2 without sub-genres, 3 with 31. */
const TREE = [genre(1), genre(11, 1), genre(12, 1), genre(2), genre(3), genre(31, 3)]

const move = (from: number, to: number) => {
  const { items, at } = moveInTree(TREE, from, to)
  return [items.map((one) => one.curated_genre_id), at]
}

test('moves a main genre together with its sub-genres', () => {
  expect(move(0, 1)).toEqual([[2, 1, 11, 12, 3, 31], 1])
  expect(move(4, 3)).toEqual([[1, 11, 12, 3, 31, 2], 3])
  expect(move(3, 2)).toEqual([[2, 1, 11, 12, 3, 31], 0])
  expect(move(0, Number.POSITIVE_INFINITY)).toEqual([[2, 3, 31, 1, 11, 12], 3])
})

test('keeps a sub-genre under its main genre', () => {
  expect(move(1, 2)).toEqual([[1, 12, 11, 2, 3, 31], 2])
  expect(move(2, 1)).toEqual([[1, 12, 11, 2, 3, 31], 1])
  expect(move(2, 3)).toEqual([[1, 11, 12, 2, 3, 31], 2])
  expect(move(5, 0)).toEqual([[1, 11, 12, 2, 3, 31], 5])
})
