import type { billing } from '@dubplate/contract'
import * as z from 'zod/mini'

/**
 * The interface of every payment provider. A gateway talks to its provider and reports what it learned as facts; what
 * follows from them (who can download, what is invoiced) is only decided in subscription-state.ts and ledger.ts.
 */

export type GatewayName = 'sandbox' | 'manual' | 'stripe' | 'paypal'

export type Interval = 'month' | 'year'

/** The agreed price of one subscription. All amounts are in the smallest unit of the currency. */
export type Terms = {
  plan_id: number
  title: string
  currency: string
  interval: Interval
  price_minor: number
  /** The price of the first period before the coupon: the trial price, or the price. */
  first_price_minor: number
  /** Taken off the first payment. */
  first_discount_minor: number
  /** Taken off each later payment that the coupon still applies to. */
  later_discount_minor: number
  /** The number of payments the coupon applies to, including the first one; null for all, 0 without a coupon. */
  discounted_payments: number | null
}

/** A checkout as a gateway receives it. The same `key` is the same checkout, however often it is started. */
export type Checkout = {
  subscription_id: number
  /** A random id of this checkout, which its objects at the provider contain. */
  checkout_key: string
  key: string
  customer: { customer_id: number; email: string; name: string }
  terms: Terms
  method: billing.PaymentMethod
  /** Only in the sandbox's own form. Never logged, never stored. */
  card?: billing.PaymentForm
  /** The token from a wallet's payment sheet. */
  wallet_token?: string
  /** Where the provider sends the member after a successful and after a cancelled payment. */
  return_url: string
  cancel_url: string
  now: Date
}

export type PaidWith = { kind: billing.PaymentMethod; brand: string; last_four: string; expires_on: string | null }

/**
 * A fact reported by a provider, in absolute terms, so that applying it twice or in another order has the same result.
 * `charge`: a payment of one period; each attempt has the same `charge_ref`, and once paid it stays paid.
 * `refund`: money that was returned. `cancelled`: whether it renews, as of the event's time. `terminated`: it ended for good
 * at the provider, and the paid period remains usable. `ended`: staff ended it, including the paid period.
 * `abandoned`: the checkout failed. `method`: the payment method from now on.
 */
export type Fact =
  | {
      kind: 'charge'
      charge_ref: string
      status: 'failed' | 'paid'
      reason: 'first' | 'renewal' | 'upgrade'
      /** Undefined: the current plan of the subscription. */
      plan_id?: number
      amount_minor: number
      /** What was billed, without tax added on top and before the payer's credit, if that differs from the amount. */
      billed_minor?: number
      discount_minor: number
      currency: string
      is_trial: boolean
      period_start: string
      period_end: string
      failure_reason: string
      /** Paid in the provider's test mode although this pool takes real money, or the other way round. */
      is_other_mode?: boolean
    }
  | { kind: 'refund'; refund_ref: string; charge_ref: string; amount_minor: number }
  | { kind: 'cancelled'; is_cancelled: boolean }
  | { kind: 'terminated' }
  | { kind: 'ended' }
  | { kind: 'abandoned'; failure_reason: string }
  | { kind: 'method'; paid_with: PaidWith }
  | { kind: 'payer'; payer_ref: string }

export type GatewayEvent = {
  /** The provider's event id; the same event always has the same one. */
  event_id: string
  /** When it happened, according to the provider. */
  at: Date
  /** The provider's id of the subscription, if known. */
  gateway_ref: string | null
  /** The pool's id, if the pool itself knows it; never one that someone else wrote into the provider's object. */
  subscription_id: number | null
  /** The checkout's random id, if the provider's object contains one. */
  checkout_key?: string
  /** A subscription id that a buyer or another pool may have written there. It links nothing; staff see the payment. */
  claimed_id?: number
  facts: Fact[]
}

export type Started = {
  /** The provider's id of the subscription, if it already has one. */
  gateway_ref: string | null
  /** Where the member goes to pay or approve; null when nothing more is needed. */
  url: string | null
  events: GatewayEvent[]
}

/** Sent to the payer's browser. Neither value gives access to anything except this checkout. */
export type Frame = { publishable_key: string; client_secret: string }

/** A subscription as it is passed to a gateway. */
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
  /** The same key is the same attempt. */
  key: string
  /** The same for every attempt of one payment. */
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
  /** `now`: the rest of the period is paid at once; `next_period`: the new price applies from the next period on. */
  from: 'now' | 'next_period'
  due_now_minor: number
  return_url: string
  cancel_url: string
}

/** Why a provider could not be used. `request_rejected`: it refused one request; others may work. */
const PROVIDER_PROBLEMS = [
  'keys_rejected',
  'unreachable',
  'timeout',
  'rate_limited',
  'provider_error',
  'request_rejected',
] as const
export type ProviderProblem = (typeof PROVIDER_PROBLEMS)[number]

type ProviderErrorOptions = { reason?: ProviderProblem; isCertain?: boolean; cause?: unknown }

/** A provider could not be reached, did not respond in time, or rejected the pool itself. */
export class ProviderUnavailableError extends Error {
  readonly reason: ProviderProblem
  /** True when the provider certainly did nothing; otherwise something may have happened. */
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

/** Node's codes for connections that were never established: no byte was sent. */
const UNSENT_PATTERN =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|CERT_.*|.*_CERT.*)$/

/** Returns the error for a failed connection: refused, not found, or lost after something was sent. */
export function connectionError(provider: string, cause: unknown): ProviderUnavailableError {
  const codes = codesOf(cause)
  const unsentCode = codes.find((code) => UNSENT_PATTERN.test(code))
  if (unsentCode)
    return new ProviderUnavailableError(`${provider} can’t be reached (${unsentCode}).`, {
      reason: 'unreachable',
      isCertain: true,
      cause,
    })
  const code = codes[0] ? ` (${codes[0]})` : ''
  return new ProviderUnavailableError(`${provider} didn’t respond in time or closed the connection${code}.`, {
    reason: 'timeout',
    cause,
  })
}

/** Returns the codes of an error and of its causes, including those of connection attempts to several addresses. */
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

/** Runs requests that come before anything is created at the provider: when they fail, nothing was created. */
export async function runBeforeCreating<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError) || error.isCertain) throw error
    const { message, reason, cause } = error
    throw new ProviderUnavailableError(message, { reason, cause, isCertain: true })
  }
}

/** A provider signed this event, but this version does not know the shape of its contents. */
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

/** Returns which fields are wrong, without their values, which may be personal. */
export const shapeProblem = (error: unknown): string =>
  error instanceof z.core.$ZodError
    ? error.issues
        .map(({ path, code }) => `${path.join('.') || 'event'} (${code})`)
        .join(', ')
        .slice(0, 300)
    : 'not an object this version can read'

/** The provider declined; the message is shown to the member. */
export class PaymentDeclinedError extends Error {}

export type Gateway = {
  name: GatewayName
  /** The payment methods members can choose. */
  methods: readonly billing.PaymentMethod[]
  /** Who collects the payment of each period: the provider by itself, or the pool by `charge`. */
  renews: 'gateway' | 'pool'
  /** `form`: cards are entered in the pool's form; `hosted`: at the provider. */
  cards: 'form' | 'hosted'
  /**
   * Whether the price difference of a more expensive plan is paid at once, or the new price applies from the next
   * period on.
   */
  upgrades: 'now' | 'next_period'
  /**
   * Checks whether the provider accepts the pool's keys. Throws ProviderUnavailableError. Undefined when there is no
   * provider.
   */
  check?(): Promise<void>
  /** Throws PaymentDeclinedError, ProviderUnavailableError. */
  start(checkout: Checkout): Promise<Started>
  /**
   * Returns what a page of the pool needs to show the provider's frames, in which a started checkout is paid. Undefined
   * when it is paid elsewhere. Throws PaymentDeclinedError when the checkout has ended, ProviderUnavailableError.
   */
  frame?(at: AtGateway): Promise<Frame>
  /**
   * Completes what the member approved at the provider, after their return. Throws PaymentDeclinedError,
   * ProviderUnavailableError.
   */
  complete?(at: AtGateway, token: string): Promise<GatewayEvent[]>
  /** Returns everything the provider knows about the subscription now. Throws ProviderUnavailableError. */
  fetch(at: AtGateway): Promise<GatewayEvent[]>
  /** Stops further payments; what is paid remains. Throws ProviderUnavailableError. */
  cancel(at: AtGateway): Promise<GatewayEvent[]>
  /** Undefined when the provider cannot undo a cancellation. */
  resume?(at: AtGateway): Promise<GatewayEvent[]>
  /** Closes an unpaid checkout, so that it can no longer be paid. */
  abandon(at: AtGateway): Promise<GatewayEvent[]>
  /** Undefined when the pool charges renewals. */
  changePlan?(at: AtGateway, change: PlanChange): Promise<{ url: string | null; events: GatewayEvent[] }>
  /** Replaces the card, at once or on the provider's page. Undefined when that is only possible at the provider. */
  updateMethod?(
    at: AtGateway,
    options: { card: billing.PaymentForm | undefined; return_url: string; key: string },
  ): Promise<{ url: string | null; events: GatewayEvent[] }>
  /** For gateways whose renewals the pool charges. Throws ProviderUnavailableError; a declined payment is a fact. */
  charge?(at: AtGateway, order: RenewalOrder): Promise<GatewayEvent[]>
  /** Throws PaymentDeclinedError, ProviderUnavailableError. */
  refund(
    at: AtGateway,
    order: { key: string; charge_ref: string; amount_minor: number; currency: string; reason: string },
  ): Promise<GatewayEvent[]>
  /**
   * Reads a webhook. Throws `invalid_signature`, and UnreadableEventError for an event of unknown shape. An event of no
   * interest has no facts.
   */
  readWebhook?(raw: Buffer, headers: Record<string, string | string[] | undefined>): Promise<GatewayEvent[]>
}

/**
 * Returns a subscription's reference at its provider by the reference of one of its payments; undefined if the pool does
 * not know the payment.
 */
export type FindPaidSubscription = (gateway: GatewayName, chargeRef: string) => Promise<string | null | undefined>
