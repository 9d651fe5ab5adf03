import type { PaypalSettings, StripeSettings } from '../platform/payment-config.ts'

/** With the URL of another server with Stripe's API, which only tests need. */
export type StripeConfig = StripeSettings & { api?: string }

export type PaypalConfig = PaypalSettings
