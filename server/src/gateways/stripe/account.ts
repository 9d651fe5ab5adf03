import Stripe from 'stripe'
import * as z from 'zod/mini'
import type { Sql } from '../../platform/db.ts'
import { connectionError, PaymentDeclinedError, ProviderUnavailableError, shapeProblem } from '../gateway.ts'
import type { StripeConfig } from '../gateway-config.ts'
import type { StripeLookups } from './events.ts'
import { stripeInvoice, stripePaymentMethod, stripeRefund } from './objects.ts'
import type { StripeMode } from './plans.ts'

/** The operator's Stripe account and the lookups in it. */
export type StripeAccount = { sql: Sql; stripe: Stripe; mode: StripeMode; lookups: StripeLookups }

export function stripeAccount(sql: Sql, { secretKey, api }: StripeConfig): StripeAccount {
  const stripe = new Stripe(secretKey, {
    // The version that the types of this SDK describe: a newer SDK does not compile until someone has read its changes.
    apiVersion: '2026-10-28.endive',
    timeout: 10_000,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(api ? addressOf(new URL(api)) : {}),
  })
  const mode = /^(sk|rk)_live_/.test(secretKey) ? 'live' : 'test'
  return { sql, stripe, mode, lookups: lookupsOf(stripe) }
}

const addressOf = ({ hostname, port, protocol }: URL) => ({
  host: hostname,
  port,
  protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
})

function lookupsOf(stripe: Stripe): StripeLookups {
  return {
    paymentMethod: async (id) => stripePaymentMethod.parse(await stripe.paymentMethods.retrieve(id)),
    invoicePaidWith: async (payment_intent) => {
      const { data } = await stripe.invoicePayments.list({
        payment: { type: 'payment_intent', payment_intent },
        limit: 1,
      })
      const invoice = data[0]?.invoice
      if (!invoice) return null
      return stripeInvoice.parse(await stripe.invoices.retrieve(typeof invoice === 'string' ? invoice : invoice.id))
    },
    refundsOf: async (charge) => {
      const refunds = await stripe.refunds.list({ charge, limit: 100 }).autoPagingToArray({ limit: 1000 })
      return refunds.map((refund) => stripeRefund.parse(refund))
    },
  }
}

const { errors } = Stripe

/** Runs calls to Stripe and converts its errors into the pool's. */
export async function mapStripeErrors<T>(callStripe: () => Promise<T>): Promise<T> {
  try {
    return await callStripe()
  } catch (error) {
    throw convertError(error)
  }
}

/** docs.stripe.com/error-handling */
function convertError(error: unknown): unknown {
  if (error instanceof errors.StripeCardError) return new PaymentDeclinedError(declineMessage(error), { cause: error })
  if (error instanceof errors.StripeConnectionError) return connectionError('Stripe', error)
  if (error instanceof errors.StripeAPIError)
    return new ProviderUnavailableError(`Stripe returned an error (${error.statusCode ?? 'no status'}).`, {
      cause: error,
    })
  if (error instanceof errors.StripeRateLimitError)
    return new ProviderUnavailableError('Stripe’s rate limit was reached.', {
      ...{ reason: 'rate_limited', isCertain: true, cause: error },
    })
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError)
    return new ProviderUnavailableError(`Stripe rejected STRIPE_SECRET_KEY (${error.statusCode}).`, {
      ...{ reason: 'keys_rejected', isCertain: true, cause: error },
    })
  const requestError = error instanceof errors.StripeInvalidRequestError && REQUEST_ERRORS[error.code ?? '']
  if (requestError) return new PaymentDeclinedError(requestError, { cause: error })
  if (error instanceof errors.StripeInvalidRequestError)
    return new ProviderUnavailableError(`Stripe rejected a request: ${error.message}`, {
      ...{ reason: 'request_rejected', isCertain: true, cause: error },
    })
  if (error instanceof z.core.$ZodError)
    return new ProviderUnavailableError(`Stripe returned a response this version can’t read: ${shapeProblem(error)}`, {
      cause: error,
    })
  return error
}

const REQUEST_ERRORS: Record<string, string> = {
  charge_already_refunded: 'This payment has already been refunded.',
  amount_too_small: 'The amount is below the minimum for card payments.',
}

const SENTENCES: Record<string, string> = {
  insufficient_funds: 'Your card has insufficient funds.',
  expired_card: 'Your card has expired.',
  authentication_required: 'Your bank requires you to confirm this payment. Enter your card again.',
}

const declineMessage = ({ code, decline_code }: InstanceType<typeof errors.StripeCardError>): string =>
  SENTENCES[decline_code ?? ''] ?? SENTENCES[code ?? ''] ?? 'Your card was declined. Try another card.'
