import type { Fact, GatewayEvent } from '../src/gateways/gateway.ts'
import { periodEnd } from '../src/gateways/periods.ts'

/** Events a provider sends for one subscription over two years, in order. */

const START = new Date('2024-11-05T09:00:00Z')
/** The time at which everything has ended and is checked. */
export const END = new Date('2026-11-21T12:00:00Z')

const PRICE = 1500

type RandomSource = () => number

/** A small random number generator with the same sequence for the same seed (mulberry32). */
export function createRandom(seed: number): RandomSource {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Fifty events of one subscription: payments, some of which failed first, refunds, undone cancellations, new cards. */
export function generateEvents(subscription_id: number, seed: number): GatewayEvent[] {
  const random = createRandom(seed)
  const gateway_ref = `sub_${subscription_id}`
  const events: GatewayEvent[] = []
  let at = START.getTime()
  const emitFacts = (...facts: Fact[]) => {
    at += 60_000 + Math.floor(random() * 3_600_000)
    // Only the first ones include our own id: the others only have the provider's.
    const ownId = events.length < 2 || random() < 0.3 ? subscription_id : null
    events.push({
      event_id: `evt_${subscription_id}_${events.length}`,
      at: new Date(at),
      gateway_ref,
      subscription_id: ownId,
      facts,
    })
  }
  emitFacts({ kind: 'payer', payer_ref: `cus_${subscription_id}` })
  for (let n = 1; events.length < 50; n += 1) {
    const period_start = n === 1 ? START : periodEnd(START, 'month', n - 1)
    at = Math.max(at, period_start.getTime())
    const charge = {
      kind: 'charge' as const,
      charge_ref: `in_${subscription_id}_${n}`,
      reason: n === 1 ? ('first' as const) : ('renewal' as const),
      ...{ amount_minor: PRICE, discount_minor: 0, currency: 'USD', is_trial: false, failure_reason: '' },
      ...{ period_start: period_start.toISOString(), period_end: periodEnd(START, 'month', n).toISOString() },
    }
    if (random() < 0.3) emitFacts({ ...charge, status: 'failed', failure_reason: 'Your card was declined.' })
    emitFacts({ ...charge, status: 'paid' })
    if (random() < 0.25) refund(charge.charge_ref)
    if (random() < 0.2) {
      emitFacts({ kind: 'cancelled', is_cancelled: true })
      if (random() < 0.8) emitFacts({ kind: 'cancelled', is_cancelled: false })
    }
    const last_four = String(1000 + Math.floor(random() * 9000))
    const paid_with = { kind: 'credit_card', brand: 'Visa', last_four, expires_on: '2030-12-31' } as const
    if (random() < 0.3) emitFacts({ kind: 'method', paid_with })
  }
  return events.slice(0, 50)

  function refund(charge_ref: string) {
    const amount_minor = random() < 0.5 ? PRICE : 500
    emitFacts({ kind: 'refund', refund_ref: `re_${charge_ref}`, charge_ref, amount_minor })
  }
}

/** Returns them in another order, each up to three times. */
export function shuffle<T>(events: readonly T[], seed: number): T[] {
  const random = createRandom(seed)
  const repeated = events.flatMap((event) => Array<T>(1 + Math.floor(random() * 3)).fill(event))
  return repeated
    .map((event) => ({ event, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ event }) => event)
}
