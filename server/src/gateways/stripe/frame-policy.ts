import type { WiderPages } from '../../platform/web-files.ts'

/** Where the pages of the pool's begin that show Stripe's frames. */
export const FRAME_PAGES = '/subscription/card/'

const SCRIPTS = ['https://js.stripe.com', 'https://*.js.stripe.com']
const FRAMES = [...SCRIPTS, 'https://hooks.stripe.com']

/** What Stripe.js needs on its page: docs.stripe.com/security/guide#content-security-policy. */
export const FRAME_POLICY: WiderPages = {
  under: FRAME_PAGES,
  scripts: SCRIPTS,
  frames: FRAMES,
  connections: ['https://api.stripe.com'],
  // Wallets: in Stripe's frames, and in a window of Google's that one of those opens.
  mayPay: FRAMES,
  opensWindows: true,
}
