import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { books, coupons, type Day, invoices, type ParsedInputOf } from '@dubplate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { INVOICE_FILES, MAX_INVOICES_PER_FILE } from '../billing/invoice-links.ts'
import { findInvoicesForFile, type InvoiceFilters } from '../billing/invoice-list.ts'
import { codesOf, readPromotion } from '../billing/promotions.ts'
import { balancesOf } from '../books/balance.ts'
import { type BooksFormat, createBooksFile } from '../books/books-file.ts'
import type { DateRange } from '../books/movements.ts'
import type { Caller } from '../membership/caller.ts'
import { toCsv } from '../membership/export-files.ts'
import { ApiError } from '../platform/api-error.ts'
import { startOfDay } from '../platform/calendar.ts'
import { recordAudit } from './audit.ts'
import { FILE_HEADERS, FILE_RATE_LIMIT, type FileKind, fileLink, parseFileLink } from './signed-files.ts'

/**
 * Reports, invoices and promotion codes as files for staff. Exports of reports and codes are recorded in the audit log.
 */

type FileLink = { url: string; file: string }
type StaffSession = Pick<Caller, 'session_id'>

const BOOKS_FILE: FileKind = { purpose: 'books', call: books.getBooksFile }
const INVOICES_FILE: FileKind = { purpose: 'invoices-of-all', call: invoices.getInvoiceFile }
const CODES_FILE: FileKind = { purpose: 'coupon-codes', call: coupons.getCodesFile }

/** Throws `invalid_request` for a day that does not exist, or a last day before the first. */
export function toDays({ from, to }: { from: Day; to: Day }): DateRange {
  const days = { from: startOfDay(from), to: startOfDay(to, 1) }
  if (days.from >= days.to) throw new ApiError('invalid_request', 'The start date must be before the end date.')
  return days
}

const text = ({ year, month, day }: Day): string =>
  [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')

type BooksSelection = { from: Day; to: Day; format: BooksFormat }
const EXTENSION = { csv: 'csv', excel: 'xlsx', pdf: 'pdf' }
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const CSV = 'text/csv; charset=utf-8'

/** Throws `no_transactions`, `ledger_mismatch`, `invalid_request`. */
export async function booksLink(ctx: AppContext, staff: StaffSession, selection: BooksSelection): Promise<FileLink> {
  await balancesOf(ctx.sql, toDays(selection))
  const file = `books-${text(selection.from)}-${text(selection.to)}.${EXTENSION[selection.format]}`
  return fileLink(ctx, staff, { kind: BOOKS_FILE, wanted: selection, file })
}

type InvoiceFileParams = ParsedInputOf<typeof invoices.getInvoiceFile>
type InvoiceSelection = { format: 'pdf' | 'excel' } & ({ invoice_id: number } | InvoiceFilters)

/** Throws `unknown_payment`, `no_invoices`, `too_many_invoices`, `invalid_request`. */
export async function invoicesLink(
  ctx: AppContext,
  staff: StaffSession,
  { invoice_id, ...call }: InvoiceFileParams,
): Promise<FileLink> {
  const selection: InvoiceSelection = invoice_id ? { invoice_id, format: call.format } : call
  const [first] = await findInvoicesForFile(ctx.sql, selection, MAX_INVOICES_PER_FILE)
  const stem = invoice_id ? first?.number : 'invoices'
  return fileLink(ctx, staff, { kind: INVOICES_FILE, wanted: selection, file: `${stem}.${EXTENSION[call.format]}` })
}

/** Throws `coupon_not_found`. */
export async function codesLink(
  ctx: AppContext,
  staff: StaffSession,
  selection: { promotion_id: number },
): Promise<FileLink> {
  const { title } = await readPromotion(ctx.sql, selection.promotion_id, ctx.now())
  const name = title
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
  return fileLink(ctx, staff, {
    kind: CODES_FILE,
    wanted: selection,
    file: `coupon-codes-${name || selection.promotion_id}.csv`,
  })
}

/**
 * GET /exports/books/…, /exports/invoices-of-all/…, /exports/coupon-codes/…: the files behind the links, generated on
 * request.
 */
export function serveCommerceFiles(app: FastifyInstance, ctx: AppContext): void {
  const serveFile = (
    kind: FileKind,
    sendFile: (ctx: AppContext, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) =>
    app.get(`/exports/${kind.purpose}/:signed/:file`, FILE_RATE_LIMIT, (request, reply) =>
      sendFile(ctx, request, reply.headers(FILE_HEADERS)),
    )
  serveFile(BOOKS_FILE, sendBooks)
  serveFile(INVOICES_FILE, sendInvoices)
  serveFile(CODES_FILE, sendCodes)
}

const signedParam = (request: FastifyRequest): string => (request.params as { signed: string }).signed

async function sendBooks(ctx: AppContext, request: FastifyRequest, reply: FastifyReply) {
  const { staff, wanted: selection } = await parseFileLink<BooksSelection>(ctx, BOOKS_FILE, signedParam(request))
  const { path, lines } = await createBooksFile(ctx, toDays(selection), selection.format)
  const clear = () =>
    rm(path, { force: true }).catch((error) => ctx.log.error(error, 'Could not delete a temporary report file'))
  try {
    const after = { from: text(selection.from), to: text(selection.to), format: selection.format, lines }
    await recordAudit(ctx.sql, { ...by(staff, request), action: 'report exported', subject: 'books', after })
    const bytes = (await stat(path)).size
    const content = createReadStream(path)
    content.once('close', clear)
    return reply
      .type(selection.format === 'csv' ? CSV : EXCEL)
      .header('content-length', bytes)
      .send(content)
  } catch (error) {
    await clear()
    throw error
  }
}

async function sendInvoices(ctx: AppContext, request: FastifyRequest, reply: FastifyReply) {
  const { wanted: selection } = await parseFileLink<InvoiceSelection>(ctx, INVOICES_FILE, signedParam(request))
  const { type, make } = INVOICE_FILES[selection.format]
  const invoices = await findInvoicesForFile(ctx.sql, selection, MAX_INVOICES_PER_FILE)
  return reply.type(type).send(await make(invoices))
}

async function sendCodes(ctx: AppContext, request: FastifyRequest, reply: FastifyReply) {
  const { staff, wanted: selection } = await parseFileLink<{ promotion_id: number }>(
    ctx,
    CODES_FILE,
    signedParam(request),
  )
  const subject = `promotion ${selection.promotion_id}`
  await recordAudit(ctx.sql, { ...by(staff, request), action: 'promotion codes exported', subject })
  const content = Readable.from(toCsv(codesOf(ctx.sql, selection.promotion_id)), { objectMode: false })
  content.on('error', (error) => ctx.log.error(error, 'Coupon code export failed'))
  return reply.type(CSV).send(content)
}

const by = (staff: Caller, request: FastifyRequest) => ({ staff_id: staff.customer_id, ip: request.ip })
