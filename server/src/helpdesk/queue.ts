import { type ParsedInputOf, type ReplyOf, support } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parsed.ts'
import { fieldRefusal, refuseTogether } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import type { Viewer } from './files.ts'
import { listReplies } from './replies.ts'
import { showTicket } from './ticket-page.ts'
import {
  asTicket,
  findTicket,
  refuseUnknown,
  setStatus,
  type TicketRow,
  ticketColumns,
  ticketTables,
  unknownTicket,
} from './tickets.ts'
import { watchAddress } from './watch.ts'

/** The help desk from the side of staff. */

type Row = TicketRow & {
  customer_id: number
  dj_name: string
  email: string
  payment_profile_status: 'paid' | 'unpaid'
  colleague_id: number | null
  colleague: string | null
  waits_since: Date
  is_late: boolean
}

const isLate = (sql: Sql) =>
  sql`(t.status = 'open' and t.waits_for = 'staff' and t.waits_since < now() - make_interval(hours => p.answer_hours))`

const rowsOf = (sql: Sql) => sql`
  select ${ticketColumns(sql)}, c.customer_id, c.dj_name, c.email, c.payment_profile_status,
    a.customer_id as colleague_id, a.dj_name as colleague, t.waits_since, ${isLate(sql)} as is_late
  from ${ticketTables(sql)} join customer c on c.customer_id = t.customer_id
    left join customer a on a.customer_id = t.assigned_to and a.status <> 'deleted'`

function asQueued(row: Row): support.QueuedTicket {
  const { customer_id, dj_name, email, payment_profile_status, colleague_id, colleague, waits_since, ...ticket } = row
  return {
    ...asTicket(ticket),
    is_late: ticket.is_late,
    customer: { customer_id, dj_name, email, payment_profile_status },
    assigned_to: colleague_id === null ? null : { customer_id: colleague_id, dj_name: colleague ?? '' },
    waits_since: waits_since.toISOString(),
  }
}

type State = (typeof support.QUEUE_STATES)[number]

const inState = (sql: Sql, state: State) =>
  ({
    waiting: sql`t.status = 'open' and t.waits_for = 'staff'`,
    answered: sql`t.status = 'open' and t.waits_for = 'customer'`,
    close: sql`t.status = 'close'`,
    all: sql`true`,
  })[state]

/** Signs of LIKE stand for themselves. */
const part = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

function matching(sql: Sql, search: string) {
  if (search === '') return sql`true`
  const number = /^#?(\d{1,15})$/.exec(search)?.[1]
  return sql`(t.subject ilike ${part(search)} or c.dj_name ilike ${part(search)} or c.email ilike ${part(search)}
    or t.ticket_number = ${number ? Number(number) : 0})`
}

/** One page of the queue, and how many tickets there are of each state. */
export async function listQueue(
  sql: Sql,
  staffId: number,
  { state, search, mine, page }: ParsedInputOf<typeof support.getQueue>,
): Promise<ReplyOf<typeof support.getQueue>> {
  const where = sql`${inState(sql, state)} and ${matching(sql, search)}
    and ${mine ? sql`t.assigned_to = ${staffId}` : sql`true`}`
  const order = state === 'waiting' ? sql`${isLate(sql)} desc, p.position desc, t.waits_since` : sql`t.modified_at desc`
  const limit = support.QUEUE_A_PAGE
  const [rows, [found], counts, waits] = await Promise.all([
    sql<Row[]>`
      ${rowsOf(sql)} where ${where} order by ${order}, t.ticket_number limit ${limit} offset ${(page - 1) * limit}`,
    sql<{ n: number }[]>`
      select count(*)::int as n from ticket t join customer c using (customer_id) where ${where}`,
    countQueue(sql),
    readMedians(sql),
  ])
  return {
    tickets: rows.map(asQueued),
    ...{ counts, waits },
    pagination: { page, perPageLimit: limit, totalCount: found?.n ?? 0 },
  }
}

type Counts = ReplyOf<typeof support.getQueue>['counts']

async function countQueue(sql: Sql): Promise<Counts> {
  const [counts] = await sql<Counts[]>`
    select count(*) filter (where ${inState(sql, 'waiting')})::int as waiting,
      count(*) filter (where ${inState(sql, 'answered')})::int as answered,
      count(*) filter (where ${inState(sql, 'close')})::int as close, count(*)::int as all,
      count(*) filter (where ${isLate(sql)})::int as late
    from ticket t join priority p using (priority_id)`
  return counts ?? { waiting: 0, answered: 0, close: 0, all: 0, late: 0 }
}

type Waits = { waiting: number; since: Date | null; late: number; late_since: Date | null }

/** How many wait for staff, how many of them too long, and since when the oldest. */
export async function countWaits(sql: Sql): Promise<Waits> {
  const [waits] = await sql<Waits[]>`
    select count(*)::int as waiting, min(waits_since) as since, count(*) filter (where ${isLate(sql)})::int as late,
      min(waits_since) filter (where ${isLate(sql)}) as late_since
    from ticket t join priority p using (priority_id) where ${inState(sql, 'waiting')}`
  return waits ?? { waiting: 0, since: null, late: 0, late_since: null }
}

const ANSWERED_DAYS = 30

type Medians = ReplyOf<typeof support.getQueue>['waits']

/** How long half of those who wait have waited, and how long half of those waited who were answered of late. */
async function readMedians(sql: Sql): Promise<Medians> {
  const [medians] = await sql<Medians[]>`
    select (
        select percentile_cont(0.5) within group (order by extract(epoch from now() - waits_since))
        from ticket t where ${inState(sql, 'waiting')}) as median_seconds,
      (select percentile_cont(0.5) within group (order by extract(epoch from r.created_at - t.created_at))
        from reply r join ticket t using (ticket_number)
        where r.by_staff and r.created_at > now() - make_interval(days => ${ANSWERED_DAYS}) and not exists (
          select 1 from reply e where e.ticket_number = r.ticket_number and e.by_staff and e.reply_id < r.reply_id)
      ) as first_answer_seconds`
  return medians ?? { median_seconds: null, first_answer_seconds: null }
}

/** Open tickets that wait for staff. */
export async function countWaiting(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ticket t where ${inState(sql, 'waiting')}`
  return row?.n ?? 0
}

/** Refuses `unknown_ticket`. */
export async function readQueued(sql: Sql, ticketNumber: number): Promise<support.QueuedTicket> {
  const [row] = await sql<Row[]>`${rowsOf(sql)} where t.ticket_number = ${ticketNumber}`
  if (!row) throw unknownTicket()
  return asQueued(row)
}

/** A ticket with a page of its replies, as staff see it. Refuses `unknown_ticket`. */
export async function readForStaff(
  world: World,
  viewer: Viewer,
  { ticket_number, page }: ParsedInputOf<typeof support.getTicket>,
): Promise<ReplyOf<typeof support.getTicket>> {
  const { sql } = world
  const row = await findTicket(sql, ticket_number)
  const { replies, pagination } = await listReplies(world, viewer, { ticket_number, page, pageLimit: 10 })
  return {
    ticket: { ...(await showTicket(world, viewer, row)), ...(await readQueued(sql, ticket_number)) },
    replies,
    pagination,
    watch_url: watchAddress(world, viewer, row),
    kept_out: await keptOut(sql, ticket_number),
  }
}

const MOST_KEPT_OUT = 20

type KeptOut = { verdict: string; from: string; detail: string; received_at: Date }

async function keptOut(sql: Sql, ticketNumber: number) {
  const rows = await sql<KeptOut[]>`
    select verdict, from_address as "from", detail, received_at from inbound_mail
    where ticket_number = ${ticketNumber} and verdict not in ('reply', 'twice')
    order by received_at desc limit ${MOST_KEPT_OUT}`
  return rows.map((row) => ({ ...row, received_at: row.received_at.toISOString() }))
}

/** Who answers tickets. */
export const listColleagues = async (sql: Sql) => sql<{ customer_id: number; dj_name: string }[]>`
  select customer_id, dj_name from customer where staff_role in ('support', 'admin') and status = 'active'
  order by lower(dj_name), customer_id`

type Places = Pick<ParsedInputOf<typeof support.changeTicket>, 'department_id' | 'priority_id' | 'assigned_to'>

/** Refuses `unknown_department`, `unknown_priority` and `staff_member_required`. */
async function refuseUnknownPlaces(sql: Sql, { department_id, priority_id, assigned_to }: Places): Promise<void> {
  await refuseTogether([
    () => refuseUnknown(sql, { department_id, priority_id }),
    async () => {
      if (!assigned_to || (await listColleagues(sql)).some(({ customer_id }) => customer_id === assigned_to)) return
      throw fieldRefusal(
        'staff_member_required',
        'assigned_to',
        'This person does not answer tickets. Choose someone else.',
      )
    },
  ])
}

/** The same checks while other fields of the change are wrong. */
export function checkTicketChange(sql: Sql, given: { [name in keyof Places]?: unknown }): Promise<void> {
  const { department_id, priority_id, assigned_to } = support.changeTicket.input.shape
  return refuseUnknownPlaces(sql, {
    department_id: parsed(department_id, given.department_id),
    priority_id: parsed(priority_id, given.priority_id),
    assigned_to: parsed(assigned_to, given.assigned_to),
  })
}

/**
 * What staff change of a ticket, as part of the caller's transaction. Refuses `unknown_ticket`, `unknown_department`,
 * `unknown_priority`, `staff_member_required`.
 */
export async function changeTicket(sql: Sql, change: ParsedInputOf<typeof support.changeTicket>): Promise<void> {
  const { ticket_number, status, assigned_to, department_id, priority_id } = change
  await refuseUnknownPlaces(sql, { department_id, priority_id, assigned_to })
  const [found] = await sql`
    update ticket set department_id = coalesce(${department_id ?? null}::int, department_id),
      priority_id = coalesce(${priority_id ?? null}::int, priority_id),
      assigned_to = ${assigned_to === undefined ? sql`assigned_to` : assigned_to || null}, modified_at = now()
    where ticket_number = ${ticket_number} returning 1`
  if (!found) throw unknownTicket()
  if (status) await setStatus(sql, ticket_number, status)
}
