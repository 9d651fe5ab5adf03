import { expect, test } from 'vitest'
import { insertSongs, isForList, songIdsIn } from './songIds.ts'

test('inserts songs at a position, each once, and leaves existing ones in place', () => {
  expect(insertSongs([1, 2, 3], [7, 2, 8, 7], 1, 200)).toEqual({
    order: [1, 7, 8, 2, 3],
    added: [7, 8],
    duplicates: [2],
    overLimit: [],
  })
})

test('adds no more songs than the limit', () => {
  expect(insertSongs([1, 2], [3, 4, 5], 2, 3)).toEqual({
    order: [1, 2, 3],
    added: [3],
    duplicates: [],
    overLimit: [4, 5],
  })
  expect(insertSongs([1, 2, 3], [4], 0, 2)).toMatchObject({ order: [1, 2, 3], overLimit: [4] })
})

test('finds songs by their links in any text', () => {
  expect(songIdsIn('http://pool.test/song/12\r\nsee https://pool.test/song/7?x=1 and /song/12')).toEqual([12, 7])
})

test('finds songs by ids when the text has only ids, and ignores numbers in a sentence', () => {
  expect(songIdsIn(' 12, 7;#9\n44 ')).toEqual([12, 7, 9, 44])
  expect(songIdsIn('bpm:120-126 house 99')).toEqual([])
  expect(songIdsIn('0 99999999999')).toEqual([])
})

test('treats a single pasted number as a search', () => {
  expect(isForList('1999')).toBe(false)
  expect(isForList('1999 2000')).toBe(true)
  expect(isForList('https://pool.test/song/7')).toBe(true)
  expect(isForList('night drive')).toBe(false)
})
