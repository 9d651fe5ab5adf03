import { members, type ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { readAgreement } from '../billing/agreement.ts'
import { findPlanLimits } from '../downloads/plan-limits.ts'
import { pictureUrl } from '../membership/profile.ts'
import { listSessions } from '../membership/sessions.ts'
import { findBounces } from '../platform/bounces.ts'
import type { Sql } from '../platform/db.ts'
import { stateOf } from '../uploads/song-state.ts'
import { getListedMember } from './member-list.ts'
import { listNotes } from './notes.ts'

type MemberPage = ReplyOf<typeof members.getMember>

const MAX_NEWEST = members.NEWEST_LIMIT
const MAX_AUDIT_ENTRIES = 10

/** Returns everything about one member. Throws `unknown_member`. */
export async function getMember(ctx: AppContext, customerId: number): Promise<MemberPage> {
  const { sql } = ctx
  const listedMember = await getListedMember(sql, customerId)
  const [profile, application, agreement, { sessions }, downloads, tickets, uploads, notes, auditEntries, groups] =
    await Promise.all([
      getProfile(sql, customerId),
      getApplication(sql, customerId),
      readAgreement(ctx, customerId),
      listSessions(sql, { customer_id: customerId, session_id: 0 }),
      getRecentDownloads(ctx, customerId),
      getRecentTickets(sql, customerId),
      getRecentUploads(ctx, customerId),
      listNotes(sql, customerId),
      listRecentAuditEntries(sql, customerId),
      sql<MemberPage['groups']>`select group_id, name from customer_group order by group_id`,
    ])
  const member = { ...listedMember, ...profile, application, bounces: await findBounces(sql, listedMember.email) }
  return { member, agreement, sessions, downloads, tickets, uploads, notes, audit_entries: auditEntries, groups }
}

type MemberProfile = Pick<
  MemberPage['member'],
  'name' | 'telephone' | 'address' | 'profile_picture' | 'has_two_factor' | 'has_password'
>

async function getProfile(sql: Sql, customerId: number): Promise<MemberProfile> {
  const [row] = await sql<MemberProfile[]>`
    select trim(firstname || ' ' || lastname) as name, telephone, profile_picture, password_hash <> '!' as has_password,
      concat_ws(', ', nullif(street, ''), nullif(trim(postcode || ' ' || city), ''), nullif(region_id, ''),
        nullif(country_id, '')) as address,
      exists (select 1 from totp t where t.customer_id = c.customer_id and t.confirmed_at is not null) as has_two_factor
    from customer c where customer_id = ${customerId}`
  if (!row) throw new Error('The member was deleted while the page was loading.')
  return { ...row, profile_picture: pictureUrl(row.profile_picture) }
}

type MemberApplication = NonNullable<MemberPage['member']['application']>

async function getApplication(sql: Sql, customerId: number): Promise<MemberApplication | null> {
  const [row] = await sql<
    (Omit<MemberApplication, 'applied_at' | 'decided_at'> & { applied_at: Date; decided_at: Date | null })[]
  >`
    select a.state, a.referred_by, a.dj_website, a.comment, a.reason, a.note, a.applied_at, a.decided_at,
      by.dj_name as decided_by
    from dj_application a left join customer by on by.customer_id = a.decided_by where a.customer_id = ${customerId}`
  return row
    ? { ...row, applied_at: row.applied_at.toISOString(), decided_at: row.decided_at?.toISOString() ?? null }
    : null
}

type DownloadRow = Omit<MemberPage['downloads']['newest'][number], 'at' | 'limit'> & { at: Date }

async function getRecentDownloads(ctx: AppContext, customerId: number): Promise<MemberPage['downloads']> {
  const { sql } = ctx
  const [[counts], rows, { limit }] = await Promise.all([
    sql<{ total: number; lately: number }[]>`
      select count(*)::int as total, count(*) filter (where at > now() - interval '30 days')::int as lately
      from download where customer_id = ${customerId} and refunded_at is null and not free`,
    sql<DownloadRow[]>`
      select d.download_id, d.entity_id, d.song_version_id, s.title, s.artist, v.version_label, d.at,
        coalesce(g.used, 0) as used
      from download d join song s on s.entity_id = d.entity_id join song_version v using (song_version_id)
        left join download_grant g on g.customer_id = d.customer_id and g.song_version_id = d.song_version_id
      where d.customer_id = ${customerId} and d.refunded_at is null and not d.free
      order by d.at desc, d.download_id desc limit ${MAX_NEWEST}`,
    findPlanLimits(ctx, { customer_id: customerId, staff_role: null }),
  ])
  const newest = rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString(), limit }))
  return { total: counts?.total ?? 0, lately: counts?.lately ?? 0, newest }
}

type TicketRow = Omit<MemberPage['tickets']['newest'][number], 'modified_at'> & { modified_at: Date }

async function getRecentTickets(sql: Sql, customerId: number): Promise<MemberPage['tickets']> {
  const [[counts], rows] = await Promise.all([
    sql<{ open: number; total: number }[]>`
      select count(*) filter (where status = 'open')::int as open, count(*)::int as total
      from ticket where customer_id = ${customerId}`,
    sql<TicketRow[]>`
      select ticket_number, subject, status, modified_at from ticket where customer_id = ${customerId}
      order by modified_at desc, ticket_number desc limit ${MAX_NEWEST}`,
  ])
  const newest = rows.map((row) => ({ ...row, modified_at: row.modified_at.toISOString() }))
  return { open: counts?.open ?? 0, total: counts?.total ?? 0, newest }
}

type UploadRow = Omit<MemberPage['uploads']['newest'][number], 'created_at'> & { created_at: Date }

async function getRecentUploads({ sql, now }: AppContext, customerId: number): Promise<MemberPage['uploads']> {
  const [[counts], rows] = await Promise.all([
    sql<{ files: number; songs: number }[]>`
      select
        (select count(*)::int from upload u where u.customer_id = ${customerId} and u.removed_at is null
          and not exists (select 1 from upload_version v where v.upload_id = u.upload_id)) as files,
        (select count(*)::int from upload_song s where s.customer_id = ${customerId} and s.deleted_at is null) as songs`,
    sql<UploadRow[]>`
      select s.upload_song_id, s.title, s.artist, ${stateOf(sql, now())} as status, s.created_at from upload_song s
      where s.customer_id = ${customerId} and s.deleted_at is null order by s.upload_song_id desc limit ${MAX_NEWEST}`,
  ])
  const newest = rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
  return { files: counts?.files ?? 0, songs: counts?.songs ?? 0, newest }
}

async function listRecentAuditEntries(sql: Sql, customerId: number): Promise<MemberPage['audit_entries']> {
  const rows = await sql<{ audit_id: number; at: Date; action: string; by: string }[]>`
    select a.audit_id, a.at, a.action, coalesce(c.dj_name, '') as by
    from audit a left join customer c on c.customer_id = a.staff_id
    where a.subject = ${`customer ${customerId}`} order by a.audit_id desc limit ${MAX_AUDIT_ENTRIES}`
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}
