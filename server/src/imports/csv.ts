/**
 * Parses the rows of a CSV file (RFC 4180). The separator is a comma, a semicolon or a tab: the most frequent one in
 * the first line.
 */
export function parseCsv(text: string, limits: { rows: number; columns: number }): string[][] {
  const separator = detectSeparator(text)
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let isQuoted = false
  const endField = () => {
    if (row.length < limits.columns) row.push(field)
    field = ''
  }
  for (let at = 0; at < text.length && rows.length < limits.rows; at++) {
    const character = text[at] ?? ''
    if (isQuoted) {
      if (character !== '"') field += character
      else if (text[at + 1] === '"') field += text[++at]
      else isQuoted = false
    } else if (character === '"' && field.trim() === '') {
      field = ''
      isQuoted = true
    } else if (character === separator) endField()
    else if (character === '\n' || character === '\r') {
      if (character === '\r' && text[at + 1] === '\n') at++
      endField()
      rows.push(row)
      row = []
    } else field += character
  }
  if ((field !== '' || row.length > 0) && rows.length < limits.rows) {
    endField()
    rows.push(row)
  }
  return rows
}

function detectSeparator(text: string): string {
  const [first = ''] = text.slice(0, 10_000).split(/\r|\n/, 1)
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((best, item) => (count(item) > count(best) ? item : best))
}

/** Excel writes UTF-16 or the system's code page, everything else UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
