import { type AtGateway, type Checkout, type Frame, PaymentDeclinedError } from '../gateway.ts'
import type { StripeConfig } from '../gateway-config.ts'
import type { StripeAccount } from './account.ts'
import { findSessions } from './fetched-facts.ts'
import { FRAME_PATH } from './frame-policy.ts'
import { stripeSession } from './objects.ts'

/** The page of the pool's where a checkout is paid in Stripe's frames. */
export const framePageOf = ({ subscription_id, return_url }: Checkout): string =>
  new URL(`${FRAME_PATH}${subscription_id}`, return_url).href

/** What shows Stripe's frames for a checkout that is open. Throws Declined where none is. */
export async function cardFrame(
  account: StripeAccount,
  { publishableKey }: StripeConfig,
  at: AtGateway,
): Promise<Frame> {
  if (!publishableKey) throw new Error('Embedded Stripe forms need STRIPE_PUBLISHABLE_KEY')
  const sessions = await findSessions(account, at, at)
  const open = sessions.find(({ status }) => status === 'open')
  // One that was started while cards were typed on Stripe's page has no secret.
  const client_secret = open && (await secretOf(account, open.id))
  if (!client_secret) throw new PaymentDeclinedError('This payment session has expired. You haven’t been charged.')
  return { publishable_key: publishableKey, client_secret }
}

/** A session retrieved by its id includes all its fields. */
const secretOf = async ({ stripe }: StripeAccount, id: string) =>
  stripeSession.parse(await stripe.checkout.sessions.retrieve(id)).client_secret
