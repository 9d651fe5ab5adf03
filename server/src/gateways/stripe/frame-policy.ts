import type { ExtraPagePolicy } from '../../platform/web-files.ts'

/** The path prefix of the pool's pages that show Stripe's frames. */
export const FRAME_PATH = '/subscription/card/'

const SCRIPT_SOURCES = ['https://js.stripe.com', 'https://*.js.stripe.com']
const FRAME_SOURCES = [...SCRIPT_SOURCES, 'https://hooks.stripe.com']

/** What Stripe.js needs on its page: docs.stripe.com/security/guide#content-security-policy. */
export const FRAME_POLICY: ExtraPagePolicy = {
  pathPrefix: FRAME_PATH,
  scriptOrigins: SCRIPT_SOURCES,
  frameOrigins: FRAME_SOURCES,
  connectOrigins: ['https://api.stripe.com'],
  // Wallets run in Stripe's frames, and in a Google window that one of them opens.
  paymentOrigins: FRAME_SOURCES,
  allowsPopups: true,
}
