import type { billing } from '@dubplate/contract'
import * as z from 'zod/mini'

/**
 * What every payment provider is to the pool. A gateway speaks with its provider and tells what it learned as facts;
 * what follows from them (who may download, what is invoiced) is decided in subscription-state.ts and ledger.ts alone.
 */

export type GatewayName = 'sandbox' | 'manual' | 'stripe' | 'paypal'

export type Interval = 'month' | 'year'

/** What one subscription was agreed to cost, all in the smallest unit of the currency. */
export type Terms = {
  plan_id: number
  title: string
  currency: string
  interval: Interval
  price_minor: number
  /** What the first period costs before the coupon: the trial price, or the price. */
  first_price_minor: number
  /** Off the first payment. */
  first_discount_minor: number
  /** Off each later payment that the coupon still holds for. */
  later_discount_minor: number
  /** From how many payments the coupon is taken off, the first one included; null: from all. 0 without a coupon. */
  discounted_payments: number | null
}

/** A checkout as a gateway gets it. The same `key` is the same checkout, however often it is started. */
export type Checkout = {
  subscription_id: number
  /** A random id of this checkout that its objects at the provider carry. */
  checkout_key: string
  key: string
  customer: { customer_id: number; email: string; name: string }
  terms: Terms
  method: billing.PaymentMethod
  /** In the sandbox's own form alone. Never logged, never stored. */
  card?: billing.PaymentForm
  /** What a wallet's sheet gave. */
  wallet_token?: string
  /** Where the provider sends the member back to when it went well, and when it did not. */
  return_url: string
  cancel_url: string
  now: Date
}

export type PaidWith = { kind: billing.PaymentMethod; brand: string; last_four: string; expires_on: string | null }

/**
 * A fact reported by a provider, in absolute terms, so that applying it twice or in another order has the same result.
 * `charge`: a payment of one period; each attempt has the same `charge_ref`, and once paid it stays paid.
 * `refund`: money that was returned. `cancelled`: whether it renews, as of the event's time. `over`: it ended for good
 * at the provider, and the paid period remains usable. `ended`: staff ended it, including the paid period.
 * `given_up`: the checkout failed. `method`: the payment method from now on.
 */
export type Fact =
  | {
      kind: 'charge'
      charge_ref: string
      status: 'failed' | 'paid'
      reason: 'first' | 'renewal' | 'upgrade'
      /** Missing: the plan the subscription is on. */
      plan_id?: number
      amount_minor: number
      /**
       * What was billed, without tax added on top and before the payer's credit, where that differs from the amount.
       */
      billed_minor?: number
      discount_minor: number
      currency: string
      is_trial: boolean
      period_start: string
      period_end: string
      trouble: string
      /** Paid in the provider's test mode where this pool takes real money, or the other way round. */
      is_other_mode?: boolean
    }
  | { kind: 'refund'; refund_ref: string; charge_ref: string; amount_minor: number }
  | { kind: 'cancelled'; is_cancelled: boolean }
  | { kind: 'over' }
  | { kind: 'ended' }
  | { kind: 'given_up'; trouble: string }
  | { kind: 'method'; paid_with: PaidWith }
  | { kind: 'payer'; payer_ref: string }

export type GatewayEvent = {
  /** The provider's; the same event always has the same one. */
  event_id: string
  /** When it happened, as the provider says. */
  at: Date
  /** The provider's name of the subscription, where known. */
  gateway_ref: string | null
  /** Ours, where the pool itself knows it: never what someone else wrote into the provider's object. */
  subscription_id: number | null
  /** The checkout's random id, where the provider's object carries one. */
  checkout_key?: string
  /** A subscription that a buyer or another pool may have written there. Links nothing; staff see the payment. */
  claimed_id?: number
  facts: Fact[]
}

export type Started = {
  /** The provider's name of the subscription, where it has one already. */
  gateway_ref: string | null
  /** Where the member goes to pay or approve; null where nothing more is to be done. */
  url: string | null
  events: GatewayEvent[]
}

/** Sent to the payer's browser: neither value gives access to anything but this checkout. */
export type Frame = { publishable_key: string; client_secret: string }

/** A subscription as a gateway is asked about it. */
export type AtGateway = {
  subscription_id: number
  checkout_key: string
  gateway_ref: string | null
  payer_ref: string | null
  customer: { customer_id: number; email: string; name: string }
  terms: Terms
  now: Date
}

export type RenewalOrder = {
  /** The same key is the same try. */
  key: string
  /** The same for every try of one payment. */
  charge_ref: string
  reason: 'renewal' | 'upgrade'
  plan_id: number
  amount_minor: number
  discount_minor: number
  period_start: Date
  period_end: Date
}

export type PlanChange = {
  key: string
  terms: Terms
  /** `now`: the rest of the period is paid at once; `next_period`: it costs what it costs from then on. */
  from: 'now' | 'next_period'
  due_now_minor: number
  return_url: string
  cancel_url: string
}

/**
 * Why a provider could not be used. `request_rejected`: it understood one request and refuses it; the others may work.
 */
export const PROVIDER_PROBLEMS = [
  'keys_rejected',
  'unreachable',
  'timeout',
  'rate_limited',
  'provider_error',
  'request_rejected',
] as const
export type ProviderProblem = (typeof PROVIDER_PROBLEMS)[number]

type ProviderErrorOptions = { reason?: ProviderProblem; isCertain?: boolean; cause?: unknown }

/** A provider could not be reached, did not answer in time, or refused the pool itself. */
export class ProviderUnavailableError extends Error {
  readonly reason: ProviderProblem
  /** True where the provider certainly did nothing; otherwise it is not known whether anything happened. */
  readonly isCertain: boolean

  constructor(message = '', { reason = 'provider_error', isCertain = false, cause }: ProviderErrorOptions = {}) {
    super(message, { cause })
    this.reason = reason
    this.isCertain = isCertain
  }

  /** For operators: what happened, without secrets. */
  get detail(): string {
    return this.message.replace(/\b(sk|rk|pk|whsec)_\w+/g, '[key]').slice(0, 500)
  }
}

/** Codes of Node's for connections that were never made: not a byte was sent. */
const UNSENT_PATTERN =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|CERT_.*|.*_CERT.*)$/

/** A failed connection as trouble of the provider's: refused, not found, or lost after something was sent. */
export function connectionError(provider: string, cause: unknown): ProviderUnavailableError {
  const codes = codesOf(cause)
  const unsentCode = codes.find((code) => UNSENT_PATTERN.test(code))
  if (unsentCode)
    return new ProviderUnavailableError(`${provider} cannot be reached (${unsentCode}).`, {
      reason: 'unreachable',
      isCertain: true,
      cause,
    })
  const code = codes[0] ? ` (${codes[0]})` : ''
  return new ProviderUnavailableError(`${provider} did not answer in time, or broke the connection${code}.`, {
    reason: 'timeout',
    cause,
  })
}

/** The codes of an error and of those it was caused by, also of a connection that was tried at several addresses. */
function codesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 5) return []
  const { code, cause, detail, errors } = error as {
    code?: unknown
    cause?: unknown
    detail?: unknown
    errors?: unknown[]
  }
  const nestedErrors = [cause, detail, ...(Array.isArray(errors) ? errors : [])].flatMap((one) =>
    codesOf(one, depth + 1),
  )
  return [...(typeof code === 'string' ? [code] : []), ...nestedErrors]
}

/** Runs what a provider is asked before anything is made there: where it fails, nothing was made. */
export async function runBeforeCreating<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError) || error.isCertain) throw error
    const { message, reason, cause } = error
    throw new ProviderUnavailableError(message, { reason, cause, isCertain: true })
  }
}

/** A provider signed this event, and its contents are not in any shape this version knows. */
export class UnreadableEventError extends Error {
  readonly event_id: string
  readonly type: string
  readonly at: Date

  constructor(event: { event_id: string; type: string; at: Date }, cause: unknown) {
    super(`${event.type}: ${shapeProblem(cause)}`, { cause })
    this.event_id = event.event_id
    this.type = event.type
    this.at = event.at
  }
}

/** Which fields are wrong, without their values: those may be personal. */
export const shapeProblem = (error: unknown): string =>
  error instanceof z.core.$ZodError
    ? error.issues
        .map(({ path, code }) => `${path.join('.') || 'event'} (${code})`)
        .join(', ')
        .slice(0, 300)
    : 'not an object this version can read'

/** A provider said no: the sentence is for the member. */
export class PaymentDeclinedError extends Error {}

export type Gateway = {
  name: GatewayName
  /** What members may choose. */
  methods: readonly billing.PaymentMethod[]
  /** Who asks for the money of each period: the provider by itself, or the pool by `charge`. */
  renews: 'gateway' | 'pool'
  /** `form`: cards are typed into the pool's form; `hosted`: at the provider. */
  cards: 'form' | 'hosted'
  /** Whether a dearer plan is paid for the rest of the period at once, or costs more from the next one on. */
  upgrades: 'now' | 'next_period'
  /** Asks the provider whether it accepts the pool's keys. Throws ProviderAway. Missing where there is no provider. */
  check?(): Promise<void>
  /** Throws Declined, ProviderAway. */
  start(checkout: Checkout): Promise<Started>
  /**
   * What a page of the pool's needs to show the provider's frames, into which a checkout that was started is paid.
   * Missing where it is paid elsewhere. Throws Declined where that is over, ProviderAway.
   */
  frame?(at: AtGateway): Promise<Frame>
  /** Ends what the member approved at the provider, after their return. Throws Declined, ProviderAway. */
  complete?(at: AtGateway, token: string): Promise<GatewayEvent[]>
  /** Everything the provider knows of it now. Throws ProviderAway. */
  fetch(at: AtGateway): Promise<GatewayEvent[]>
  /** No further payment; what is paid stays. Throws ProviderAway. */
  cancel(at: AtGateway): Promise<GatewayEvent[]>
  /** Missing where the provider cannot take a cancellation back. */
  resume?(at: AtGateway): Promise<GatewayEvent[]>
  /** Makes an unpaid checkout one that nobody can pay any more. */
  abandon(at: AtGateway): Promise<GatewayEvent[]>
  /** Missing where renewals are the pool's. */
  changePlan?(at: AtGateway, change: PlanChange): Promise<{ url: string | null; events: GatewayEvent[] }>
  /** Another card: at once, or at the provider's page. Missing where that is done at the provider alone. */
  updateMethod?(
    at: AtGateway,
    options: { card: billing.PaymentForm | undefined; return_url: string; key: string },
  ): Promise<{ url: string | null; events: GatewayEvent[] }>
  /** Of gateways whose renewals are the pool's. Throws ProviderAway; a decline is a fact. */
  charge?(at: AtGateway, order: RenewalOrder): Promise<GatewayEvent[]>
  /** Throws Declined, ProviderAway. */
  refund(
    at: AtGateway,
    order: { key: string; charge_ref: string; amount_minor: number; currency: string; reason: string },
  ): Promise<GatewayEvent[]>
  /**
   * Reads a webhook. Throws Refusal `invalid_signature`, and UnreadableEvent for one whose shape is unknown; an event
   * of no interest is one without facts.
   */
  readWebhook?(raw: Buffer, headers: Record<string, string | string[] | undefined>): Promise<GatewayEvent[]>
}
