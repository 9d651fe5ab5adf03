/** Rows of a CSV file (RFC 4180), with a comma, a semicolon or a tab between its fields: whichever its first line has most of. */
export function parseCsv(text: string, limits: { rows: number; columns: number }): string[][] {
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let isQuoted = false
  const endField = () => {
    if (row.length < limits.columns) row.push(field)
    field = ''
  }
  for (let at = 0; at < text.length && rows.length < limits.rows; at++) {
    const letter = text[at] ?? ''
    if (isQuoted) {
      if (letter !== '"') field += letter
      else if (text[at + 1] === '"') field += text[++at]
      else isQuoted = false
    } else if (letter === '"' && field.trim() === '') {
      field = ''
      isQuoted = true
    } else if (letter === separator) endField()
    else if (letter === '\n' || letter === '\r') {
      if (letter === '\r' && text[at + 1] === '\n') at++
      endField()
      rows.push(row)
      row = []
    } else field += letter
  }
  if ((field !== '' || row.length > 0) && rows.length < limits.rows) {
    endField()
    rows.push(row)
  }
  return rows
}

function separatorOf(text: string): string {
  const [first = ''] = text.slice(0, 10_000).split(/\r|\n/, 1)
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** Excel writes UTF-16 or the letters of its machine, everything else UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
