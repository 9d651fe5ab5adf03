import { expect, test } from 'vitest'
import { isForList, placed, songIdsIn } from './order.ts'

test('songs go in before a place, each once, and what is there stays where it is', () => {
  expect(placed([1, 2, 3], [7, 2, 8, 7], 1, 200)).toEqual({
    order: [1, 7, 8, 2, 3],
    added: [7, 8],
    twice: [2],
    beyond: [],
  })
})

test('a list takes no more than it holds', () => {
  expect(placed([1, 2], [3, 4, 5], 2, 3)).toEqual({ order: [1, 2, 3], added: [3], twice: [], beyond: [4, 5] })
  expect(placed([1, 2, 3], [4], 0, 2)).toMatchObject({ order: [1, 2, 3], beyond: [4] })
})

test('songs are named by their addresses, whatever stands around them', () => {
  expect(songIdsIn('http://pool.test/song/12\r\nsee https://pool.test/song/7?x=1 and /song/12')).toEqual([12, 7])
})

test('or by ids alone, and not by the numbers of a sentence', () => {
  expect(songIdsIn(' 12, 7;#9\n44 ')).toEqual([12, 7, 9, 44])
  expect(songIdsIn('bpm:120-126 house 99')).toEqual([])
  expect(songIdsIn('0 99999999999')).toEqual([])
})

test('a single number that is pasted into a search is searched for', () => {
  expect(isForList('1999')).toBe(false)
  expect(isForList('1999 2000')).toBe(true)
  expect(isForList('https://pool.test/song/7')).toBe(true)
  expect(isForList('night drive')).toBe(false)
})
