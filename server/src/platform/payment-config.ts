import * as z from 'zod/mini'

/** How payments are received, and who issues the invoices. */
export type PaymentConfig = {
  /** The payment providers; each payment method uses the first one that offers it. */
  gateways: readonly ('sandbox' | 'manual' | 'stripe' | 'paypal')[]
  stripe: StripeSettings | undefined
  paypal: PaypalSettings | undefined
  /** Bank transfer instructions, for gateway `manual`. */
  transferInstructions: string
  invoice: InvoiceSettings
}

/** The operator's settings for Stripe. */
export type StripeSettings = {
  secretKey: string
  /** The signing secret of the Stripe webhook. */
  webhookSecret: string
  /** Identifies the account in Stripe's frames; not secret. Set if cards are entered in them. */
  publishableKey?: string
  /** Where cards are entered: on Stripe's page, or in Stripe's frames on a page of the pool. */
  checkout: 'redirect' | 'embedded'
}

/** The operator's settings for PayPal. */
export type PaypalSettings = {
  clientId: string
  secret: string
  /** The id of the PayPal webhook, which is part of what its messages sign. */
  webhookId: string
  /** `https://api-m.paypal.com`, or `https://api-m.sandbox.paypal.com` for test payments. */
  api: string
}

export type InvoiceSettings = {
  /** The name is '' if it is the pool's. */
  seller: { name: string; lines: string[]; tax_number: string }
  /** Prices include it. */
  tax: { label: string; percent: number }
}

/** Returns the invoice settings; if the operator set no seller, its name is the pool's. */
export const invoiceSettingsFor = ({ seller, tax }: InvoiceSettings, poolName: string): InvoiceSettings => ({
  seller: { ...seller, name: seller.name || poolName },
  tax,
})

const NAMES = ['sandbox', 'manual', 'stripe', 'paypal'] as const

const splitList = (text: string): string[] => text.split(',').map((one) => one.trim())
const gateways = z.pipe(z.string(), z.pipe(z.transform(splitList), z.array(z.enum(NAMES)).check(z.minLength(1))))

/** Environment settings for payments. */
export const paymentEnvironment = {
  GATEWAYS: z.optional(gateways),
  SANDBOX_IN_PRODUCTION: z._default(z.enum(['yes', 'no']), 'no'),
  STRIPE_SECRET_KEY: z.optional(z.string().check(z.regex(/^(sk|rk)_/))),
  STRIPE_WEBHOOK_SECRET: z.optional(z.string().check(z.regex(/^whsec_/))),
  STRIPE_PUBLISHABLE_KEY: z.optional(z.string().check(z.regex(/^pk_/))),
  STRIPE_CHECKOUT: z._default(z.enum(['redirect', 'embedded']), 'redirect'),
  PAYPAL_CLIENT_ID: z.optional(z.string()),
  PAYPAL_SECRET: z.optional(z.string()),
  PAYPAL_WEBHOOK_ID: z.optional(z.string()),
  PAYPAL_API: z._default(z.url({ protocol: /^https?$/ }), 'https://api-m.paypal.com'),
  TRANSFER_INSTRUCTIONS: z._default(z.string().check(z.maxLength(1000)), ''),
  INVOICE_FROM: z._default(z.string().check(z.maxLength(500)), ''),
  INVOICE_TAX_NUMBER: z._default(z.string().check(z.maxLength(60)), ''),
  TAX_LABEL: z._default(z.string().check(z.minLength(1), z.maxLength(30)), 'VAT'),
  TAX_PERCENT: z._default(z.coerce.number().check(z.gte(0), z.lt(100)), 0),
}

export const PAYMENT_EXPECTED_VALUES: Record<string, string> = {
  GATEWAYS: 'one or more of sandbox, manual, stripe, paypal, such as stripe, paypal',
  SANDBOX_IN_PRODUCTION: '"yes" or "no"',
  STRIPE_SECRET_KEY: 'a Stripe secret key, starting with sk_ or rk_',
  STRIPE_WEBHOOK_SECRET: 'a Stripe webhook signing secret, starting with whsec_',
  STRIPE_PUBLISHABLE_KEY: 'a Stripe publishable key, starting with pk_',
  STRIPE_CHECKOUT: '"redirect" or "embedded"',
  PAYPAL_API: 'https://api-m.paypal.com, or https://api-m.sandbox.paypal.com for testing',
  TRANSFER_INSTRUCTIONS: 'where to transfer money to, in at most 1,000 characters',
  INVOICE_FROM: 'the issuer’s name and address separated by semicolons, up to 500 characters',
  INVOICE_TAX_NUMBER: 'a tax ID of up to 60 characters',
  TAX_LABEL: 'the name of the tax, such as VAT, up to 30 characters',
  TAX_PERCENT: 'a percentage from 0 to below 100, such as 19',
}

const environment = z.object(paymentEnvironment)
type RawSettings = z.output<typeof environment>

/** A conflict between the settings, as a sentence. */
export class PaymentConfigError extends Error {}

/**
 * On this machine, unless NODE_ENV says production, the sandbox is on so that everything can be tried; elsewhere anyone
 * who knows a test card would get access for free.
 */
const isProduction = ({ nodeEnv, publicUrl, isPublicDemo }: PaymentEnvironment): boolean =>
  !isPublicDemo && (nodeEnv === 'production' || !LOCAL_HOSTS.includes(new URL(publicUrl).hostname))

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

type PaymentEnvironment = {
  publicUrl: string
  nodeEnv: string | undefined
  /** A demo that others may use (DEMO=on): test cards are part of it. */
  isPublicDemo?: boolean
}

export function readPayments(value: RawSettings, around: PaymentEnvironment): PaymentConfig {
  const gatewayNames = value.GATEWAYS ?? (isProduction(around) ? ['manual' as const] : ['sandbox' as const])
  const rawSettings = { ...value, GATEWAYS: gatewayNames }
  rejectSandboxInProduction(rawSettings, around)
  const [name = '', ...lines] = value.INVOICE_FROM.split(';').map((line) => line.trim())
  return {
    gateways: gatewayNames,
    stripe: readStripe(rawSettings),
    paypal: readPaypal(rawSettings),
    transferInstructions: value.TRANSFER_INSTRUCTIONS,
    invoice: {
      seller: { name, lines, tax_number: value.INVOICE_TAX_NUMBER },
      tax: { label: value.TAX_LABEL, percent: value.TAX_PERCENT },
    },
  }
}

function rejectSandboxInProduction(
  { GATEWAYS, SANDBOX_IN_PRODUCTION }: NamedPaymentSettings,
  around: PaymentEnvironment,
): void {
  if (!GATEWAYS.includes('sandbox') || !isProduction(around) || SANDBOX_IN_PRODUCTION === 'yes') return
  throw new PaymentConfigError(
    `GATEWAYS includes the sandbox, which takes no real payments, but ${around.publicUrl} is public. Set GATEWAYS to stripe, paypal or manual, or set SANDBOX_IN_PRODUCTION=yes to allow it.`,
  )
}

type NamedPaymentSettings = RawSettings & { GATEWAYS: (typeof NAMES)[number][] }

/** Throws an error naming every missing setting of a gateway. */
function rejectMissing(gateway: string, needed: Record<string, string | undefined>): void {
  const missing = Object.keys(needed).filter((name) => !needed[name])
  if (missing.length > 0) {
    throw new PaymentConfigError(`GATEWAYS includes ${gateway}, which also requires ${missing.join(', ')}.`)
  }
}

function readStripe(value: NamedPaymentSettings): StripeSettings | undefined {
  if (!value.GATEWAYS.includes('stripe')) return undefined
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PUBLISHABLE_KEY, STRIPE_CHECKOUT } = value
  rejectMissing('stripe', {
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET,
    ...(STRIPE_CHECKOUT === 'embedded' ? { STRIPE_PUBLISHABLE_KEY } : {}),
  })
  return {
    secretKey: STRIPE_SECRET_KEY ?? '',
    webhookSecret: STRIPE_WEBHOOK_SECRET ?? '',
    ...(STRIPE_PUBLISHABLE_KEY ? { publishableKey: STRIPE_PUBLISHABLE_KEY } : {}),
    checkout: STRIPE_CHECKOUT,
  }
}

function readPaypal(value: NamedPaymentSettings): PaypalSettings | undefined {
  if (!value.GATEWAYS.includes('paypal')) return undefined
  const { PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID, PAYPAL_API } = value
  rejectMissing('paypal', { PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID })
  return {
    clientId: PAYPAL_CLIENT_ID ?? '',
    secret: PAYPAL_SECRET ?? '',
    webhookId: PAYPAL_WEBHOOK_ID ?? '',
    api: PAYPAL_API.replace(/\/$/, ''),
  }
}
