import { access, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PendingQuery } from 'postgres'
import { toCsv } from '../membership/export-files.ts'
import type { OwnRow } from '../membership/own-data.ts'
import type { Sql } from '../platform/db.ts'
import { openForWriting } from '../platform/file-writing.ts'
import { BackupError } from './backup-error.ts'

/** The tables that can be exported for a spreadsheet, oldest rows first. None contains credentials. */
const TABLES = {
  members: (sql: Sql) => sql<OwnRow[]>`
    select customer_id, email, dj_name, firstname, lastname, telephone, street, city, postcode, country_id, region_id,
      g.name as member_group, c.status, coalesce(a.state, 'none') as application, payment_profile_status,
      (select p.title from subscription s join plan p using (plan_id)
        where s.customer_id = c.customer_id order by s.subscription_id desc limit 1) as last_plan,
      (select s.status from subscription s where s.customer_id = c.customer_id order by s.subscription_id desc limit 1)
        as last_subscription,
      staff_role, demo, created_at, deleted_at
    from customer c join customer_group g using (group_id) left join dj_application a using (customer_id)
    order by customer_id`,
  downloads: (sql: Sql) => sql<OwnRow[]>`
    select d.download_id, d.at, d.completed_at, d.refunded_at, d.free, d.customer_id, c.email, c.dj_name,
      d.entity_id, s.artist, s.title, s.label, s.isrc, d.song_version_id, v.version_label
    from download d join customer c using (customer_id) join song s on s.entity_id = d.entity_id
      join song_version v using (song_version_id)
    order by d.download_id`,
  payments: (sql: Sql) => sql<OwnRow[]>`
    select l.ledger_id, l.at, case when l.refund_id is null then 'payment' else 'refund' end as type,
      (l.amount_minor / 100.0)::float8 as amount, l.currency, l.customer_id, c.email, c.dj_name, p.title as plan,
      h.gateway, coalesce(r.gateway_ref, h.gateway_ref) as reference, h.method, h.paid_with, h.period_start, h.period_end,
      i.year || '-' || lpad(i.serial::text, 5, '0') as invoice, (i.net_minor / 100.0)::float8 as net, (i.tax_minor / 100.0)::float8 as tax,
      i.tax_percent::float8 as tax_percent
    from ledger l join charge h using (charge_id) join customer c on c.customer_id = l.customer_id
      join plan p on p.plan_id = h.plan_id left join refund r on r.refund_id = l.refund_id
      left join invoice i on i.charge_id = l.charge_id and i.refund_id is not distinct from l.refund_id
    order by l.ledger_id`,
} as const

export type ExportName = keyof typeof TABLES
export const EXPORTS = Object.keys(TABLES) as ExportName[]

const BATCH_SIZE = 1000

async function* rowsOf(statement: PendingQuery<OwnRow[]>, onRow: () => void): AsyncGenerator<OwnRow> {
  for await (const rows of statement.cursor(BATCH_SIZE)) {
    for (const row of rows) {
      onRow()
      yield row
    }
  }
}

/**
 * Writes a table into a new CSV file while reading it; returns its number of rows. The file appears when it is
 * complete. Throws BackupError if a file with this name exists.
 */
export async function exportTable(sql: Sql, name: ExportName, to: string): Promise<number> {
  const isTaken = await access(to).then(
    () => true,
    () => false,
  )
  if (isTaken) throw new BackupError(`${to} already exists.`)
  const unfinished = `${to}.unfinished-${process.pid}`
  let rows = 0
  try {
    const read = rowsOf(TABLES[name](sql), () => {
      rows += 1
    })
    await pipeline(Readable.from(toCsv(read)), await openForWriting(unfinished, { mode: 0o600 }))
    await rename(unfinished, to)
    return rows
  } catch (error) {
    throw toError(error as NodeJS.ErrnoException, to)
  } finally {
    await rm(unfinished, { force: true })
  }
}

function toError(error: NodeJS.ErrnoException, to: string): Error {
  if (error.code === 'ENOENT') return new BackupError(`Could not write ${to}: the folder doesn’t exist.`)
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS')
    return new BackupError(`Could not write ${to}: ${error.message}.`)
  return error
}
