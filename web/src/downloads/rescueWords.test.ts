import { expect, test } from 'vitest'
import { emptyStateFor } from './rescueTexts.ts'

const NONE = { totalCount: 0 }

test('an empty history says which of its filters leaves nothing', () => {
  expect(emptyStateFor({ find: 'kwame' }, NONE)).toEqual({
    title: 'No results',
    why: 'No downloads match “kwame”.',
  })
  expect(emptyStateFor({ find: 'kwame', from: '2026-01-01' }, NONE)?.why).toBe(
    'No downloads between these dates match “kwame”.',
  )
  expect(emptyStateFor({ from: '2025-01-01', to: '2025-12-31' }, NONE)?.title).toBe('No downloads in this period')
})

test('without a filter nothing was downloaded yet; a day that is none is no filter', () => {
  expect(emptyStateFor({}, NONE)).toBeUndefined()
  expect(emptyStateFor({ from: '2026-02-30' }, NONE)).toBeUndefined()
})

test('a page behind the last one is not an empty history', () => {
  expect(emptyStateFor({}, { totalCount: 30 })?.title).toBe('Page not found')
})
