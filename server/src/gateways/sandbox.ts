import { randomUUID } from 'node:crypto'
import type { billing } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { amountOf } from './amounts.ts'
import { parseCard } from './cards.ts'
import {
  type AtGateway,
  type Checkout,
  type Fact,
  type Gateway,
  type GatewayEvent,
  type PaidWith,
  PaymentDeclinedError,
  type Started,
} from './gateway.ts'
import { periodEnd } from './periods.ts'
import { ownEvent } from './pool-event.ts'
import { type Behaviour, behaviourOf, declineMessage, walletOf } from './test-cards.ts'

/**
 * A provider in the pool's own database, so that everything works without the internet and without real money. It
 * stores the brand, the last four digits and the behaviour of a card, but never its number.
 */

type ChargeFact = Extract<Fact, { kind: 'charge' }>

/** A checkout that waits for approval. */
type AccountState = {
  subscription_id: number
  method: billing.PaymentMethod
  charge: ChargeFact
  return_url: string
  cancel_url: string
}

export type SandboxAccount = {
  ref: string
  behaviour: Behaviour
  brand: string
  last_four: string
  expires_on: string | null
  approval: 'none' | 'waiting' | 'approved' | 'declined'
  checkout: AccountState
}

export async function readAccount(sql: Sql, ref: string): Promise<SandboxAccount | undefined> {
  const [account] = await sql<SandboxAccount[]>`
    select ref, behaviour, brand, last_four, expires_on::text, approval, checkout from sandbox_account where ref = ${ref}`
  return account
}

export function sandboxGateway({ sql, publicUrl }: { sql: Sql; publicUrl: string }): Gateway {
  return {
    name: 'sandbox',
    methods: ['mobile_wallet', 'paypal', 'credit_card'],
    renews: 'pool',
    cards: 'form',
    upgrades: 'now',
    start: (checkout) => start(sql, publicUrl, checkout),
    complete: (at, token) => complete(sql, at, token),
    fetch: (at) => fetchCharges(sql, at),
    cancel: async (at) => [ownEvent(at, [{ kind: 'cancelled', is_cancelled: true }])],
    resume: async (at) => [ownEvent(at, [{ kind: 'cancelled', is_cancelled: false }])],
    abandon: (at) => abandon(sql, at),
    charge: async (at, order) => {
      const account = await accountOf(sql, at)
      const { reason, plan_id, amount_minor, discount_minor, period_start, period_end } = order
      const fact = {
        ...baseCharge(at.terms.currency),
        charge_ref: order.charge_ref,
        reason,
        plan_id,
        amount_minor,
        discount_minor,
        period_start: period_start.toISOString(),
        period_end: period_end.toISOString(),
      }
      return [await chargeOnce(sql, { account, key: order.key, fact, at })]
    },
    updateMethod: async (at, { card }) => {
      const options = readPaymentChoice({ card, method: 'credit_card', now: at.now })
      await sql`
        update sandbox_account set behaviour = ${options.behaviour}, brand = ${options.paid_with.brand},
          last_four = ${options.paid_with.last_four}, expires_on = ${options.paid_with.expires_on}
        where ref = ${at.gateway_ref}`
      return { url: null, events: [ownEvent(at, [{ kind: 'method', paid_with: options.paid_with }])] }
    },
    refund: (at, order) => refundOnce(sql, at, order),
  }
}

const baseCharge = (currency: string) =>
  ({ kind: 'charge', status: 'paid', currency, is_trial: false, failure_reason: '' }) satisfies Partial<ChargeFact>

type PaymentChoice = { behaviour: Behaviour; paid_with: PaidWith }

function readPaymentChoice({
  card,
  wallet_token,
  method,
  now,
}: Pick<Checkout, 'card' | 'wallet_token' | 'method' | 'now'>): PaymentChoice {
  if (method === 'credit_card') {
    if (!card) throw new PaymentDeclinedError('In test mode, cards can only be entered in the payment form.')
    const { number, brand, last_four, expires_on } = parseCard(card, now)
    const behaviour = behaviourOf(number)
    if (!behaviour) throw new PaymentDeclinedError('Test mode only accepts test card numbers. Don’t use a real card.')
    return { behaviour, paid_with: { kind: method, brand, last_four, expires_on } }
  }
  const behaviour = method === 'mobile_wallet' ? walletOf(wallet_token ?? '') : 'asks'
  if (!behaviour) throw new PaymentDeclinedError('The wallet didn’t provide a payment method. Try again.')
  return { behaviour, paid_with: { kind: method, brand: '', last_four: '', expires_on: null } }
}

function firstCharge({ subscription_id, terms, now }: Checkout): ChargeFact {
  const { amount_minor, discount_minor } = amountOf(terms, 1)
  return {
    ...baseCharge(terms.currency),
    charge_ref: `sandbox-${subscription_id}-1`,
    reason: 'first',
    plan_id: terms.plan_id,
    amount_minor,
    discount_minor,
    is_trial: terms.first_price_minor < terms.price_minor,
    period_start: now.toISOString(),
    period_end: periodEnd(now, terms.interval, 1).toISOString(),
  }
}

async function start(sql: Sql, publicUrl: string, checkout: Checkout): Promise<Started> {
  const { behaviour, paid_with } = readPaymentChoice(checkout)
  const { subscription_id, return_url, cancel_url } = checkout
  const state: AccountState = {
    subscription_id,
    method: checkout.method,
    charge: firstCharge(checkout),
    return_url,
    cancel_url,
  }
  const approval = behaviour === 'asks' ? 'waiting' : 'none'
  // When a process was killed during a checkout and it is started again, it is the same one.
  const known = await refOfCheckout(sql, subscription_id)
  const ref = known ?? `sandbox-${randomUUID()}`
  if (!known)
    await sql`
    insert into sandbox_account (ref, behaviour, brand, last_four, expires_on, approval, checkout)
    values (${ref}, ${behaviour}, ${paid_with.brand}, ${paid_with.last_four}, ${paid_with.expires_on}, ${approval},
      ${sql.json(state as never)})`
  const at = { subscription_id, gateway_ref: ref, now: checkout.now }
  const method = ownEvent(at, [{ kind: 'method', paid_with }])
  if (approval === 'waiting') {
    return { gateway_ref: ref, url: `${publicUrl}/sandbox/approve/${ref}`, events: [method] }
  }
  const account = await findAccount(sql, ref)
  const charged = await chargeOnce(sql, { account, key: state.charge.charge_ref, fact: state.charge, at })
  return { gateway_ref: ref, url: null, events: [method, charged, ...abandonedEvent(at, charged)] }
}

async function refOfCheckout(sql: Sql, subscriptionId: number): Promise<string | null> {
  const [account] = await sql<{ ref: string }[]>`
    select ref from sandbox_account where checkout->>'subscription_id' = ${`${subscriptionId}`}`
  return account?.ref ?? null
}

/** A failed first payment ends its checkout. */
const abandonedEvent = (at: Pick<AtGateway, 'subscription_id' | 'gateway_ref' | 'now'>, { facts }: GatewayEvent) =>
  facts.flatMap((fact) =>
    fact.kind === 'charge' && fact.status === 'failed'
      ? [ownEvent(at, [{ kind: 'abandoned', failure_reason: fact.failure_reason }])]
      : [],
  )

async function findAccount(sql: Sql, ref: string | null): Promise<SandboxAccount> {
  const account = ref === null ? undefined : await readAccount(sql, ref)
  if (!account) throw new PaymentDeclinedError('This test payment doesn’t exist.')
  return account
}

const accountOf = (sql: Sql, { gateway_ref }: AtGateway): Promise<SandboxAccount> => findAccount(sql, gateway_ref)

type ChargeOrder = {
  account: SandboxAccount
  key: string
  fact: ChargeFact
  at: Pick<AtGateway, 'subscription_id' | 'gateway_ref' | 'now'>
}

/** The same key is only charged once, however often it is requested; the result is the same each time. */
async function chargeOnce(sql: Sql, { account, key, fact, at }: ChargeOrder): Promise<GatewayEvent> {
  const failure_reason = declineMessage(account.behaviour, fact.reason)
  const chargeFact: ChargeFact = { ...fact, status: failure_reason ? 'failed' : 'paid', failure_reason }
  await sql`
    insert into sandbox_charge (key, account_ref, amount_minor, currency, is_paid, failure_reason, facts, at)
    values (${key}, ${account.ref}, ${fact.amount_minor}, ${fact.currency}, ${failure_reason === ''}, ${failure_reason},
      ${sql.json([chargeFact] as never)}, ${at.now})
    on conflict (key) do nothing`
  const [charged] = await sql<{ facts: Fact[]; at: Date }[]>`select facts, at from sandbox_charge where key = ${key}`
  if (!charged) throw new Error('Sandbox payment not found')
  return { ...ownEvent(at, charged.facts, `charge:${key}`), at: charged.at }
}

/** Records the member's choice on the test mode page. Returns false if it was already decided. */
export async function decideApproval(sql: Sql, ref: string, approval: 'approved' | 'declined'): Promise<boolean> {
  const updated = await sql`
    update sandbox_account set approval = ${approval} where ref = ${ref} and approval = 'waiting'`
  return updated.count > 0
}

/** Charges the first payment, after the approval and the member’s return. */
async function complete(sql: Sql, at: AtGateway, token: string): Promise<GatewayEvent[]> {
  const account = await accountOf(sql, at)
  if (token !== account.ref || account.approval !== 'approved') {
    throw new PaymentDeclinedError('The payment was not approved.')
  }
  return payApproved(sql, account, at.now)
}

export async function payApproved(sql: Sql, account: SandboxAccount, now: Date): Promise<GatewayEvent[]> {
  const { subscription_id, charge } = account.checkout
  const at = { subscription_id, gateway_ref: account.ref, now }
  const charged = await chargeOnce(sql, { account, key: charge.charge_ref, fact: charge, at })
  return [charged, ...abandonedEvent(at, charged)]
}

async function abandon(sql: Sql, at: AtGateway): Promise<GatewayEvent[]> {
  const ref = await refOfCheckout(sql, at.subscription_id)
  await sql`update sandbox_account set approval = 'declined' where ref = ${ref} and approval = 'waiting'`
  return [...(await fetchCharges(sql, at)), ownEvent(at, [{ kind: 'abandoned', failure_reason: '' }])]
}

async function fetchCharges(sql: Sql, at: AtGateway): Promise<GatewayEvent[]> {
  const gateway_ref = await refOfCheckout(sql, at.subscription_id)
  const charges = await sql<{ key: string; facts: Fact[]; at: Date }[]>`
    select key, facts, at from sandbox_charge where account_ref = ${gateway_ref} order by at, key`
  return charges.map(({ key, facts, at: chargedAt }) => ({
    ...ownEvent({ ...at, gateway_ref }, facts, `charge:${key}`),
    at: chargedAt,
  }))
}

async function refundOnce(
  sql: Sql,
  at: AtGateway,
  { key, charge_ref, amount_minor }: { key: string; charge_ref: string; amount_minor: number },
): Promise<GatewayEvent[]> {
  await sql`
    insert into sandbox_refund (key, charge_ref, amount_minor) values (${key}, ${charge_ref}, ${amount_minor})
    on conflict (key) do nothing`
  return [ownEvent(at, [{ kind: 'refund', refund_ref: key, charge_ref, amount_minor }], `refund:${key}`)]
}
