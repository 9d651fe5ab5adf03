import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { toDecimal } from '../gateways/money.ts'
import { openForWriting } from '../platform/file-writing.ts'

/**
 * Writes an Excel workbook while its rows are read (ECMA-376, part 1: SpreadsheetML), so that a hundred thousand rows
 * need the memory of a few. Texts are written inline, so they stay texts whatever they begin with.
 */

/** An amount in the smallest unit of a currency with two decimals. */
type Amount = { minor: number }
export type Cell = string | number | Date | Amount | null

export type WorksheetInput = {
  name: string
  columns: readonly { title: string; width: number }[]
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>
}

/** Indexes of the styles below. */
const STYLE = { bold: 1, day: 2, amount: 3 }

const STYLES = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="4" applyNumberFormat="1"/></cellXfs></styleSheet>`

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006'
const PART_CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Writes a workbook into a file. Rethrows errors of its rows, leaving an invalid file. */
export async function writeWorkbook(path: string, sheets: readonly WorksheetInput[]): Promise<void> {
  // Some 20 MB that are seldom needed.
  const { ZipArchive } = await import('archiver')
  const zip = new ZipArchive({ zlib: { level: 6 } })
  const written = pipeline(zip, await openForWriting(path))
  for (const [name, text] of Object.entries(workbookParts(sheets))) zip.append(text, { name })
  sheets.forEach((sheet, n) => {
    const source = Readable.from(sheetXml(sheet), { objectMode: false })
    // Errors are also handled while the stream is queued, because an unhandled error event ends the process.
    source.on('error', (error) => zip.destroy(error))
    zip.append(source, { name: `xl/worksheets/sheet${n + 1}.xml` })
  })
  // Errors are reported by the stream being written.
  zip.finalize().catch((error) => zip.destroy(error))
  await written
}

/** The files of a workbook besides its sheets. */
function workbookParts(sheets: readonly WorksheetInput[]): Record<string, string> {
  const each = (text: (n: number, sheet: WorksheetInput) => string) =>
    sheets.map((sheet, n) => text(n + 1, sheet)).join('')
  const relation = (n: number, type: string, target: string) =>
    `<Relationship Id="rId${n}" Type="${RELATIONS_NAMESPACE}/${type}" Target="${target}"/>`
  const relations = (content: string) =>
    `${XML_DECLARATION}<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships">${content}</Relationships>`
  return {
    '[Content_Types].xml': `${XML_DECLARATION}<Types xmlns="${PACKAGE_NAMESPACE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${PART_CONTENT_TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${PART_CONTENT_TYPE}.styles+xml"/>${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${PART_CONTENT_TYPE}.worksheet+xml"/>`)}</Types>`,
    '_rels/.rels': relations(relation(1, 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${XML_DECLARATION}<workbook xmlns="${MAIN_NAMESPACE}" xmlns:r="${RELATIONS_NAMESPACE}"><sheets>${each((n, { name }) => `<sheet name="${escapeXml(name)}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      each((n) => relation(n, 'worksheet', `worksheets/sheet${n}.xml`)) +
        relation(sheets.length + 1, 'styles', 'styles.xml'),
    ),
    'xl/styles.xml': STYLES,
  }
}

/** Rows written together, because a chunk per row would be a thousand times the work. */
const ROWS_PER_CHUNK = 200

async function* sheetXml({ columns, rows }: WorksheetInput): AsyncGenerator<string> {
  const widths = columns.map(({ width }, n) => `<col min="${n + 1}" max="${n + 1}" width="${width}" customWidth="1"/>`)
  yield `${XML_DECLARATION}<worksheet xmlns="${MAIN_NAMESPACE}"><sheetViews>${FROZEN_HEADER}</sheetViews><cols>${widths.join('')}</cols><sheetData>`
  const head = columns.map(({ title }, n) => cellXml({ bold: title }, `${columnLetter(n)}1`))
  let piece = `<row r="1">${head.join('')}</row>`
  let place = 1
  for await (const row of rows) {
    place += 1
    piece += `<row r="${place}">${row.map((cell, n) => cellXml(cell, `${columnLetter(n)}${place}`)).join('')}</row>`
    if (place % ROWS_PER_CHUNK > 0) continue
    yield piece
    piece = ''
  }
  yield `${piece}</sheetData></worksheet>`
}

const FROZEN_HEADER =
  '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>'

/** A to Z: no sheet is wider. */
const columnLetter = (column: number): string => String.fromCharCode(65 + column)

function cellXml(cell: Cell | { bold: string }, place: string): string {
  if (cell === null || cell === '') return ''
  const at = `<c r="${place}"`
  if (typeof cell === 'string') return `${at}${textXml(cell)}`
  if (typeof cell === 'number') return `${at}><v>${cell}</v></c>`
  if (cell instanceof Date) return `${at} s="${STYLE.day}"><v>${excelDay(cell)}</v></c>`
  if ('bold' in cell) return `${at} s="${STYLE.bold}"${textXml(cell.bold)}`
  return `${at} s="${STYLE.amount}"><v>${toDecimal(cell.minor)}</v></c>`
}

const textXml = (text: string): string => ` t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`

const DAY_MS = 86_400_000
/**
 * Excel counts days from here because of its leap-year bug of 1900, which every spreadsheet program reproduces
 * (ECMA-376, part 1, 18.17.4.1).
 */
const EXCEL_EPOCH = Date.UTC(1899, 11, 30)
/** The day in UTC, because a cell has no time zone. */
const excelDay = (date: Date): number => Math.floor((date.getTime() - EXCEL_EPOCH) / DAY_MS)

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * Characters that XML does not allow are removed, and `_x0041_` is not decoded as a letter (ECMA-376, part 1,
 * 22.4.2.4).
 */
const escapeXml = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
