import type { AppContext } from '../app-context.ts'

type SigningContext = Pick<AppContext, 'signing' | 'now'>

const CONFIRM_PURPOSE = 'newsletter confirm'
const UNSUBSCRIBE_PURPOSE = 'newsletter leave'

export const CONFIRM_MINUTES = 7 * 24 * 60

/** A link to unsubscribe works as long as its email may be found. */
const NEVER_EXPIRES = new Date(Date.UTC(9999, 0))

/** Creates the token of the link that confirms an address; it is valid for seven days. */
export const createConfirmToken = ({ signing, now }: SigningContext, subscriberId: number): string =>
  signing.sign(CONFIRM_PURPOSE, [subscriberId], new Date(now().getTime() + CONFIRM_MINUTES * 60_000))

/** Creates the token of the link in every newsletter. */
export const createUnsubscribeToken = ({ signing }: Pick<AppContext, 'signing'>, subscriberId: number): string =>
  signing.sign(UNSUBSCRIBE_PURPOSE, [subscriberId], NEVER_EXPIRES)

/** Returns the subscriber id. Throws `invalid_link` and `link_expired`. */
export const parseConfirmToken = ({ signing, now }: SigningContext, token: string): number =>
  Number(signing.open(CONFIRM_PURPOSE, token, now())[0])

/** Returns the subscriber id. Throws `invalid_link`. */
export const parseUnsubscribeToken = ({ signing, now }: SigningContext, token: string): number =>
  Number(signing.open(UNSUBSCRIBE_PURPOSE, token, now())[0])
