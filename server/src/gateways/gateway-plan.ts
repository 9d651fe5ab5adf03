import { createHash } from 'node:crypto'
import type { Sql } from '../platform/db.ts'
import { amountOf } from './amounts.ts'
import type { GatewayEvent, GatewayName, Terms } from './gateway.ts'

/** Returns a key of 36 characters that is the same for the same text: providers accept it as an idempotency key. */
export function keyOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

/**
 * Returns the provider's id for something with these terms (a product, a price, a coupon, a plan), and creates it there
 * on first use. Two simultaneous processes use the same key, and both return the row that was inserted first.
 */
export async function refOf(
  sql: Sql,
  gateway: GatewayName,
  terms: object,
  make: (key: string) => Promise<string>,
): Promise<string> {
  const text = JSON.stringify(terms)
  const known = await findRef(sql, gateway, text)
  if (known) return known
  const created = await make(keyOf(`${gateway} ${text}`))
  await sql`
    insert into gateway_plan (gateway, terms, ref) values (${gateway}, ${text}, ${created})
    on conflict do nothing`
  return (await findRef(sql, gateway, text)) ?? created
}

async function findRef(sql: Sql, gateway: GatewayName, terms: string): Promise<string | undefined> {
  const [row] = await sql<{ ref: string }[]>`
    select ref from gateway_plan where gateway = ${gateway} and terms = ${terms}`
  return row?.ref
}

/**
 * Returns the terms of something created at a provider, as they were passed to `refOf`; undefined when it is not the
 * pool's.
 */
export async function termsOfRef(sql: Sql, gateway: GatewayName, ref: string): Promise<unknown> {
  const [row] = await sql<{ terms: string }[]>`
    select terms from gateway_plan where gateway = ${gateway} and ref = ${ref} limit 1`
  return row && JSON.parse(row.terms)
}

/**
 * Returns what a change of plan is billed as from the next period on. A new plan has no first price. A coupon for all
 * payments is kept; one for a number of payments ends with the plan it was given for.
 */
export function laterTerms(terms: Terms): Terms {
  const isForAll = terms.discounted_payments === null
  return {
    ...terms,
    first_price_minor: terms.price_minor,
    first_discount_minor: isForAll ? terms.later_discount_minor : 0,
    later_discount_minor: isForAll ? terms.later_discount_minor : 0,
    discounted_payments: isForAll ? null : 0,
  }
}

export type DiscountRun = { amount_minor: number; payments: number }

/** Returns the discounted payments, with equal consecutive ones combined, and the price of every payment after them. */
export function splitDiscountRuns(terms: Terms): { runs: DiscountRun[]; then_minor: number } {
  const limited = terms.discounted_payments ?? 1
  const runs: DiscountRun[] = []
  for (let n = 1; n <= Math.max(1, limited); n++) {
    const { amount_minor } = amountOf(terms, n)
    const last = runs.at(-1)
    if (last?.amount_minor === amount_minor) last.payments++
    else runs.push({ amount_minor, payments: 1 })
  }
  const then_minor = amountOf(terms, Math.max(1, limited) + 1).amount_minor
  return { runs: runs.at(-1)?.amount_minor === then_minor ? runs.slice(0, -1) : runs, then_minor }
}

/**
 * Creates an event from what was fetched. The provider gives it no id, so the id is a hash of its contents, and of the
 * `day` for facts that can occur again: cancelled, resumed and cancelled again are three events.
 */
export function fetchedEvent(event: Omit<GatewayEvent, 'event_id'>, day = ''): GatewayEvent {
  const content = JSON.stringify([event.gateway_ref, event.subscription_id, event.facts, day])
  return { event_id: `found:${createHash('sha256').update(content).digest('hex')}`, ...event }
}

/**
 * Creates the events of what was fetched: each charge is a separate event, so that one under review does not delay the
 * others.
 */
export function fetchedEvents(event: Omit<GatewayEvent, 'event_id'>): GatewayEvent[] {
  const charges = event.facts.filter(({ kind }) => kind === 'charge')
  const lastingFacts = event.facts.filter(({ kind }) => kind === 'refund' || kind === 'payer')
  const changingFacts = event.facts.filter((fact) => !lastingFacts.includes(fact) && !charges.includes(fact))
  return [
    ...charges.map((charge) => fetchedEvent({ ...event, facts: [charge] })),
    ...(lastingFacts.length > 0 ? [fetchedEvent({ ...event, facts: lastingFacts })] : []),
    ...(changingFacts.length > 0
      ? [fetchedEvent({ ...event, facts: changingFacts }, event.at.toISOString().slice(0, 10))]
      : []),
  ]
}
