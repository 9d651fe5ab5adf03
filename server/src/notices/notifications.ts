import type { notices as contract, ReplyOf } from '@dubplate/contract'
import type { Caller } from '../membership/caller.ts'
import type { Sql } from '../platform/db.ts'

type NotificationKind = contract.Notice['kind']

export type NewNotification = {
  customer_id: number
  kind: NotificationKind
  /** One sentence. */
  text: string
  /** The path of the page it links to: `/ticket/details/1042`. */
  address: string
  /** What it is about: `ticket 1042`. A member has at most one unread notification per subject, the newest. */
  about: string
}

/** Notifies a member, in the caller's transaction. */
export async function notify(
  sql: Sql,
  { customer_id, kind, text, address, about: subject }: NewNotification,
): Promise<void> {
  await sql`
    insert into notification (customer_id, kind, text, address, subject) values (${customer_id}, ${kind}, ${text}, ${address}, ${subject})
    on conflict (customer_id, subject) where read_at is null
    do update set kind = excluded.kind, text = excluded.text, address = excluded.address, created_at = excluded.created_at`
}

/** Marks the notification about a subject as read, because the member has seen it on its own page. */
export const markNotificationSeen = async (sql: Sql, customerId: number, subject: string): Promise<void> => {
  await sql`update notification set read_at = now() where customer_id = ${customerId} and subject = ${subject} and read_at is null`
}

/** Does the same for the caller, except in a “View as member” session of staff. */
export const markNotificationSeenBy = async (sql: Sql, member: Caller, subject: string): Promise<void> => {
  if (member.purpose !== 'viewer') await markNotificationSeen(sql, member.customer_id, subject)
}

const NOTIFICATIONS_PER_PAGE = 24

type NotificationRow = Omit<contract.Notice, 'created_at' | 'is_read'> & { created_at: Date; read_at: Date | null }

/** Returns one page of a member's notifications, newest first. */
export async function listNotifications(
  sql: Sql,
  customerId: number,
  page: number,
): Promise<ReplyOf<typeof contract.getNotices>> {
  const [rows, [counts]] = await Promise.all([
    sql<NotificationRow[]>`
      select notification_id, kind, text, address, created_at, read_at from notification where customer_id = ${customerId}
      order by created_at desc, notification_id desc limit ${NOTIFICATIONS_PER_PAGE} offset ${(page - 1) * NOTIFICATIONS_PER_PAGE}`,
    sql<{ total: number; unread: number }[]>`
      select count(*)::int as total, count(*) filter (where read_at is null)::int as unread
      from notification where customer_id = ${customerId}`,
  ])
  return {
    notices: rows.map(({ read_at, created_at, ...row }) => ({
      ...row,
      created_at: created_at.toISOString(),
      is_read: read_at !== null,
    })),
    unread: counts?.unread ?? 0,
    pagination: { page, perPageLimit: NOTIFICATIONS_PER_PAGE, totalCount: counts?.total ?? 0 },
  }
}

export async function countUnreadNotifications(sql: Sql, customerId: number): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from notification where customer_id = ${customerId} and read_at is null`
  return row?.n ?? 0
}

/** Marks these notifications as read, or all when `ids` is undefined. Returns how many are still unread. */
export async function markNotificationsRead(
  sql: Sql,
  customerId: number,
  ids: readonly number[] | undefined,
): Promise<number> {
  await sql`
    update notification set read_at = now() where customer_id = ${customerId} and read_at is null
      and ${ids ? sql`notification_id = any(${ids as number[]}::bigint[])` : sql`true`}`
  return countUnreadNotifications(sql, customerId)
}

/** Read notifications are deleted after this many days, unread ones after twice as many. */
const RETENTION_DAYS = 90

export async function sweepNotifications(sql: Sql): Promise<void> {
  await sql`
    delete from notification where read_at < now() - make_interval(days => ${RETENTION_DAYS})
      or created_at < now() - make_interval(days => ${2 * RETENTION_DAYS})`
}
