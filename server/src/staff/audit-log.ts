import { operations, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { toDateRange } from '../platform/calendar.ts'
import { countPages } from '../platform/count-up-to.ts'
import type { Sql } from '../platform/db.ts'
import { diffChanges } from './differences.ts'

export type AuditFilters = Omit<ParsedInputOf<typeof operations.getAudit>, 'page'>

type AuditRow = {
  audit_id: number
  at: Date
  staff_id: number | null
  staff_name: string | null
  action: string
  subject: string
  subject_name: string | null
  before: unknown
  after: unknown
  ip: string | null
}

/** Throws `invalid_request` for a day that does not exist. */
function searchCondition(sql: Sql, { staff_id, action, subject, from, to }: AuditFilters) {
  const range = toDateRange(from, to)
  return sql`true
    ${staff_id ? sql`and a.staff_id = ${staff_id}` : sql``}
    ${action ? sql`and a.action = ${action}` : sql``}
    ${subject ? sql`and ${subjectCondition(sql, subject)}` : sql``}
    ${range.from ? sql`and a.at >= ${range.from}` : sql``} ${range.to ? sql`and a.at < ${range.to}` : sql``}`
}

/** Matches one subject (`customer 7`), or all of a kind (`customer`). Subjects are stored in lower case. */
const subjectCondition = (sql: Sql, subject: string) =>
  / \d+$/.test(subject)
    ? sql`a.subject = ${subject.toLowerCase()}`
    : sql`a.subject like ${`${subject.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`

const auditColumns = (sql: Sql) => sql`
  select a.audit_id, a.at, a.staff_id, c.dj_name as staff_name, a.action, a.subject, m.dj_name as subject_name,
    a.before, a.after, host(a.ip) as ip
  from audit a left join customer c on c.customer_id = a.staff_id
    left join customer m on m.customer_id = case when a.subject ~ '^customer [0-9]{1,9}$' then split_part(a.subject, ' ', 2)::bigint end`

const toAuditEntry = ({ staff_id, staff_name, before, after, at, ip, ...row }: AuditRow): operations.AuditEntry => ({
  ...row,
  at: at.toISOString(),
  staff: staff_id === null ? null : { customer_id: staff_id, dj_name: staff_name ?? '' },
  changes: diffChanges(before, after),
  ip: ip ?? '',
})

/** Returns one page of the audit log, newest first. */
export async function listAuditEntries(
  sql: Sql,
  { page, ...filters }: ParsedInputOf<typeof operations.getAudit>,
): Promise<ReplyOf<typeof operations.getAudit>> {
  const limit = operations.AUDIT_ENTRIES_PER_PAGE
  const [rows, counted, people, actions] = await Promise.all([
    sql<AuditRow[]>`
      ${auditColumns(sql)} where a.audit_id in (
        select a.audit_id from audit a where ${searchCondition(sql, filters)}
        order by a.at desc, a.audit_id desc limit ${limit} offset ${(page - 1) * limit})
      order by a.at desc, a.audit_id desc`,
    countPages(sql, sql`select 1 from audit a where ${searchCondition(sql, filters)}`),
    // Both lists read one entry for each value: the index is searched for the next larger value each time.
    sql<{ customer_id: number; dj_name: string }[]>`
      with recursive one as (
        (select staff_id from audit where staff_id is not null order by staff_id limit 1)
        union all
        select (select a.staff_id from audit a where a.staff_id > one.staff_id order by a.staff_id limit 1) from one
        where one.staff_id is not null)
      select c.customer_id, c.dj_name from one join customer c on c.customer_id = one.staff_id
      order by lower(c.dj_name), c.customer_id`,
    sql<{ action: string }[]>`
      with recursive one as (
        (select action from audit order by action limit 1)
        union all
        select (select a.action from audit a where a.action > one.action order by a.action limit 1) from one
        where one.action is not null)
      select action from one where action is not null order by action`,
  ])
  return {
    entries: rows.map(toAuditEntry),
    people: [...people],
    actions: actions.map(({ action }) => action),
    pagination: { page, perPageLimit: limit, ...counted },
  }
}

const BATCH_SIZE = 1000

/**
 * Iterates over all entries, newest first, in batches, so that a slow download does not occupy a database connection.
 */
export async function* iterateAuditEntries(sql: Sql, filters: AuditFilters): AsyncGenerator<operations.AuditEntry> {
  for (let beforeId: number | null = null; ; ) {
    const rows: AuditRow[] = await sql<AuditRow[]>`
      ${auditColumns(sql)} where ${searchCondition(sql, filters)} and (${beforeId}::bigint is null or a.audit_id < ${beforeId})
      order by a.audit_id desc limit ${BATCH_SIZE}`
    yield* rows.map(toAuditEntry)
    beforeId = rows.at(-1)?.audit_id ?? null
    if (rows.length < BATCH_SIZE) return
  }
}
