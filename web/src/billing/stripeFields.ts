import type {
  Appearance,
  Stripe,
  StripeCheckoutElementsSdk,
  StripeCheckoutLoadActionsSuccess,
  StripeCheckoutSession,
} from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { toDecimalString } from './money.ts'
import * as texts from './texts.ts'

/** Thrown when Stripe's code, its fields or their payment could not be loaded. */
class MissingFieldsError extends Error {}

export type CardFields = {
  sdk: StripeCheckoutElementsSdk
  confirm: StripeCheckoutLoadActionsSuccess['confirm']
  session: StripeCheckoutSession
}

type Key = { publishable_key: string; client_secret: string }

/** Prepares everything Stripe's fields need before they are added to the page. Throws `MissingFieldsError`. */
export async function openFields({ publishable_key, client_secret }: Key, appearance: Appearance): Promise<CardFields> {
  const stripe = await loadStripeSdk(publishable_key)
  const sdk = stripe.initCheckoutElementsSdk({ clientSecret: client_secret, elementsOptions: { appearance } })
  const loaded = await sdk.loadActions()
  if (loaded.type === 'error') throw new MissingFieldsError(loaded.error.message)
  const { confirm, getSession } = loaded.actions
  return { sdk, confirm, session: getSession() }
}

async function loadStripeSdk(publishable_key: string): Promise<Stripe> {
  const stripe = await loadStripe(publishable_key).catch((cause: unknown) => {
    throw new MissingFieldsError(texts.couldntLoadStripe, { cause })
  })
  if (!stripe) throw new MissingFieldsError(texts.couldntLoadStripe)
  return stripe
}

/** After this time the page stops waiting for wallets; cards can be entered before that. */
const WALLETS_TIMEOUT_MS = 4000

/**
 * Adds both to the page. Resolves when they can be used, with whether there are wallets. Throws `MissingFieldsError`.
 */
export async function mountFields(
  { sdk }: Pick<CardFields, 'sdk'>,
  containers: { card: HTMLElement; wallets: HTMLElement },
): Promise<{ hasWallets: boolean }> {
  const wallets = sdk.createExpressCheckoutElement()
  // The wallets have their own buttons above the card fields.
  const card = sdk.createPaymentElement({ wallets: { applePay: 'never', googlePay: 'never' } })
  const walletsReady = new Promise<boolean>((resolve) => {
    wallets.on('ready', ({ availablePaymentMethods }) => resolve(availablePaymentMethods !== undefined))
    wallets.on('loaderror', () => resolve(false))
  })
  const cardReady = new Promise<void>((resolve, reject) => {
    card.on('ready', () => resolve())
    card.on('loaderror', ({ error }) => reject(new MissingFieldsError(error.message)))
  })
  wallets.mount(containers.wallets)
  card.mount(containers.card)
  await cardReady
  return { hasWallets: await withTimeout(WALLETS_TIMEOUT_MS, walletsReady) }
}

const withTimeout = (ms: number, promise: Promise<boolean>): Promise<boolean> =>
  Promise.race([promise, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ms))])

/** The amount Stripe charges today: '19.99'. Stripe charges nothing unless the page has read this value. */
export const formatDueToday = ({ total, minorUnitsAmountDivisor }: DueAmounts): string =>
  toDecimalString(Math.round((total.total.minorUnitsAmount * 100) / minorUnitsAmountDivisor))

type DueAmounts = {
  total: { total: Pick<StripeCheckoutSession['total']['total'], 'minorUnitsAmount'> }
  minorUnitsAmountDivisor: number
}
