import type { Endpoint } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { accessRules, authorize, type Caller, findSessionCaller } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'

/** Files staff download by a signed URL that expires with their session, and after 15 minutes. */

const LINK_MINUTES = 15

/** The signing purpose, and the endpoint that returns the link. */
export type FileKind = { purpose: string; call: Endpoint }

/** Returns a file's URL, which contains its parameters. */
export function fileLink(
  { signing, now }: Pick<AppContext, 'signing' | 'now'>,
  { session_id }: Pick<Caller, 'session_id'>,
  { kind: { purpose }, wanted: selection, file }: { kind: FileKind; wanted: object; file: string },
): { url: string; file: string } {
  const endsAt = new Date(now().getTime() + LINK_MINUTES * 60_000)
  const text = Buffer.from(JSON.stringify(selection)).toString('base64url')
  return { url: `/exports/${purpose}/${signing.sign(purpose, [session_id, text], endsAt)}/${file}`, file }
}

/**
 * Throws `invalid_link`, `link_expired` (also if its session has ended), and the errors of the endpoint's access check.
 */
export async function parseFileLink<T>(
  ctx: AppContext,
  { purpose, call }: FileKind,
  signed: string,
): Promise<{ staff: Caller; wanted: T }> {
  const [sessionId, selection = ''] = ctx.signing.open(purpose, signed, ctx.now())
  const staff = await findSessionCaller(ctx, Number(sessionId)).catch((error) => {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError('link_expired', 'This link belongs to a session that has ended. Sign in again.')
  })
  authorize(call, staff, accessRules(ctx))
  return { staff, wanted: JSON.parse(Buffer.from(selection, 'base64url').toString()) as T }
}

/** Sent with every such file: prevents caching and content sniffing. */
export const FILE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-disposition': 'attachment',
}

/** Enough for an hour of bookkeeping. */
export const FILE_RATE_LIMIT = { config: { rateLimit: { max: 12, timeWindow: '1 minute' } } }
