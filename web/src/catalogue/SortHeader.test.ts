import { expect, test } from 'vitest'
import { nextSort, type Sort } from './SortHeader.tsx'

const press = (order: 'min_bpm' | 'created_at', times: number) =>
  Array.from({ length: times }).reduce<Sort>((sort) => nextSort(sort, order), {})

test('cycles a heading through ascending, descending and unsorted', () => {
  expect(press('min_bpm', 1)).toEqual({ order: 'min_bpm', dir: 'ASC' })
  expect(press('min_bpm', 2)).toEqual({ order: 'min_bpm', dir: 'DESC' })
  expect(press('min_bpm', 3)).toEqual({})
})

test('sorts dates newest first', () => {
  expect(press('created_at', 1)).toEqual({ order: 'created_at', dir: 'DESC' })
  expect(press('created_at', 3)).toEqual({})
})

test('starts with the first direction when another heading is chosen', () => {
  expect(nextSort({ order: 'min_bpm', dir: 'DESC' }, 'title')).toEqual({ order: 'title', dir: 'ASC' })
})
