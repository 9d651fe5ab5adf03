import type { dashboard } from '@dubplate/contract'
import { describe, expect, test } from 'vitest'
import { changeOf, describeChange, formatValue, pointName, summaryOf, timeInWords } from './metricTexts.ts'

const WEEK = ['15', '16', '17', '18', '19', '20', '21'].map((day) => `2026-11-${day}T00:00:00.000Z`)
const BEFORE = ['08', '09', '10', '11', '12', '13', '14'].map((day) => `2026-11-${day}T00:00:00.000Z`)
const week = { period: 'week', unit: 'day', starts: WEEK, previous_starts: BEFORE } as const

const shown = (overrides: Partial<dashboard.MetricValues> = {}): dashboard.MetricValues => ({
  metric: 'downloads',
  currency: '',
  now: 1204,
  before: 1075,
  points: [100, 150, 160, 170, 180, 300, 144],
  previous_points: [],
  ...overrides,
})

describe('chart summary', () => {
  test('gives the total, the comparison and the peak', () => {
    expect(summaryOf(shown(), week)).toBe('1,204 in the last 7 days, +12% vs previous 7 days · peak Friday')
  })
  test('compares today with the same weekday', () => {
    const hours = ['2026-11-21T09:00:00.000Z', '2026-11-21T10:00:00.000Z']
    const today = { period: 'day', unit: 'hour', starts: hours, previous_starts: ['2026-11-14T09:00:00.000Z'] } as const
    expect(summaryOf(shown({ now: 5, before: 10, points: [1, 4] }), today)).toBe(
      '5 today, −50% vs last Saturday at the same time · peak 10:00 UTC',
    )
  })
  test('gives no percentage of zero', () => {
    expect(summaryOf(shown({ before: 0 }), week)).toBe(
      '1,204 in the last 7 days, 0 in the previous 7 days · peak Friday',
    )
    expect(summaryOf(shown({ now: 0, before: 0, points: [0] }), week)).toBe(
      '0 in the last 7 days, no change vs previous 7 days',
    )
  })
  test('gives both amounts when refunds exceed revenue', () => {
    expect(
      summaryOf(shown({ metric: 'revenue', currency: 'EUR', now: -1050, before: 99900, points: [-1050] }), week),
    ).toBe('-10.50 EUR in the last 7 days, 999.00 EUR in the previous 7 days')
  })
  test('compares current subscribers with those at the end of the previous period', () => {
    expect(summaryOf(shown({ metric: 'subscribers', now: 110, before: 100 }), week)).toBe('110 now, +10% vs 7 days ago')
  })
  test('compares churn in percentage points and waiting times by their length', () => {
    expect(describeChange(shown({ metric: 'churn', now: 0.032, before: 0.028 }))).toBe('+0.4 pts')
    expect(describeChange(shown({ metric: 'first_reply', now: 3600, before: 7200 }))).toBe('−50%')
    expect(summaryOf(shown({ metric: 'first_reply', now: null, before: 60 }), week)).toBe('No data in the last 7 days')
  })
})

test.each([
  ['hour', '2026-11-21T09:00:00.000Z', '09:00'],
  ['day', '2026-11-20T00:00:00.000Z', 'Fri 20 Nov'],
  ['week', '2026-11-16T00:00:00.000Z', 'week of 16 Nov 2026'],
] as const)('names a point of a %s by its time in UTC', (unit, start, name) => {
  expect(pointName(unit, start)).toBe(name)
})

test.each([
  [40, '40 s'],
  [120, '2 min'],
  [3 * 3600, '3 h'],
  [3 * 3600 + 300, '3 h 5 min'],
  [52 * 3600, '2 days 4 h'],
  [96 * 3600, '4 days'],
])('formats %d seconds as %s', (seconds, words) => {
  expect(timeInWords(seconds)).toBe(words)
})

test("formats money with its currency and that currency's decimals", () => {
  expect(formatValue({ metric: 'revenue', currency: 'EUR' }, 123456)).toBe('1,234.56 EUR')
  expect(formatValue({ metric: 'revenue', currency: 'JPY' }, 1500)).toBe('1,500 JPY')
  expect(formatValue({ metric: 'churn', currency: '' }, 0.0321)).toBe('3.2%')
})

test.each([
  ['downloads', 12, 10, { direction: 'up', isGood: true }],
  ['downloads', 8, 10, { direction: 'down', isGood: false }],
  ['churn', 0.02, 0.05, { direction: 'down', isGood: true }],
  ['first_reply', 120, 60, { direction: 'up', isGood: false }],
  ['listens', 5, 5, { direction: undefined, isGood: true }],
  ['listens', 5, 0, { direction: undefined, isGood: true }],
] as const)('tells whether a change of %s from %d to %d is good', (metric, now, before, change) => {
  expect(changeOf({ metric, now, before })).toEqual(change)
})
