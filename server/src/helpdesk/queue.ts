import { type ParsedInputOf, type ReplyOf, support } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { prefixQuery, rowsOfMembers } from '../membership/member-search.ts'
import { fieldError, throwAllErrors } from '../platform/api-error.ts'
import { countPages, countUpTo } from '../platform/count-up-to.ts'
import type { Sql, SqlFragment } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import type { Viewer } from './files.ts'
import { listReplies } from './replies.ts'
import { buildTicketPage } from './ticket-page.ts'
import { createWatchUrl } from './ticket-stream.ts'
import {
  findTicket,
  rejectUnknown,
  setStatus,
  type TicketRow,
  ticketColumns,
  ticketTables,
  toTicket,
  unknownTicketError,
} from './tickets.ts'

/** The help desk for staff. */

type QueueRow = TicketRow & {
  customer_id: number
  dj_name: string
  email: string
  payment_profile_status: 'paid' | 'unpaid'
  colleague_id: number | null
  colleague: string | null
  waiting_since: Date
  is_overdue: boolean
}

const isOverdue = (sql: Sql) =>
  sql`(t.status = 'open' and t.awaiting_reply_from = 'staff' and t.waiting_since < now() - make_interval(hours => p.reply_hours))`

const queueRows = (sql: Sql) => sql`
  select ${ticketColumns(sql)}, c.customer_id, c.dj_name, c.email, c.payment_profile_status,
    a.customer_id as colleague_id, a.dj_name as colleague, t.waiting_since, ${isOverdue(sql)} as is_overdue
  from ${ticketTables(sql)} join customer c on c.customer_id = t.customer_id
    left join customer a on a.customer_id = t.assigned_to and a.status <> 'deleted'`

function toQueuedTicket(row: QueueRow): support.QueuedTicket {
  const { customer_id, dj_name, email, payment_profile_status, colleague_id, colleague, waiting_since, ...ticket } = row
  return {
    ...toTicket(ticket),
    is_overdue: ticket.is_overdue,
    customer: { customer_id, dj_name, email, payment_profile_status },
    assigned_to: colleague_id === null ? null : { customer_id: colleague_id, dj_name: colleague ?? '' },
    waiting_since: waiting_since.toISOString(),
  }
}

type QueueState = (typeof support.QUEUE_STATES)[number]

const stateCondition = (sql: Sql, state: QueueState) =>
  ({
    waiting: sql`t.status = 'open' and t.awaiting_reply_from = 'staff'`,
    answered: sql`t.status = 'open' and t.awaiting_reply_from = 'customer'`,
    close: sql`t.status = 'close'`,
    all: sql`true`,
  })[state]

/**
 * Tickets with this number, whose subject has words that begin with all words of the search, or of the members it names.
 * A search without words is looked for in subjects as it is. In an object because a promise of a fragment would run it.
 */
async function searchCondition(sql: Sql, search: string): Promise<{ where: SqlFragment }> {
  if (search === '') return { where: sql`true` }
  const number = /^#?(\d{1,15})$/.exec(search)?.[1]
  const query = prefixQuery(search)
  const inSubject =
    query === ''
      ? sql`t.subject like ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`
      : sql`to_tsvector('simple', t.subject) @@ to_tsquery('simple', ${query})`
  const ofMembers = (await rowsOfMembers(sql, search))(sql`t.customer_id`)
  return { where: sql`(t.ticket_number = ${number ? Number(number) : 0} or ${inSubject} or ${ofMembers})` }
}

/** Returns one page of the queue, and the number of tickets in each state. */
export async function listQueue(
  sql: Sql,
  staffId: number,
  { state, search, mine, page }: ParsedInputOf<typeof support.getQueue>,
): Promise<ReplyOf<typeof support.getQueue>> {
  const { where: matching } = await searchCondition(sql, search)
  const where = sql`${stateCondition(sql, state)} and ${matching}
    and ${mine ? sql`t.assigned_to = ${staffId}` : sql`true`}`
  const order =
    state === 'waiting' ? sql`${isOverdue(sql)} desc, p.position desc, t.waiting_since` : sql`t.modified_at desc`
  const limit = support.QUEUE_PER_PAGE
  const [rows, count, counts, response_times] = await Promise.all([
    // The page is selected before other tables are joined.
    sql<QueueRow[]>`
      ${queueRows(sql)} where t.ticket_number in (
        select t.ticket_number from ticket t ${state === 'waiting' ? sql`join priority p using (priority_id)` : sql``}
        where ${where} order by ${order}, t.ticket_number limit ${limit} offset ${(page - 1) * limit})
      order by ${order}, t.ticket_number`,
    countPages(sql, sql`select 1 from ticket t where ${where}`),
    countQueue(sql),
    getResponseTimes(sql),
  ])
  return {
    tickets: rows.map(toQueuedTicket),
    ...{ counts, response_times },
    pagination: { page, perPageLimit: limit, ...count },
  }
}

type Counts = ReplyOf<typeof support.getQueue>['counts']

/** The number of tickets in each state, up to MAX_COUNTED_ROWS. */
async function countQueue(sql: Sql): Promise<Counts> {
  const countIn = (state: QueueState) => countUpTo(sql, sql`select 1 from ticket t where ${stateCondition(sql, state)}`)
  const [waiting, answered, close, all, late] = await Promise.all([
    countIn('waiting'),
    countIn('answered'),
    countIn('close'),
    countIn('all'),
    countUpTo(sql, sql`select 1 from ticket t join priority p using (priority_id) where ${isOverdue(sql)}`),
  ])
  return { waiting, answered, close, all, late }
}

type WaitStats = { waiting: number; since: Date | null; late: number; late_since: Date | null }

/** Returns how many tickets wait for staff, how many of them are overdue, and since when the oldest waits. */
export async function getWaitStats(sql: Sql): Promise<WaitStats> {
  const [waitStats] = await sql<WaitStats[]>`
    select count(*)::int as waiting, min(waiting_since) as since, count(*) filter (where ${isOverdue(sql)})::int as late,
      min(waiting_since) filter (where ${isOverdue(sql)}) as late_since
    from ticket t join priority p using (priority_id) where ${stateCondition(sql, 'waiting')}`
  return waitStats ?? { waiting: 0, since: null, late: 0, late_since: null }
}

const REPLY_TIME_WINDOW_DAYS = 30

type ResponseTimes = ReplyOf<typeof support.getQueue>['response_times']

/** Returns the median wait of the tickets that wait, and the median time to the first answer of the last 30 days. */
async function getResponseTimes(sql: Sql): Promise<ResponseTimes> {
  const [responseTimes] = await sql<ResponseTimes[]>`
    select (
        select percentile_cont(0.5) within group (order by extract(epoch from now() - waiting_since))
        from ticket t where ${stateCondition(sql, 'waiting')}) as median_seconds,
      (select percentile_cont(0.5) within group (order by extract(epoch from first_reply_at - created_at))
        from ticket where first_reply_at > now() - make_interval(days => ${REPLY_TIME_WINDOW_DAYS})) as first_reply_seconds`
  return responseTimes ?? { median_seconds: null, first_reply_seconds: null }
}

/** Counts the open tickets that wait for staff. */
export async function countWaiting(sql: Sql): Promise<number> {
  const [row] = await sql<
    { n: number }[]
  >`select count(*)::int as n from ticket t where ${stateCondition(sql, 'waiting')}`
  return row?.n ?? 0
}

/** Throws `unknown_ticket`. */
export async function getQueuedTicket(sql: Sql, ticketNumber: number): Promise<support.QueuedTicket> {
  const [row] = await sql<QueueRow[]>`${queueRows(sql)} where t.ticket_number = ${ticketNumber}`
  if (!row) throw unknownTicketError()
  return toQueuedTicket(row)
}

/** Returns a ticket with a page of its replies, as staff see it. Throws `unknown_ticket`. */
export async function getTicketForStaff(
  ctx: AppContext,
  viewer: Viewer,
  { ticket_number, page }: ParsedInputOf<typeof support.getTicket>,
): Promise<ReplyOf<typeof support.getTicket>> {
  const { sql } = ctx
  const row = await findTicket(sql, ticket_number)
  const { replies, pagination } = await listReplies(ctx, viewer, { ticket_number, page, pageLimit: 10 })
  return {
    ticket: { ...(await buildTicketPage(ctx, viewer, row)), ...(await getQueuedTicket(sql, ticket_number)) },
    replies,
    pagination,
    watch_url: createWatchUrl(ctx, viewer, row),
    rejected_mail: await listRejectedMail(sql, ticket_number),
  }
}

const MAX_REJECTED_SHOWN = 20

type RejectedMail = { verdict: string; from: string; detail: string; received_at: Date }

async function listRejectedMail(sql: Sql, ticketNumber: number) {
  const rows = await sql<RejectedMail[]>`
    select verdict, from_address as "from", detail, received_at from inbound_mail
    where ticket_number = ${ticketNumber} and verdict not in ('reply', 'duplicate')
    order by received_at desc limit ${MAX_REJECTED_SHOWN}`
  return rows.map((row) => ({ ...row, received_at: row.received_at.toISOString() }))
}

/** Returns the staff who answer tickets. */
export const listColleagues = async (sql: Sql) => sql<{ customer_id: number; dj_name: string }[]>`
  select customer_id, dj_name from customer where staff_role in ('support', 'admin') and status = 'active'
  order by lower(dj_name), customer_id`

type TicketAssignment = Pick<
  ParsedInputOf<typeof support.changeTicket>,
  'department_id' | 'priority_id' | 'assigned_to'
>

/** Throws `unknown_department`, `unknown_priority` and `staff_member_required`. */
async function rejectUnknownAssignment(
  sql: Sql,
  { department_id, priority_id, assigned_to }: TicketAssignment,
): Promise<void> {
  await throwAllErrors([
    () => rejectUnknown(sql, { department_id, priority_id }),
    async () => {
      if (!assigned_to || (await listColleagues(sql)).some(({ customer_id }) => customer_id === assigned_to)) return
      throw fieldError(
        'staff_member_required',
        'assigned_to',
        'Tickets can’t be assigned to this person. Choose someone else.',
      )
    },
  ])
}

/** Runs the same checks while other fields of the change are invalid. */
export function checkTicketChange(sql: Sql, changes: { [name in keyof TicketAssignment]?: unknown }): Promise<void> {
  const { department_id, priority_id, assigned_to } = support.changeTicket.input.shape
  return rejectUnknownAssignment(sql, {
    department_id: parsed(department_id, changes.department_id),
    priority_id: parsed(priority_id, changes.priority_id),
    assigned_to: parsed(assigned_to, changes.assigned_to),
  })
}

/**
 * Changes a ticket, in the caller's transaction. Throws `unknown_ticket`, `unknown_department`, `unknown_priority`,
 * `staff_member_required`.
 */
export async function changeTicket(sql: Sql, change: ParsedInputOf<typeof support.changeTicket>): Promise<void> {
  const { ticket_number, status, assigned_to, department_id, priority_id } = change
  await rejectUnknownAssignment(sql, { department_id, priority_id, assigned_to })
  const [found] = await sql`
    update ticket set department_id = coalesce(${department_id ?? null}::int, department_id),
      priority_id = coalesce(${priority_id ?? null}::int, priority_id),
      assigned_to = ${assigned_to === undefined ? sql`assigned_to` : assigned_to || null}, modified_at = now()
    where ticket_number = ${ticket_number} returning 1`
  if (!found) throw unknownTicketError()
  if (status) await setStatus(sql, ticket_number, status)
}
