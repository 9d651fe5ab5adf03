import { isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { ConversionFormat } from '../analysis/conversion/formats.ts'
import type { AppContext } from '../app-context.ts'
import type { DownloadProfile } from '../booth/profiles.ts'
import { type Caller, canDownloadAsStaff, requireDownloadAccess } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import { addressOf } from '../platform/client-network.ts'
import type { Sql } from '../platform/db.ts'
import { type Grant, type GrantParams, grantColumns, grantedDownload } from './grants.ts'

/** A link expires this long after it was created or last sent bytes, so that an interrupted transfer can be resumed. */
const LINK_HOURS = 1
/** The maximum age of a link, however long its transfer takes. */
const MAX_LINK_HOURS = 12
const HOUR_MS = 3_600_000

type LinkKind = 'file' | 'bundle'

/** What a link downloads. Links for staff are to a version, because their downloads are not counted. */
type LinkTarget = { download_id: number } | { bundle_id: number } | { song_version_id: number }

export type LinkOptions = { name: string } & Partial<Pick<Link, 'format' | 'profile'>>

type LinkOwner = Pick<Caller, 'customer_id' | 'session_id'>

/** Returns a signed URL bound to the member's session. Bytes sent by earlier links to the same download still count. */
export async function makeLink(
  ctx: AppContext,
  linkTarget: LinkTarget,
  linkOwner: LinkOwner,
  { name, format = null, profile = null }: LinkOptions,
): Promise<string> {
  const { sql } = ctx
  const { customer_id, session_id } = linkOwner
  const [link] = await sql<{ link_id: number }[]>`
    with transfer as (
      insert into download_transfer ${sql({ ...linkTarget, customer_id })}
      ${reuseTransfer(sql, linkTarget)} returning transfer_id)
    insert into download_link (transfer_id, format, profile)
    select transfer_id, ${format}, ${profileValue(sql, profile)} from transfer returning link_id`
  if (!link) throw new Error('Download link insert returned no id')
  return signLink(ctx, { ...link, session_id, name, kind: 'bundle_id' in linkTarget ? 'bundle' : 'file' })
}

/** Counts a download as `grantDownload` does and adds a link to it, in one statement: a second one would take a second commit. */
export async function grantLink(
  sql: Sql,
  params: GrantParams,
  { format, profile }: Pick<Link, 'format' | 'profile'>,
): Promise<(Grant & { link_id: number }) | undefined> {
  const [grant] = await sql<(Grant & { link_id: number })[]>`
    with ${grantedDownload(sql, params)},
    transfer as (
      insert into download_transfer (download_id, customer_id) select open_download_id, ${params.customer_id} from granted
      on conflict (download_id) do update set customer_id = excluded.customer_id returning transfer_id),
    link as (
      insert into download_link (transfer_id, format, profile)
      select transfer_id, ${format}, ${profileValue(sql, profile)} from transfer returning link_id)
    select ${grantColumns(sql)}, link_id from granted, link`
  return grant
}

const profileValue = (sql: Sql, profile: DownloadProfile | null) =>
  sql`${profile === null ? null : sql.json(profile)}::jsonb`

type SignedLink = { kind: LinkKind; link_id: number; session_id: number; name: string }

/** Returns the URL of a link, which is valid for the session it was made in. */
export function signLink(ctx: AppContext, { kind, link_id, session_id, name }: SignedLink): string {
  const endsAt = new Date(ctx.now().getTime() + MAX_LINK_HOURS * HOUR_MS)
  const signed = ctx.signing.sign(purposeOf(kind), [link_id, session_id], endsAt)
  return `/${kind}s/${signed}/${encodeURIComponent(name)}`
}

const purposeOf = (kind: LinkKind): string => `${kind}-link`

function reuseTransfer(sql: Sql, linkTarget: LinkTarget) {
  if ('song_version_id' in linkTarget) return sql``
  const column = 'bundle_id' in linkTarget ? 'bundle_id' : 'download_id'
  return sql`on conflict (${sql(column)}) do update set customer_id = excluded.customer_id`
}

export type Link = {
  link_id: number
  customer_id: number
  download_id: number | null
  bundle_id: number | null
  song_version_id: number | null
  /** What the file is converted to; null for the original. */
  format: ConversionFormat | null
  /** How the file is named and tagged; null for the pool's way, and for a zip, which has its own. */
  profile: DownloadProfile | null
  /** The etag of the bytes sent by this link; null before its first request. */
  etag: string | null
}

type LinkRow = Link &
  Pick<Caller, 'group_id' | 'payment_profile_status' | 'staff_role'> & {
    used_at: Date
    is_other_network: boolean
    is_session_open: boolean
  }

/**
 * Returns what a link is for. Throws `invalid_link`, `link_expired` (also when its session has ended),
 * `link_other_network`, and the errors of `requireDownloadAccess`: a member may have lost access since the link was
 * created.
 */
export async function openLink(
  ctx: AppContext,
  kind: LinkKind,
  signed: string,
  request: FastifyRequest,
): Promise<Link> {
  const { sql } = ctx
  const now = ctx.now()
  const [linkId, sessionId] = ctx.signing.open(purposeOf(kind), signed, now).map(Number)
  if (linkId === undefined || sessionId === undefined)
    throw new ApiError('invalid_link', 'This link is incomplete. Copy the whole link and try again.')
  const { column, network } = networkOf(sql, request)
  const [link] = await sql<LinkRow[]>`
    select l.link_id, t.customer_id, t.download_id, t.bundle_id, t.song_version_id, l.format, l.profile, l.etag,
      coalesce(l.sent_at, l.created_at) as used_at, coalesce(l.${column} <> ${network}, false) as is_other_network,
      c.group_id, c.payment_profile_status, c.staff_role,
      exists (select 1 from session s where s.session_id = ${sessionId} and s.customer_id = t.customer_id
        and s.expires_at > ${now} and s.purpose = 'member' and c.status = 'active') as is_session_open
    from download_link l join download_transfer t using (transfer_id) join customer c using (customer_id)
    where l.link_id = ${linkId}`
  if (!link || now.getTime() - link.used_at.getTime() > LINK_HOURS * HOUR_MS)
    throw new ApiError('link_expired', 'This link has expired.')
  if (!link.is_session_open)
    throw new ApiError(
      'link_expired',
      'This link belongs to a session that has ended. Sign in and start the download again.',
    )
  requireDownloadAccess(link)
  if (link.song_version_id !== null && !canDownloadAsStaff(link))
    throw new ApiError('link_expired', 'This link was created for a staff member.')
  if (link.is_other_network) throw otherNetworkError()
  return link
}

/** The network of a request, and the column of `download_link` for its family: a /24 for IPv4, a /64 for IPv6. */
export function networkOf(sql: Sql, request: Pick<FastifyRequest, 'ip'>) {
  const address = addressOf(request.ip)
  const isV4 = isIPv4(address)
  return {
    column: sql(isV4 ? 'network_v4' : 'network_v6'),
    network: sql`network(set_masklen(${address}::inet, ${isV4 ? 24 : 64}))`,
  }
}

export const otherNetworkError = () =>
  new ApiError('link_other_network', 'A download link only works on the network it was first used on.')

/** Throws `link_outdated` when an earlier request was sent other bytes: a resumed file would be corrupt. */
export function rejectOutdated({ etag: linkedEtag }: Pick<Link, 'etag'>, etag: string): void {
  if (linkedEtag !== null && linkedEtag !== etag) throw outdatedError()
}

export const outdatedError = () =>
  new ApiError('link_outdated', 'The file has changed since this download started, so it can’t be resumed.')

/**
 * How long a link stays valid after its transfer has completed: a program may request it again, but it cannot be
 * shared.
 */
const COMPLETED_LINK_MINUTES = 15

/** Throws `link_expired` when the content of the link was completely downloaded longer ago than that. */
export function rejectFetched(ctx: AppContext, completedAt: Date | null): void {
  if (completedAt === null) return
  if (ctx.now().getTime() - completedAt.getTime() <= COMPLETED_LINK_MINUTES * 60_000) return
  throw new ApiError('link_expired', 'This link has already been used. Start the download again.')
}
