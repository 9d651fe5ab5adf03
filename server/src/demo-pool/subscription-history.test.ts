import { buildWorld, type DemoSubscription } from '@dubplate/demo/world'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasAccess } from '../billing/subscription-state.ts'
import { termsOf } from '../gateways/amounts.ts'
import { eventsOf, generateHistory, type SubscriptionHistory } from './subscription-history.ts'

const DAY = 86_400_000
const TERMS = termsOf(
  {
    ...{ plan_id: 1, title: 'Standard', currency: 'USD', interval: 'month' },
    ...{ price_minor: 1499, trial_price_minor: 100 },
  },
  { isNew: true },
)

/** Days through more than a year with leap day, at odd hours: months of every length begin and end within it. */
const DATES = Array.from({ length: 60 }, (_, n) => new Date(Date.UTC(2027, 11, 1, (n * 5) % 24, 7) + n * 7.3 * DAY))

type GeneratedHistory = { now: Date; index: number; subscription: DemoSubscription; history: SubscriptionHistory }
let generated: GeneratedHistory[] = []

describe('the subscriptions of the demo, whatever the day it is filled on', () => {
  beforeAll(() => {
    generated = DATES.flatMap((now) =>
      buildWorld(now).memberships.flatMap(({ subscription }, index) =>
        subscription ? [{ now, index, subscription, history: generateHistory(subscription, TERMS, now) }] : [],
      ),
    )
  })

  test('have no time in the future except the next check, and a next check only in the future', () => {
    for (const { now, subscription, history } of generated) {
      const { charges, refunds, next_check_at } = history
      const past = [...charges.map((charge) => charge.period_start), ...refunds.map(({ at }) => at)]
      const events = eventsOf(subscription, history, { refOf: (n) => `${n}`, now })
      for (const at of [...past, ...events.map((event) => event.at)]) expect(at <= now).toBe(true)
      if (next_check_at) expect(next_check_at > now).toBe(true)
    }
  })

  test('refund payments that were made before, and no more than was paid', () => {
    for (const { history } of generated) {
      for (const { n, at, amount_minor } of history.refunds) {
        const charge = history.charges.find((one) => one.n === n)
        expect(charge?.status).toBe('paid')
        expect(charge && charge.period_start <= at && charge.amount_minor >= amount_minor).toBe(true)
      }
    }
  })

  test('run for the same members, each in the same state', () => {
    const statesOn = (now: Date) =>
      generated.filter((one) => one.now === now).map(({ index, history }) => `${index} ${history.state.status}`)
    const renewed = (states: string[]) => states.map((state) => state.replace('trialing', 'active'))
    for (const now of DATES)
      expect(renewed(statesOn(now)), now.toISOString()).toEqual(renewed(statesOn(DATES[0] as Date)))
    expect(new Set(statesOn(DATES[0] as Date).map((state) => state.split(' ')[1]))).toEqual(
      new Set(['active', 'trialing', 'past_due', 'cancel_scheduled', 'ended', 'failed']),
    )
  })

  test('give access exactly while they are paid for', () => {
    for (const { now, history } of generated) {
      const isRunning = !['ended', 'failed'].includes(history.state.status)
      expect(hasAccess(history.state, now)).toBe(isRunning)
      expect(history.access === undefined).toBe(history.is_abandoned)
    }
  })
})
