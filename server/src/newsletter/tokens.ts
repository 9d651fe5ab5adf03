import type { World } from '../world.ts'

type Signing = Pick<World, 'signing' | 'now'>

const CONFIRM = 'newsletter confirm'
const LEAVE = 'newsletter leave'

export const CONFIRM_MINUTES = 7 * 24 * 60

/** A link to leave is good for as long as somebody may find the mail it stands in. */
const NEVER = new Date(Date.UTC(9999, 0))

/** The token of the link that confirms an address: good for seven days. */
export const confirmToken = ({ signing, now }: Signing, subscriberId: number): string =>
  signing.sign(CONFIRM, [subscriberId], new Date(now().getTime() + CONFIRM_MINUTES * 60_000))

/** The token of the link every newsletter carries. */
export const leaveToken = ({ signing }: Pick<World, 'signing'>, subscriberId: number): string =>
  signing.sign(LEAVE, [subscriberId], NEVER)

/** Whose token it is. Refuses `invalid_link` and `link_expired`. */
export const openConfirmToken = ({ signing, now }: Signing, token: string): number =>
  Number(signing.open(CONFIRM, token, now())[0])

/** Whose token it is. Refuses `invalid_link`. */
export const openLeaveToken = ({ signing, now }: Signing, token: string): number =>
  Number(signing.open(LEAVE, token, now())[0])
