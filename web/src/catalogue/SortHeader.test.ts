import { expect, test } from 'vitest'
import { nextSort, type Sort } from './SortHeader.tsx'

const press = (order: 'min_bpm' | 'created_at', times: number) =>
  Array.from({ length: times }).reduce<Sort>((sort) => nextSort(sort, order), {})

test('a heading sorts upwards, then downwards, then not at all', () => {
  expect(press('min_bpm', 1)).toEqual({ order: 'min_bpm', dir: 'ASC' })
  expect(press('min_bpm', 2)).toEqual({ order: 'min_bpm', dir: 'DESC' })
  expect(press('min_bpm', 3)).toEqual({})
})

test('dates begin with the newest', () => {
  expect(press('created_at', 1)).toEqual({ order: 'created_at', dir: 'DESC' })
  expect(press('created_at', 3)).toEqual({})
})

test('another heading starts afresh', () => {
  expect(nextSort({ order: 'min_bpm', dir: 'DESC' }, 'title')).toEqual({ order: 'title', dir: 'ASC' })
})
