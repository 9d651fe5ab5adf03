import { helpdesk, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import { incrementCount } from '../platform/rate-counter.ts'
import { attachFiles, fileIds, rejectUnknownFiles, type Viewer } from './files.ts'
import { parseWrittenHtml, rejectBlankHtml } from './rich-text-input.ts'

type Status = 'open' | 'close'

export type TicketRow = Omit<helpdesk.Ticket, 'modified_at' | 'created_at'> & { modified_at: Date; created_at: Date }

const MAX_TICKETS_PER_HOUR = 10

/** The columns of a ticket `t` in every list, with its department `d` and its priority `p`. */
export const ticketColumns = (sql: Sql) => sql`
  t.ticket_number, t.subject, t.status, t.modified_at, t.created_at, d.name as department, p.name as priority, t.awaiting_reply_from,
  (select count(*)::int from reply r where r.ticket_number = t.ticket_number and r.by_staff and r.reply_id > t.seen_reply_id)
    as unread`

export const ticketTables = (sql: Sql) =>
  sql`ticket t join department d using (department_id) join priority p using (priority_id)`

export const toTicket = ({ modified_at, created_at, ...row }: TicketRow): helpdesk.Ticket => ({
  ...row,
  modified_at: modified_at.toISOString(),
  created_at: created_at.toISOString(),
})

export const listPriorities = async (sql: Sql): Promise<helpdesk.NamedItem[]> =>
  sql<helpdesk.NamedItem[]>`select priority_id as id, name from priority order by position, priority_id`

export const listDepartments = async (sql: Sql): Promise<helpdesk.NamedItem[]> =>
  sql<helpdesk.NamedItem[]>`select department_id as id, name from department order by position, department_id`

const DESCRIPTION_FIELD = { field: 'HelpdeskTickets.details', blank: 'Description cannot be blank!' }

const ATTACHMENTS = 'HelpdeskTickets.attachments'
const ticketFields = helpdesk.submitTicket.input.shape.HelpdeskTickets.shape

/** Runs the checks of a new ticket while other fields of it are blank or invalid. */
export function checkTicket(sql: Sql, { customer_id }: Pick<Viewer, 'customer_id'>, fields: unknown): Promise<void> {
  const { details, ...others } = (fields ?? {}) as Record<string, unknown>
  const department_id = parsed(ticketFields.department_id, others.department_id)
  const priority_id = parsed(ticketFields.priority_id, others.priority_id)
  const names = parsed(ticketFields.attachments, others.attachments) ?? []
  return throwAllErrors([
    () => rejectBlankHtml(details, DESCRIPTION_FIELD),
    () => rejectUnknown(sql, { department_id, priority_id }, 'HelpdeskTickets.'),
    () => rejectUnknownFiles(sql, customer_id, { names, field: ATTACHMENTS }),
  ])
}

/**
 * Opens a ticket. Throws `unknown_department`, `unknown_priority`, `unknown_attachment`, `invalid_request`,
 * `rate_limited`.
 */
export async function submitTicket(
  { sql }: Pick<AppContext, 'sql'>,
  { customer_id }: Viewer,
  { HelpdeskTickets: input }: ParsedInputOf<typeof helpdesk.submitTicket>,
): Promise<number> {
  let details = ''
  await throwAllErrors([
    () => {
      details = parseWrittenHtml(input.details, DESCRIPTION_FIELD)
    },
    () => rejectUnknown(sql, input, 'HelpdeskTickets.'),
    () => rejectUnknownFiles(sql, customer_id, { names: input.attachments, field: ATTACHMENTS }),
  ])
  const files = fileIds(input.attachments)
  if ((await incrementCount(sql, 'ticket', String(customer_id), 60)) > MAX_TICKETS_PER_HOUR) {
    throw new ApiError(
      'rate_limited',
      'You’ve opened too many tickets. Reply to an existing ticket or try again later.',
    )
  }
  return sql.begin(async (sql) => {
    // Locks the member until commit: a concurrent account deletion either deletes this ticket too or happens first.
    const [member] = await sql`
      select 1 from customer where customer_id = ${customer_id} and status <> 'deleted' for share`
    if (!member) throw new ApiError('session_expired', 'This account no longer exists.')
    const [ticket] = await sql<{ ticket_number: number }[]>`
      insert into ticket (customer_id, department_id, priority_id, subject, details)
      values (${customer_id}, ${input.department_id}, ${input.priority_id}, ${input.subject}, ${details})
      returning ticket_number`
    if (!ticket) throw new Error('Ticket insert returned no number')
    await attachFiles(sql, files, { customer_id, ticket_number: ticket.ticket_number, reply_id: null })
    return ticket.ticket_number
  })
}

/** Throws `unknown_department` and `unknown_priority`, with this prefix before the field names. */
export async function rejectUnknown(
  sql: Sql,
  { department_id, priority_id }: { department_id?: number | undefined; priority_id?: number | undefined },
  prefix = '',
): Promise<void> {
  const [known] = await sql<{ department: boolean; priority: boolean }[]>`
    select exists (select 1 from department where department_id = ${department_id ?? 0}) as department,
      exists (select 1 from priority where priority_id = ${priority_id ?? 0}) as priority`
  const reject = (what: 'department' | 'priority') => {
    const sentence = `Please select the ${what}`
    throw new ApiError(`unknown_${what}`, sentence, { fields: { [`${prefix}${what}_id`]: sentence } })
  }
  await throwAllErrors([
    () => department_id && !known?.department && reject('department'),
    () => priority_id && !known?.priority && reject('priority'),
  ])
}

type TicketListParams = { status: 'all' | Status; page: number; pageLimit: number }

/** Returns one page of a member's own tickets, most recently changed first, and their numbers by status. */
export async function listTickets(
  sql: Sql,
  customerId: number,
  { status, page, pageLimit }: TicketListParams,
): Promise<ReplyOf<typeof helpdesk.getTickets>> {
  const [rows, summary] = await Promise.all([
    sql<TicketRow[]>`
      select ${ticketColumns(sql)} from ${ticketTables(sql)}
      where t.customer_id = ${customerId} and ${status === 'all' ? sql`true` : sql`t.status = ${status}`}
      order by t.modified_at desc, t.ticket_number desc limit ${pageLimit} offset ${(page - 1) * pageLimit}`,
    countTickets(sql, customerId),
  ])
  const totalCount = status === 'all' ? summary.total : summary[status]
  return { tickets: rows.map(toTicket), summary, pagination: { page, perPageLimit: pageLimit, totalCount } }
}

async function countTickets(sql: Sql, customerId: number): Promise<helpdesk.TicketSummary> {
  const [counts] = await sql<helpdesk.TicketSummary[]>`
    select count(*)::int as total, count(*) filter (where status = 'open')::int as open,
      count(*) filter (where status = 'close')::int as close
    from ticket where customer_id = ${customerId}`
  return counts ?? { total: 0, open: 0, close: 0 }
}

export type TicketDetailRow = TicketRow & {
  customer_id: number
  details: string
  author: string
  closed_at: Date | null
}

/** Returns a ticket, only of this customer if one is given. Throws `unknown_ticket`. */
export async function findTicket(sql: Sql, ticketNumber: number, customerId?: number): Promise<TicketDetailRow> {
  const [row] = await sql<TicketDetailRow[]>`
    select ${ticketColumns(sql)}, t.customer_id, t.details, t.closed_at, c.dj_name as author
    from ${ticketTables(sql)} join customer c using (customer_id)
    where t.ticket_number = ${ticketNumber} and ${customerId ? sql`t.customer_id = ${customerId}` : sql`true`}`
  if (!row) throw unknownTicketError()
  return row
}

export const unknownTicketError = () => new ApiError('unknown_ticket', 'Ticket not found.')

/**
 * Opens or closes a ticket, only of this customer if one is given: a ticket they reopen waits for staff. Throws
 * `unknown_ticket`.
 */
export async function setStatus(sql: Sql, ticketNumber: number, status: Status, customerId?: number): Promise<Status> {
  const closing = status === 'close'
  const [ticketRow] = await sql`
    update ticket set status = ${status}, modified_at = case when status = ${status} then modified_at else now() end,
      closed_at = case when ${closing} then coalesce(closed_at, now()) end
      ${customerId && !closing ? sql`, waiting_since = case when status = 'open' then waiting_since else now() end` : sql``}
      ${customerId && !closing ? sql`, awaiting_reply_from = case when status = 'open' then awaiting_reply_from else 'staff' end` : sql``}
    where ticket_number = ${ticketNumber} and ${customerId ? sql`customer_id = ${customerId}` : sql`true`}
    returning 1`
  if (!ticketRow) throw unknownTicketError()
  return status
}
