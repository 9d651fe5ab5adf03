import { expect, test } from 'vitest'
import { emptyStateFor } from './rescueTexts.ts'

const NONE = { totalCount: 0 }

test('names the filter that leaves the history empty', () => {
  expect(emptyStateFor({ find: 'kwame' }, NONE)).toEqual({
    title: 'No results',
    why: 'No downloads match “kwame”.',
  })
  expect(emptyStateFor({ find: 'kwame', from: '2026-01-01' }, NONE)?.why).toBe(
    'No downloads between these dates match “kwame”.',
  )
  expect(emptyStateFor({ from: '2025-01-01', to: '2025-12-31' }, NONE)?.title).toBe('No downloads in this period')
})

test('reports no downloads yet without a filter; ignores an invalid date', () => {
  expect(emptyStateFor({}, NONE)).toBeUndefined()
  expect(emptyStateFor({ from: '2026-02-30' }, NONE)).toBeUndefined()
})

test('does not report an empty history on a page beyond the last', () => {
  expect(emptyStateFor({}, { totalCount: 30 })?.title).toBe('Page not found')
})
