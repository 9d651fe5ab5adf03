import { expect, test } from 'vitest'
import { presets, rangeOfMonth } from './months.ts'

test('ends a month with its last day, also in leap years', () => {
  expect(rangeOfMonth(2028, 2)).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  expect(rangeOfMonth(2026, 11)).toEqual({ from: '2026-11-01', to: '2026-11-30' })
})

test('puts the months before January, and the quarter before the first, into the previous year', () => {
  expect(rangeOfMonth(2027, 0)).toEqual({ from: '2026-12-01', to: '2026-12-31' })
  const [newest, before, , , quarter] = presets(new Date('2027-01-05T10:00:00Z'))
  expect([newest?.label, before?.label]).toEqual(['Jan 2027', 'Dec 2026'])
  expect(quarter?.range).toEqual({ from: '2026-10-01', to: '2026-12-31' })
})
