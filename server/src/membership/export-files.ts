import type { OwnRow } from './own-data.ts'

/** Formats rows as a JSON array, one per line. */
export async function* toJson(rows: AsyncIterable<OwnRow>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const row of rows) {
    yield `${before}${JSON.stringify(row)}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

/** Tells spreadsheet programs that this is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

/** Formats rows as CSV (RFC 4180) with a header; without rows there is only the byte order mark. */
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

/** Formats one cell (RFC 4180): text stays text. */
export function cell(value: OwnRow[string]): string {
  if (value === null) return ''
  if (typeof value !== 'string') return value instanceof Date ? value.toISOString() : String(value)
  // Prevents spreadsheet programs from treating text as a formula (OWASP, CSV injection).
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
