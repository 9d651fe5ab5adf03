import { toDecimal } from '../gateways/money.ts'
import { documentName, formatDate, type Invoice, paymentMethodText } from './issued-invoices.ts'
import { isRightToLeft, type Style, type TextLine, type Typesetter } from './typesetter.ts'

/** The layout of an invoice on A4. All measures are in points. */

const PAGE = { width: 595.28, height: 841.89 }
const LEFT = 56
const RIGHT = PAGE.width - 56
const TOP = 56
const BOTTOM = PAGE.height - 96
const FOOTER = PAGE.height - 62

const [INK, SOFT, LINE, ACCENT] = ['#14171c', '#5b6472', '#d5d9df', '#c8f135']

const STYLES = {
  name: { size: 22, weight: 'bold', colour: INK },
  title: { size: 22, weight: 'regular', colour: SOFT },
  label: { size: 8.5, weight: 'regular', colour: SOFT },
  text: { size: 10, weight: 'regular', colour: INK },
  strong: { size: 10, weight: 'bold', colour: INK },
  total: { size: 13, weight: 'bold', colour: INK },
} satisfies Record<string, Style>

type Element = PDFKit.PDFStructureElement

export type PdfContext = { document: PDFKit.PDFDocument; typesetter: Typesetter; root: Element }

/** A column of text: its position and alignment. */
type TableColumn = { x: number; width: number; align?: 'right' }

const lineHeight = ({ size }: Style): number => size * 1.4

/** Draws an invoice on as many new pages as it needs. */
export async function drawInvoice(pdf: PdfContext, invoice: Invoice): Promise<void> {
  const { document, root } = pdf
  document.addPage()
  const part = document.struct('Art')
  root.add(part)
  const drawing = { ...pdf, part, invoice }
  const nextTop = await drawParties(drawing, await drawHead(drawing))
  await drawPayment(drawing, await drawTable(drawing, nextTop + 26))
  part.end()
}

type Drawing = PdfContext & { part: Element; invoice: Invoice }

async function drawHead(drawing: Drawing): Promise<number> {
  const { part, invoice } = drawing
  decorate(drawing, (document) => document.rect(LEFT, TOP, 28, 5).fill(ACCENT))
  const top = TOP + 20
  const end = await write(drawing, part, 'P', invoice.seller.name, top, { x: LEFT, width: 320 }, STYLES.name)
  await write(
    drawing,
    part,
    'H1',
    documentName(invoice),
    top,
    { x: 396, width: RIGHT - 396, align: 'right' },
    STYLES.title,
  )
  return end + 22
}

/** Draws the seller, the customer and the invoice details side by side. */
async function drawParties(drawing: Drawing, top: number): Promise<number> {
  const { invoice } = drawing
  const { seller, buyer } = invoice
  const from = [seller.name, ...seller.lines, seller.tax_number && `Tax ID ${seller.tax_number}`]
  const to = [
    buyer.name,
    buyer.dj_name === buyer.name ? '' : buyer.dj_name,
    buyer.street,
    `${buyer.postcode} ${buyer.city}`.trim(),
    buyer.region,
    buyer.country,
    buyer.email,
  ]
  const details: [string, string][] = [
    ['Invoice number', invoice.number],
    ['Invoice date', formatDate(invoice.issued_at)],
    ...(invoice.corrects ? [['Corrects invoice', invoice.corrects] as [string, string]] : []),
  ]
  const bottoms = [
    await drawBlock(drawing, [['From', from]], top, { x: LEFT, width: 160 }),
    await drawBlock(drawing, [['Bill to', to]], top, { x: 236, width: 160 }),
    await drawBlock(
      drawing,
      details.map(([label, value]) => [label, [value]]),
      top,
      { x: 416, width: RIGHT - 416 },
    ),
  ]
  return Math.max(...bottoms)
}

type LabelledBlock = readonly [label: string, lines: readonly string[]]

async function drawBlock(
  drawing: Drawing,
  blocks: readonly LabelledBlock[],
  top: number,
  column: TableColumn,
): Promise<number> {
  let y = top
  for (const [label, lines] of blocks) {
    y = (await write(drawing, drawing.part, 'P', label, y, column, STYLES.label)) + 2
    for (const line of lines) if (line) y = await write(drawing, drawing.part, 'P', line, y, column, STYLES.text)
    y += 8
  }
  return y
}

const DESCRIPTION_COLUMN: TableColumn = { x: LEFT, width: 360 }
const TOTALS_COLUMN: TableColumn = { x: 300, width: 140 }
const AMOUNT_COLUMN: TableColumn = { x: 440, width: RIGHT - 440, align: 'right' }

type Cell = { text: string; column: TableColumn; style: Style; tag?: 'TH' }

/** Draws the lines and the totals; a table that does not fit continues on the next page. */
async function drawTable(drawing: Drawing, top: number): Promise<number> {
  const { document, part, invoice } = drawing
  const table = document.struct('Table')
  part.add(table)
  let y = await drawRow(drawing, table, headerRow(invoice), top)
  for (const row of buildTableRows(invoice)) {
    if (y + (await rowHeight(drawing, row)) > BOTTOM) y = await addPage(drawing)
    y = await drawRow(drawing, table, row, y)
  }
  table.end()
  return y
}

type TableRow = { cells: Cell[]; line: string }

function headerRow({ currency }: Invoice): TableRow {
  const style = STYLES.label
  return {
    cells: [
      { text: 'Description', column: DESCRIPTION_COLUMN, style, tag: 'TH' },
      { text: `Amount (${currency})`, column: AMOUNT_COLUMN, style, tag: 'TH' },
    ],
    line: INK,
  }
}

function buildTableRows(invoice: Invoice): TableRow[] {
  const row = (text: string, minor: number, column: TableColumn, style: Style = STYLES.text): TableRow => ({
    cells: [
      { text, column, style },
      { text: toDecimal(minor), column: AMOUNT_COLUMN, style },
    ],
    line: LINE,
  })
  const { tax_percent, tax_label, currency } = invoice
  const taxes = [
    row('Net', invoice.net_minor, TOTALS_COLUMN),
    row(`${tax_label} ${tax_percent}%`, invoice.tax_minor, TOTALS_COLUMN),
  ]
  return [
    ...invoice.lines.map(({ text, amount_minor }) => row(text, amount_minor, DESCRIPTION_COLUMN)),
    ...(tax_percent > 0 ? taxes : []),
    { ...row(`Total ${currency}`, invoice.total_minor, TOTALS_COLUMN, STYLES.total), line: INK },
  ]
}

const PADDING = 7

async function rowHeight({ typesetter }: Drawing, { cells }: TableRow): Promise<number> {
  let height = 0
  for (const { text, style, column } of cells) {
    const lines = await typesetter.layOut(text, style, column.width)
    height = Math.max(height, lines.length * lineHeight(style))
  }
  return height + 2 * PADDING
}

async function drawRow(drawing: Drawing, table: Element, row: TableRow, top: number): Promise<number> {
  const { document } = drawing
  const tr = document.struct('TR')
  table.add(tr)
  let bottom = top
  for (const { text, column, style, tag } of row.cells) {
    const end = await write(drawing, tr, tag ?? 'TD', text, top + PADDING, column, style)
    bottom = Math.max(bottom, end + PADDING)
  }
  tr.end()
  const from = row.cells[0]?.column.x ?? LEFT
  decorate(drawing, () => document.moveTo(from, bottom).lineTo(RIGHT, bottom).lineWidth(0.75).stroke(row.line))
  return bottom
}

/** Adds a page with a header that identifies the document. Returns where its content begins. */
async function addPage(drawing: Drawing): Promise<number> {
  const { document, typesetter, invoice } = drawing
  document.addPage()
  const words = `${documentName(invoice)} ${invoice.number}, continued`
  const lines = await typesetter.layOut(words, STYLES.label, RIGHT - LEFT)
  decorate(drawing, () => drawLines(typesetter, lines, TOP + 10, { x: LEFT, width: RIGHT - LEFT }, STYLES.label))
  return TOP + 24
}

async function drawPayment(drawing: Drawing, top: number): Promise<void> {
  const words = paymentText(drawing.invoice)
  const height = lineHeight(STYLES.text) * 2 + 18
  const y = top + height > BOTTOM ? await addPage(drawing) : top + 18
  await write(drawing, drawing.part, 'P', words, y, { x: LEFT, width: RIGHT - LEFT }, STYLES.text)
}

function paymentText(invoice: Invoice): string {
  if (invoice.kind === 'credit_note')
    return `Refunded via ${paymentMethodText(invoice)}, the payment method of invoice ${invoice.corrects}.`
  if (invoice.total_minor === 0) return 'No payment due.'
  return `Paid via ${paymentMethodText(invoice)} on ${formatDate(invoice.paid_at)}.`
}

/** Writes a text, wrapped if it is long, as a separate structure element. Returns where it ends. */
async function write(
  { document, typesetter }: Drawing,
  parent: Element,
  tag: string,
  text: string,
  top: number,
  column: TableColumn,
  style: Style,
): Promise<number> {
  const lines = await typesetter.layOut(text, style, column.width)
  // Right-to-left text is drawn in display order; its logical order is added for screen readers.
  const structOptions = isRightToLeft(text) ? { actual: text } : {}
  const scope = tag === 'TH' ? { scope: 'Column' as const } : {}
  const draw = () => drawLines(typesetter, lines, top + style.size, column, style)
  parent.add(document.struct(tag, { ...structOptions, ...scope } as object, draw))
  return top + lineHeight(style) * lines.length
}

function drawLines(
  typesetter: Typesetter,
  lines: readonly TextLine[],
  baseline: number,
  { x, width, align }: TableColumn,
  style: Style,
): void {
  for (const [n, line] of lines.entries()) {
    const start = align === 'right' ? x + width - line.width : x
    typesetter.draw(line, { x: start, baseline: baseline + n * lineHeight(style) }, style)
  }
}

/** Draws something that is not text and is skipped by screen readers. */
function decorate({ document }: Pick<PdfContext, 'document'>, draw: (document: PDFKit.PDFDocument) => void): void {
  document.markContent('Artifact', { type: 'Layout' })
  draw(document)
  document.endMarkedContent()
}

const FOOTER_COLUMN: TableColumn = { x: LEFT, width: 380 }
const PAGE_NUMBER_COLUMN: TableColumn = { x: LEFT + 380, width: RIGHT - LEFT - 380, align: 'right' }

/** Adds the seller and the page number to all pages since the last flush. */
export async function drawFooters(
  { document, typesetter }: Omit<PdfContext, 'root'>,
  { seller }: Invoice,
): Promise<void> {
  const style = STYLES.label
  const words = [seller.name, ...seller.lines, seller.tax_number && `Tax ID ${seller.tax_number}`]
  const lines = await typesetter.layOut(words.filter(Boolean).join(' · '), style, FOOTER_COLUMN.width)
  const { start, count } = document.bufferedPageRange()
  for (let n = 0; n < count; n++) {
    const page = await typesetter.layOut(`Page ${n + 1} of ${count}`, style, PAGE_NUMBER_COLUMN.width)
    document.switchToPage(start + n)
    document.markContent('Artifact', { type: 'Pagination' })
    document.moveTo(LEFT, FOOTER).lineTo(RIGHT, FOOTER).lineWidth(0.5).stroke(LINE)
    drawLines(typesetter, lines, FOOTER + 16, FOOTER_COLUMN, style)
    drawLines(typesetter, page, FOOTER + 16, PAGE_NUMBER_COLUMN, style)
    document.endMarkedContent()
  }
}
