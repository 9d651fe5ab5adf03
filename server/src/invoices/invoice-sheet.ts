import type { Cell, Row } from 'write-excel-file/node'
import { type Invoice, nameOf } from './issued.ts'

/** Columns of the sheet, each with its width in characters. */
const COLUMNS: [title: string, width: number][] = [
  ['Invoice number', 14],
  ['Date', 12],
  ['Type', 12],
  ['Plan', 28],
  ['Period start', 12],
  ['Period end', 12],
  ['Net', 12],
  ['Tax %', 8],
  ['Tax', 12],
  ['Total', 12],
  ['Currency', 10],
  ['Payment method', 20],
  ['Corrects invoice', 14],
]

/** Invoices and credit notes as an Excel workbook: a line for each, and the sums of each currency below. */
export async function invoicesSheet(invoices: readonly Invoice[]): Promise<Buffer> {
  const { default: writeExcelFile } = await import('write-excel-file/node')
  const head: Row = COLUMNS.map(([title]) => ({ ...asText(title), fontWeight: 'bold' }))
  return writeExcelFile([head, ...invoices.map(asRow), ...sumsOf(invoices)], {
    sheet: 'Invoices',
    columns: COLUMNS.map(([, width]) => ({ width })),
    stickyRowsCount: 1,
  }).toBuffer()
}

/** A text stays one, whatever it begins with; what XML cannot hold is left out. */
const asText = (text: string) => ({ type: String, value: text.replace(/\p{Cc}/gu, ' ') })
/** The day in UTC: a cell has no time zone. */
const asDay = (date: Date): Cell => ({
  type: Date,
  value: new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())),
  format: 'yyyy-mm-dd',
})
const asAmount = (minor: number) => ({ type: Number, value: minor / 100, format: '0.00' })

const asRow = (invoice: Invoice): Row => [
  asText(invoice.number),
  asDay(invoice.issued_at),
  asText(nameOf(invoice)),
  asText(invoice.lines[0]?.plan_title ?? ''),
  asDay(invoice.period_start),
  asDay(invoice.period_end),
  asAmount(invoice.net_minor),
  { type: Number, value: invoice.tax_percent, format: '0.##' },
  asAmount(invoice.tax_minor),
  asAmount(invoice.total_minor),
  asText(invoice.currency),
  asText(invoice.paid_with),
  asText(invoice.corrects ?? ''),
]

function sumsOf(invoices: readonly Invoice[]): Row[] {
  const currencies = [...new Set(invoices.map(({ currency }) => currency))].sort()
  return currencies.map((currency) => {
    const these = invoices.filter((invoice) => invoice.currency === currency)
    const sum = (of: (invoice: Invoice) => number): Cell => ({
      ...asAmount(these.reduce((total, invoice) => total + of(invoice), 0)),
      fontWeight: 'bold',
    })
    const label: Cell = { ...asText('Total'), fontWeight: 'bold' }
    const sums = [sum((one) => one.net_minor), null, sum((one) => one.tax_minor), sum((one) => one.total_minor)]
    return [label, null, null, null, null, null, ...sums, asText(currency)]
  })
}
