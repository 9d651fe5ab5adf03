import type { notices as contract } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'

type Chosen = (typeof contract.CHOSEN_KINDS)[number]
export type Choices = Record<Chosen, boolean>

/** Which notices a member wants by mail as well: all, until they choose otherwise. */
export async function choicesOf(sql: Sql, customerId: number): Promise<Choices> {
  const rows = await sql<{ kind: Chosen; by_mail: boolean }[]>`
    select kind, by_mail from notice_choice where customer_id = ${customerId}`
  return { reply: true, upload: true, search: true, ...Object.fromEntries(rows.map((row) => [row.kind, row.by_mail])) }
}

export const wantsMail = async (sql: Sql, customerId: number, kind: Chosen): Promise<boolean> =>
  (await choicesOf(sql, customerId))[kind]

export async function saveChoices(sql: Sql, customerId: number, choices: Choices): Promise<Choices> {
  const rows = Object.entries(choices).map(([kind, by_mail]) => ({ customer_id: customerId, kind, by_mail }))
  await sql`
    insert into notice_choice ${sql(rows)}
    on conflict (customer_id, kind) do update set by_mail = excluded.by_mail`
  return choicesOf(sql, customerId)
}
