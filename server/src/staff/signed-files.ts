import type { Endpoint } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { accessRules, authorize, type Caller, findAskerOf } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'

/** Files staff fetch by a signed address that ends with their session, and after a quarter of an hour. */

const LINK_MINUTES = 15

/** What an address is signed for, and the call that hands it out. */
export type FileKind = { purpose: string; call: Endpoint }

/** The address of a file; what is wanted goes along in it. */
export function fileLink(
  { signing, now }: Pick<AppContext, 'signing' | 'now'>,
  { session_id }: Pick<Caller, 'session_id'>,
  { kind: { purpose }, wanted: selection, file }: { kind: FileKind; wanted: object; file: string },
): { url: string; file: string } {
  const endsAt = new Date(now().getTime() + LINK_MINUTES * 60_000)
  const text = Buffer.from(JSON.stringify(selection)).toString('base64url')
  return { url: `/exports/${purpose}/${signing.sign(purpose, [session_id, text], endsAt)}/${file}`, file }
}

/** Refuses `invalid_link`, `link_expired` (also when its session has ended), and what the call itself refuses. */
export async function parseFileLink<T>(
  ctx: AppContext,
  { purpose, call }: FileKind,
  signed: string,
): Promise<{ staff: Caller; wanted: T }> {
  const [sessionId, selection = ''] = ctx.signing.open(purpose, signed, ctx.now())
  const staff = await findAskerOf(ctx, Number(sessionId)).catch((error) => {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError('link_expired', 'This link belongs to a session that has ended. Sign in again.')
  })
  authorize(call, staff, accessRules(ctx))
  return { staff, wanted: JSON.parse(Buffer.from(selection, 'base64url').toString()) as T }
}

/** On every such file: nobody keeps it, and nobody guesses what it is. */
export const FILE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-disposition': 'attachment',
}

/** An hour of bookkeeping needs no more. */
export const FILE_RATE_LIMIT = { config: { rateLimit: { max: 12, timeWindow: '1 minute' } } }
