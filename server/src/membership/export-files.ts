import type { OwnRow } from './own-data.ts'

/** Rows as a JSON array, one to a line. */
export async function* toJson(rows: AsyncIterable<OwnRow>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const row of rows) {
    yield `${before}${JSON.stringify(row)}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

/** Tells spreadsheets that this is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

/** Rows as CSV (RFC 4180) with a line of names; nothing but the mark where there are none. */
export async function* toCsv(rows: AsyncIterable<OwnRow>): AsyncGenerator<string> {
  let hasNames = false
  yield BYTE_ORDER_MARK
  for await (const row of rows) {
    if (!hasNames) yield line(Object.keys(row))
    hasNames = true
    yield line(Object.values(row))
  }
}

const line = (values: OwnRow[string][]): string => `${values.map(cell).join(',')}\r\n`

/** One cell of a line (RFC 4180): text stays text. */
export function cell(value: OwnRow[string]): string {
  if (value === null) return ''
  if (typeof value !== 'string') return value instanceof Date ? value.toISOString() : String(value)
  // What a spreadsheet would take for a formula is not (OWASP, CSV injection).
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
