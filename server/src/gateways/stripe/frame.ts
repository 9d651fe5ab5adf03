import { type AtGateway, type Checkout, type Frame, PaymentDeclinedError } from '../gateway.ts'
import type { StripeConfig } from '../gateway-config.ts'
import type { StripeAccount } from './account.ts'
import { findSessions } from './fetched-facts.ts'
import { FRAME_PATH } from './frame-policy.ts'
import { stripeSession } from './objects.ts'

/** Returns the page of the pool where a checkout is paid in Stripe's frames. */
export const framePageOf = ({ subscription_id, return_url }: Checkout): string =>
  new URL(`${FRAME_PATH}${subscription_id}`, return_url).href

/** Returns what shows Stripe's frames for an open checkout. Throws PaymentDeclinedError when none is open. */
export async function cardFrame(
  account: StripeAccount,
  { publishableKey }: StripeConfig,
  at: AtGateway,
): Promise<Frame> {
  if (!publishableKey) throw new Error('Embedded Stripe forms need STRIPE_PUBLISHABLE_KEY')
  const sessions = await findSessions(account, at, at)
  const open = sessions.find(({ status }) => status === 'open')
  // A session started when cards were entered on Stripe's page has no secret.
  const client_secret = open && (await secretOf(account, open.id))
  if (!client_secret) throw new PaymentDeclinedError('This payment session has expired. You haven’t been charged.')
  return { publishable_key: publishableKey, client_secret }
}

/** A session retrieved by its id includes all its fields. */
const secretOf = async ({ stripe }: StripeAccount, id: string) =>
  stripeSession.parse(await stripe.checkout.sessions.retrieve(id)).client_secret
