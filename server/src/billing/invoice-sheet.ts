import type { Cell, Row } from 'write-excel-file/node'
import { documentName, type Invoice } from './issued-invoices.ts'

/** The columns of the sheet, with their widths in characters. */
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

/** Returns invoices and credit notes as an Excel workbook: a row for each, and the totals per currency at the end. */
export async function createInvoicesSheet(invoices: readonly Invoice[]): Promise<Buffer> {
  const { default: writeExcelFile } = await import('write-excel-file/node')
  const head: Row = COLUMNS.map(([title]) => ({ ...textCell(title), fontWeight: 'bold' }))
  return writeExcelFile([head, ...invoices.map(toRow), ...totalRows(invoices)], {
    sheet: 'Invoices',
    columns: COLUMNS.map(([, width]) => ({ width })),
    stickyRowsCount: 1,
  }).toBuffer()
}

/** Text stays text, whatever it begins with; characters that XML cannot contain are replaced. */
const textCell = (text: string) => ({ type: String, value: text.replace(/\p{Cc}/gu, ' ') })
/** The day in UTC: a cell has no time zone. */
const toIsoDate = (date: Date): Cell => ({
  type: Date,
  value: new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())),
  format: 'yyyy-mm-dd',
})
const amountCell = (minor: number) => ({ type: Number, value: minor / 100, format: '0.00' })

const toRow = (invoice: Invoice): Row => [
  textCell(invoice.number),
  toIsoDate(invoice.issued_at),
  textCell(documentName(invoice)),
  textCell(invoice.lines[0]?.plan_title ?? ''),
  toIsoDate(invoice.period_start),
  toIsoDate(invoice.period_end),
  amountCell(invoice.net_minor),
  { type: Number, value: invoice.tax_percent, format: '0.##' },
  amountCell(invoice.tax_minor),
  amountCell(invoice.total_minor),
  textCell(invoice.currency),
  textCell(invoice.paid_with),
  textCell(invoice.corrects ?? ''),
]

function totalRows(invoices: readonly Invoice[]): Row[] {
  const currencies = [...new Set(invoices.map(({ currency }) => currency))].sort()
  return currencies.map((currency) => {
    const currencyInvoices = invoices.filter((invoice) => invoice.currency === currency)
    const sum = (pick: (invoice: Invoice) => number): Cell => ({
      ...amountCell(currencyInvoices.reduce((total, invoice) => total + pick(invoice), 0)),
      fontWeight: 'bold',
    })
    const label: Cell = { ...textCell('Total'), fontWeight: 'bold' }
    const totals = [sum((one) => one.net_minor), null, sum((one) => one.tax_minor), sum((one) => one.total_minor)]
    return [label, null, null, null, null, null, ...totals, textCell(currency)]
  })
}
