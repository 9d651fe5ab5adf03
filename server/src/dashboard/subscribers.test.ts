import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SubscriberSpan, Subscribers } from './subscribers.ts'

const MAX_TIME = 40
const time = fc.integer({ min: 0, max: MAX_TIME })

/** Spans of one member, from pairs of distinct times in order: they neither overlap nor touch. */
const spansOf = (customer_id: number, times: readonly number[]): SubscriberSpan[] =>
  Array.from({ length: times.length >> 1 }, (_, n) => ({
    ...{ customer_id, members: 1 },
    start: times[2 * n] as number,
    end: times[2 * n + 1] as number,
  }))

const members = fc.array(fc.uniqueArray(time, { maxLength: 6 }), { maxLength: 12 }).map((all) =>
  all.map((times, n) =>
    spansOf(
      n + 1,
      [...times].sort((a, b) => a - b),
    ),
  ),
)

const isActive = (spans: readonly SubscriberSpan[], at: number) =>
  spans.some(({ start, end }) => start <= at && at < end)

test('counts subscribers at a time, and those who are lost between two times, as their definitions do', () => {
  fc.assert(
    fc.property(members, fc.nat({ max: 5 }), time, time, (all, throughout, one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const everyone = { customer_id: 0, members: throughout, start: 0, end: Number.POSITIVE_INFINITY }
      const subscribers = new Subscribers([...all.flat(), everyone])
      const atStart = all.filter((spans) => isActive(spans, from))
      const lost = atStart.filter((spans) => !isActive(spans, to)).length
      expect(subscribers.countAt(new Date(from))).toBe(atStart.length + throughout)
      expect(subscribers.lostBetween(new Date(from), new Date(to))).toBe(lost)
    }),
  )
})

test('churn has no value without subscribers at the beginning', () => {
  const subscribers = new Subscribers([{ customer_id: 1, members: 1, start: 10, end: 20 }])
  expect(subscribers.churnBetween(new Date(5), new Date(30))).toBeNull()
  expect(subscribers.churnBetween(new Date(10), new Date(20))).toBe(1)
})
