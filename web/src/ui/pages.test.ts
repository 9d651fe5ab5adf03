import { expect, test } from 'vitest'
import { pagesAround } from './pages.ts'

test('shows five pages, with the current one in the middle if possible', () => {
  expect(pagesAround(1, 13)).toEqual([1, 2, 3, 4, 5])
  expect(pagesAround(7, 13)).toEqual([5, 6, 7, 8, 9])
  expect(pagesAround(13, 13)).toEqual([9, 10, 11, 12, 13])
})

test('shows all pages of a short list', () => {
  expect(pagesAround(2, 3)).toEqual([1, 2, 3])
})
