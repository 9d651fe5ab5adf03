import type { notices as contract } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'

type ChoosableKind = (typeof contract.CHOSEN_KINDS)[number]
export type NotificationChoices = Record<ChoosableKind, boolean>

/** Returns which kinds of notifications a member also gets by email: all, until they choose otherwise. */
export async function getNotificationChoices(sql: Sql, customerId: number): Promise<NotificationChoices> {
  const rows = await sql<{ kind: ChoosableKind; by_email: boolean }[]>`
    select kind, by_email from notification_preference where customer_id = ${customerId}`
  return { reply: true, upload: true, search: true, ...Object.fromEntries(rows.map((row) => [row.kind, row.by_email])) }
}

export const wantsEmail = async (sql: Sql, customerId: number, kind: ChoosableKind): Promise<boolean> =>
  (await getNotificationChoices(sql, customerId))[kind]

export async function saveNotificationChoices(
  sql: Sql,
  customerId: number,
  choices: NotificationChoices,
): Promise<NotificationChoices> {
  const rows = Object.entries(choices).map(([kind, by_email]) => ({ customer_id: customerId, kind, by_email }))
  await sql`
    insert into notification_preference ${sql(rows)}
    on conflict (customer_id, kind) do update set by_email = excluded.by_email`
  return getNotificationChoices(sql, customerId)
}
