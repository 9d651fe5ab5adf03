import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AppContext } from '../app-context.ts'
import { formatPayment } from '../billing/issued-invoices.ts'
import { toDecimal } from '../gateways/money.ts'
import { cell as csvCell } from '../membership/export-files.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { openForWriting } from '../platform/file-writing.ts'
import { type Balance, BooksTotals, balancesOf } from './balance.ts'
import { readSums } from './month-sums.ts'
import { type DateRange, type Movement, movementRows } from './movements.ts'
import { type Cell, writeWorkbook } from './workbook.ts'

/** The books of a range of days as a file for a bookkeeper, with one row for each movement of money. */

export type BooksFormat = 'csv' | 'excel'

type Column = { title: string; width: number; of(movement: Movement): Cell }

const COLUMNS: Column[] = [
  { title: 'Date', width: 12, of: ({ at }) => at },
  { title: 'Type', width: 10, of: ({ kind }) => kind },
  { title: 'Number', width: 14, of: ({ number }) => number },
  { title: 'Corrects invoice', width: 14, of: ({ corrects }) => corrects },
  { title: 'Member', width: 10, of: ({ customer_id }) => customer_id },
  { title: 'Name', width: 28, of: ({ buyer }) => buyer },
  { title: 'Country', width: 18, of: ({ country }) => country },
  { title: 'Plan', width: 20, of: ({ plan }) => plan },
  { title: 'Net', width: 12, of: ({ net_minor }) => ({ minor: net_minor }) },
  { title: 'Tax %', width: 8, of: ({ tax_percent }) => tax_percent },
  { title: 'Tax', width: 12, of: ({ tax_minor }) => ({ minor: tax_minor }) },
  { title: 'Total', width: 12, of: ({ total_minor }) => ({ minor: total_minor }) },
  { title: 'Currency', width: 10, of: ({ currency }) => currency },
  { title: 'Gateway', width: 10, of: ({ gateway }) => gateway },
  { title: 'Payment method', width: 20, of: (movement) => formatPayment(movement) },
  { title: 'Reference', width: 32, of: ({ gateway_ref }) => gateway_ref },
]

export type BooksFile = { path: string; lines: number }

/**
 * Writes the books of a range of days into a local file from one snapshot, and compares its totals with the ledger's.
 * The caller deletes the file. Throws `no_transactions`, `ledger_mismatch` or `too_many_rows`.
 */
export async function createBooksFile(
  { sql, storage }: Pick<AppContext, 'sql' | 'storage'>,
  days: DateRange,
  format: BooksFormat,
): Promise<BooksFile> {
  const path = await storage.scratch(`books.${format}`)
  try {
    const lines = await sql.begin('isolation level repeatable read read only', async (sql) => {
      const balances = await balancesOf(sql, days)
      const totals = new BooksTotals()
      const rows = rowsOf(sql, days, totals)
      if (format === 'csv')
        await pipeline(Readable.from(csvChunks(rows), { objectMode: false }), await openForWriting(path))
      else await writeSheets(sql, path, { days, rows, balances })
      totals.compare(balances)
      return balances.reduce((sum, { lines }) => sum + lines, 0)
    })
    return { path, lines }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

const BATCH_SIZE = 1000

async function* rowsOf(sql: Sql, days: DateRange, totals: BooksTotals): AsyncGenerator<Cell[]> {
  const all = sql<Movement[]>`select * from (${movementRows(sql, days)}) as m order by at, ledger_id`
  for await (const batch of all.cursor(BATCH_SIZE)) {
    for (const movement of batch) {
      totals.add(movement)
      yield COLUMNS.map(({ of }) => of(movement))
    }
  }
}

/** Tells spreadsheet programs that the file is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'
const LINES_PER_CHUNK = 200

/** RFC 4180. Amounts are plain numbers with a decimal point; text cells are never formulas. */
async function* csvChunks(rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<string> {
  let chunk = `${BYTE_ORDER_MARK}${COLUMNS.map(({ title }) => title).join(',')}\r\n`
  let n = 0
  for await (const row of rows) {
    chunk += `${row.map(toCsvCell).join(',')}\r\n`
    n += 1
    if (n % LINES_PER_CHUNK > 0) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

function toCsvCell(cell: Cell): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10)
  return typeof cell === 'object' && cell !== null ? toDecimal(cell.minor) : csvCell(cell)
}

/** The maximum rows of a sheet, without the header row (Excel's specifications and limits: 1,048,576 rows). */
const MAX_SHEET_ROWS = 1_048_575

type WorkbookInput = { days: DateRange; rows: AsyncIterable<readonly Cell[]>; balances: readonly Balance[] }

async function writeSheets(sql: Sql, path: string, { days, rows, balances }: WorkbookInput): Promise<void> {
  if (balances.reduce((sum, { lines }) => sum + lines, 0) > MAX_SHEET_ROWS) {
    throw new ApiError('too_many_rows', 'Too many rows for one Excel sheet. Choose a shorter period or export as CSV.')
  }
  const { sums } = await readSums(sql, days)
  const amounts = ['gross_minor', 'refunds_minor', 'total_minor', 'net_minor', 'tax_minor'] as const
  const sumRows = sums.map((sum): Cell[] => [
    sum.currency,
    sum.payments,
    sum.refund_count,
    ...amounts.map((name) => ({ minor: sum[name] })),
  ])
  const titles = ['Currency', 'Payments', 'Refunds', 'Amount paid', 'Amount refunded', 'Total', 'Net', 'Tax']
  await writeWorkbook(path, [
    { name: 'Transactions', columns: COLUMNS, rows },
    { name: 'Summary', columns: titles.map((title) => ({ title, width: 14 })), rows: sumRows },
  ])
}
