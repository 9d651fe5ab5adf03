import { isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { type Asker, admitDownload, downloadsAsStaff } from '../membership/asker.ts'
import type { Sql } from '../platform/db.ts'
import { addressOf } from '../platform/place.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'

/** A link ends so long after it was made, or after bytes were last sent by it: a transfer that broke off can go on. */
const LINK_HOURS = 1
/** However long its transfer takes. */
const LONGEST_LINK_HOURS = 12
const HOUR_MS = 3_600_000

type Kind = 'file' | 'bundle'

/** What is downloaded by a link. Staff downloads are of a version: they are not counted. */
export type Subject = { download_id: number } | { bundle_id: number } | { song_version_id: number }

type Caller = Pick<Asker, 'customer_id' | 'session_id'>

/** A signed address, bound to the member's session. What was sent by earlier links of the same download counts on. */
export async function makeLink(world: World, subject: Subject, caller: Caller, name: string): Promise<string> {
  const { sql } = world
  const { customer_id, session_id } = caller
  const [link] = await sql<{ link_id: number }[]>`
    with transfer as (
      insert into download_transfer ${sql({ ...subject, customer_id })}
      ${again(sql, subject)} returning transfer_id)
    insert into download_link (transfer_id) select transfer_id from transfer returning link_id`
  if (!link) throw new Error('A link was made, but the database gave no id.')
  const kind = 'bundle_id' in subject ? 'bundle' : 'file'
  const endsAt = new Date(world.now().getTime() + LONGEST_LINK_HOURS * HOUR_MS)
  const signed = world.signing.sign(purposeOf(kind), [link.link_id, session_id], endsAt)
  return `/${kind}s/${signed}/${encodeURIComponent(name)}`
}

const purposeOf = (kind: Kind): string => `${kind}-link`

function again(sql: Sql, subject: Subject) {
  if ('song_version_id' in subject) return sql``
  const column = 'bundle_id' in subject ? 'bundle_id' : 'download_id'
  return sql`on conflict (${sql(column)}) do update set customer_id = excluded.customer_id`
}

export type Link = {
  link_id: number
  customer_id: number
  download_id: number | null
  bundle_id: number | null
  song_version_id: number | null
  /** Of the exact bytes that were sent by it; null before its first request. */
  etag: string | null
}

type Row = Link &
  Pick<Asker, 'group_id' | 'payment_profile_status' | 'staff_role'> & {
    used_at: Date
    is_other_network: boolean
    is_session_open: boolean
  }

/**
 * What a link stands for. Refuses `invalid_link`, `link_expired` (also when its session has ended), `link_other_network`,
 * and what a download refuses: a member may have lost the right to it since the link was made.
 */
export async function openLink(world: World, kind: Kind, signed: string, request: FastifyRequest): Promise<Link> {
  const { sql } = world
  const now = world.now()
  const [linkId, sessionId] = world.signing.open(purposeOf(kind), signed, now).map(Number)
  if (linkId === undefined || sessionId === undefined)
    throw new Refusal('invalid_link', 'This link is incomplete. Copy the whole link and try again.')
  const { column, network } = networkOf(sql, request)
  const [link] = await sql<Row[]>`
    select l.link_id, t.customer_id, t.download_id, t.bundle_id, t.song_version_id, l.etag,
      coalesce(l.sent_at, l.made_at) as used_at, coalesce(l.${column} <> ${network}, false) as is_other_network,
      c.group_id, c.payment_profile_status, c.staff_role,
      exists (select 1 from session s where s.session_id = ${sessionId} and s.customer_id = t.customer_id
        and s.expires_at > ${now} and s.purpose = 'member' and c.status = 'active') as is_session_open
    from download_link l join download_transfer t using (transfer_id) join customer c using (customer_id)
    where l.link_id = ${linkId}`
  if (!link || now.getTime() - link.used_at.getTime() > LINK_HOURS * HOUR_MS)
    throw new Refusal('link_expired', 'This link has expired.')
  if (!link.is_session_open)
    throw new Refusal(
      'link_expired',
      'This link belongs to a session that has ended. Sign in and start the download again.',
    )
  admitDownload(link)
  if (link.song_version_id !== null && !downloadsAsStaff(link))
    throw new Refusal('link_expired', 'This link was made for a member of staff.')
  if (link.is_other_network) throw otherNetwork()
  return link
}

/** The network a request comes from, and the column of `download_link` for its family: a /24 of IPv4, a /64 of IPv6. */
export function networkOf(sql: Sql, request: Pick<FastifyRequest, 'ip'>) {
  const address = addressOf(request.ip)
  const isV4 = isIPv4(address)
  return {
    column: sql(isV4 ? 'network_v4' : 'network_v6'),
    network: sql`network(set_masklen(${address}::inet, ${isV4 ? 24 : 64}))`,
  }
}

export const otherNetwork = () =>
  new Refusal('link_other_network', 'A link works only on the network it was first used on.')

/** Refuses `link_outdated` where other bytes would be sent than by an earlier request: a resumed file would be corrupt. */
export function refuseOutdated({ etag: frozen }: Pick<Link, 'etag'>, etag: string): void {
  if (frozen !== null && frozen !== etag) throw outdated()
}

export const outdated = () =>
  new Refusal('link_outdated', 'What this link leads to has changed since its download began, so it can’t be resumed.')

/** A link whose transfer has completed is good for this long: a program may look at it again, nobody may hand it round. */
const MINUTES_AFTER_COMPLETION = 15

/** Refuses `link_expired` when what the link stands for has been fetched whole a while ago. */
export function refuseFetched(world: World, completedAt: Date | null): void {
  if (completedAt === null) return
  if (world.now().getTime() - completedAt.getTime() <= MINUTES_AFTER_COMPLETION * 60_000) return
  throw new Refusal('link_expired', 'This link has already been used. Start the download again.')
}
