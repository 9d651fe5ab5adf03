import { buildWorld, type DemoSubscription } from '@dubplate/demo/world'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasAccess } from '../billing/subscription-state.ts'
import { termsOf } from '../gateways/amounts.ts'
import { eventsOf, type SubscriptionStory, tellStory } from './subscription-story.ts'

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

type Told = { now: Date; index: number; subscription: DemoSubscription; story: SubscriptionStory }
let told: Told[] = []

describe('the subscriptions of the demo, whatever the day it is filled on', () => {
  beforeAll(() => {
    told = DATES.flatMap((now) =>
      buildWorld(now).memberships.flatMap(({ subscription }, index) =>
        subscription ? [{ now, index, subscription, story: tellStory(subscription, TERMS, now) }] : [],
      ),
    )
  })

  test('have no time in the future except the next check, and a next check only in the future', () => {
    for (const { now, subscription, story } of told) {
      const { charges, refunds, next_check_at } = story
      const past = [...charges.map((charge) => charge.period_start), ...refunds.map(({ at }) => at)]
      const events = eventsOf(subscription, story, { refOf: (n) => `${n}`, now })
      for (const at of [...past, ...events.map((event) => event.at)]) expect(at <= now).toBe(true)
      if (next_check_at) expect(next_check_at > now).toBe(true)
    }
  })

  test('refund payments that were made before, and no more than was paid', () => {
    for (const { story } of told) {
      for (const { n, at, amount_minor } of story.refunds) {
        const charge = story.charges.find((one) => one.n === n)
        expect(charge?.status).toBe('paid')
        expect(charge && charge.period_start <= at && charge.amount_minor >= amount_minor).toBe(true)
      }
    }
  })

  test('run for the same members, each in the same state', () => {
    const statesOn = (now: Date) =>
      told.filter((one) => one.now === now).map(({ index, story }) => `${index} ${story.state.status}`)
    const renewed = (states: string[]) => states.map((state) => state.replace('trialing', 'active'))
    for (const now of DATES)
      expect(renewed(statesOn(now)), now.toISOString()).toEqual(renewed(statesOn(DATES[0] as Date)))
    expect(new Set(statesOn(DATES[0] as Date).map((state) => state.split(' ')[1]))).toEqual(
      new Set(['active', 'trialing', 'past_due', 'cancel_scheduled', 'ended', 'failed']),
    )
  })

  test('give access exactly while they are paid for', () => {
    for (const { now, story } of told) {
      const isRunning = !['ended', 'failed'].includes(story.state.status)
      expect(hasAccess(story.state, now)).toBe(isRunning)
      expect(story.access === undefined).toBe(story.is_abandoned)
    }
  })
})
