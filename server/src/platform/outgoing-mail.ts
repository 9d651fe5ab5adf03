import type { staff } from '@dubplate/contract'
import { ApiError } from './api-error.ts'
import { countPages, countUpTo } from './count-up-to.ts'
import type { Sql } from './db.ts'
import { EMPTY_QUEUE, type QueueLength } from './job-queue.ts'

type Mail = staff.OutgoingMail
type MailFilter = (typeof staff.MAIL_FILTERS)[number]

type MailRow = Omit<Mail, 'created_at' | 'sent_at'> & { created_at: Date; sent_at: Date | null }

const PAGE_SIZE = 50

const toMail = ({ created_at, sent_at, ...row }: MailRow): Mail => ({
  ...row,
  created_at: created_at.toISOString(),
  sent_at: sent_at?.toISOString() ?? null,
})

const columns = (
  sql: Sql,
) => sql`mail_id, to_address as "to", subject, state, attempts, last_error, bounce_kind, bounce_detail,
  created_at, sent_at`

/** Counts the emails in each state, up to MAX_COUNTED_ROWS; bounced ones are also counted as sent. */
export async function countMail(sql: Sql): Promise<Record<MailFilter, number>> {
  const countIn = (state: MailFilter) =>
    countUpTo(sql, sql`select 1 from outgoing_mail where ${filterCondition(sql, state)}`)
  const [waiting, sent, failed, bounced] = await Promise.all([
    countIn('waiting'),
    countIn('sent'),
    countIn('failed'),
    countIn('bounced'),
  ])
  return { waiting, sent, failed, bounced }
}

/** Counts the emails that were not sent. */
export async function measureMailQueue(sql: Sql): Promise<QueueLength> {
  const [length] = await sql<QueueLength[]>`
    select count(*) filter (where state = 'waiting')::int as waiting, 0 as running,
      count(*) filter (where state = 'failed')::int as failed,
      min(created_at) filter (where state = 'waiting') as waiting_since
    from outgoing_mail where state in ('waiting', 'failed')`
  return length ?? EMPTY_QUEUE
}

const filterCondition = (sql: Sql, state: MailFilter | undefined) =>
  state === 'bounced' ? sql`bounced_at is not null` : state ? sql`state = ${state}` : sql`true`

/** Returns one page of the emails in a state (in every state if undefined), newest first. */
export async function listMail(sql: Sql, { state, page }: { state?: MailFilter | undefined; page: number }) {
  const where = filterCondition(sql, state)
  const [rows, counts, count] = await Promise.all([
    sql<MailRow[]>`
      select ${columns(sql)} from outgoing_mail where ${where}
      order by mail_id desc limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`,
    countMail(sql),
    countPages(sql, sql`select 1 from outgoing_mail where ${where}`),
  ])
  return { mails: rows.map(toMail), counts, pagination: { page, perPageLimit: PAGE_SIZE, ...count } }
}

/** Throws `unknown_email`. */
export async function readMail(sql: Sql, mailId: number): Promise<Mail & { text: string }> {
  const [row] = await sql<(MailRow & { text: string })[]>`
    select ${columns(sql)}, body as text from outgoing_mail where mail_id = ${mailId}`
  if (!row) throw new ApiError('unknown_email', 'Email not found. Old emails are deleted automatically.')
  const { text, ...mail } = row
  return { ...toMail(mail), text }
}
