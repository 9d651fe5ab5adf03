import type { PaypalSettings, StripeSettings } from '../platform/payment-config.ts'

/** With the address of another server that speaks as Stripe does; tests alone need one. */
export type StripeConfig = StripeSettings & { api?: string }

export type PaypalConfig = PaypalSettings
