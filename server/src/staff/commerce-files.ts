import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { books, coupons, type Day, invoices, type ParsedInputOf } from '@dubplate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codesOf, readPromotion } from '../billing/promotions.ts'
import { balancesOf } from '../books/balance.ts'
import { type BooksFormat, makeBooks } from '../books/books-file.ts'
import type { Days } from '../books/movements.ts'
import { INVOICE_FILES, INVOICES_A_FILE } from '../invoices/invoice-links.ts'
import { findForFile, type InvoiceFilters } from '../invoices/invoice-list.ts'
import type { Asker } from '../membership/asker.ts'
import { asCsv } from '../membership/export-files.ts'
import { beginningOf } from '../platform/calendar.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { recordDeed } from './audit.ts'
import { FILE_HEADERS, FILE_RATE, type FileKind, fileLink, openFileLink } from './signed-files.ts'

/** The books, invoices and codes of promotions as files for staff. That books and codes were taken is written down. */

type Link = { url: string; file: string }
type Staff = Pick<Asker, 'session_id'>

const BOOKS: FileKind = { purpose: 'books', call: books.getBooksFile }
const INVOICES: FileKind = { purpose: 'invoices-of-all', call: invoices.getInvoiceFile }
const CODES: FileKind = { purpose: 'coupon-codes', call: coupons.getCodesFile }

/** Refuses `invalid_request` for a day no calendar has, or a last day before the first. */
export function daysOf({ from, to }: { from: Day; to: Day }): Days {
  const days = { from: beginningOf(from), to: beginningOf(to, 1) }
  if (days.from >= days.to) throw new Refusal('invalid_request', 'The start date must be before the end date.')
  return days
}

const text = ({ year, month, day }: Day): string =>
  [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')

type BooksWanted = { from: Day; to: Day; format: BooksFormat }
const EXTENSION = { csv: 'csv', excel: 'xlsx', pdf: 'pdf' }
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const CSV = 'text/csv; charset=utf-8'

/** Refuses `no_transactions`, `ledger_mismatch`, `invalid_request`. */
export async function booksLink(world: World, staff: Staff, wanted: BooksWanted): Promise<Link> {
  await balancesOf(world.sql, daysOf(wanted))
  const file = `books-${text(wanted.from)}-${text(wanted.to)}.${EXTENSION[wanted.format]}`
  return fileLink(world, staff, { kind: BOOKS, wanted, file })
}

type InvoicesAsked = ParsedInputOf<typeof invoices.getInvoiceFile>
type InvoicesWanted = { format: 'pdf' | 'excel' } & ({ invoice_id: number } | InvoiceFilters)

/** Refuses `unknown_payment`, `no_invoices`, `too_many_invoices`, `invalid_request`. */
export async function invoicesLink(world: World, staff: Staff, { invoice_id, ...asked }: InvoicesAsked): Promise<Link> {
  const wanted: InvoicesWanted = invoice_id ? { invoice_id, format: asked.format } : asked
  const [first] = await findForFile(world.sql, wanted, INVOICES_A_FILE)
  const stem = invoice_id ? first?.number : 'invoices'
  return fileLink(world, staff, { kind: INVOICES, wanted, file: `${stem}.${EXTENSION[asked.format]}` })
}

/** Refuses `coupon_not_found`. */
export async function codesLink(world: World, staff: Staff, wanted: { promotion_id: number }): Promise<Link> {
  const { title } = await readPromotion(world.sql, wanted.promotion_id, world.now())
  const name = title
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
  return fileLink(world, staff, { kind: CODES, wanted, file: `coupon-codes-${name || wanted.promotion_id}.csv` })
}

/** GET /exports/books/…, /exports/invoices-of-all/…, /exports/coupon-codes/…: what the links lead to, made when it is asked for. */
export function serveCommerceFiles(app: FastifyInstance, world: World): void {
  const serve = (
    kind: FileKind,
    send: (world: World, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) =>
    app.get(`/exports/${kind.purpose}/:signed/:file`, FILE_RATE, (request, reply) =>
      send(world, request, reply.headers(FILE_HEADERS)),
    )
  serve(BOOKS, sendBooks)
  serve(INVOICES, sendInvoices)
  serve(CODES, sendCodes)
}

const signedOf = (request: FastifyRequest): string => (request.params as { signed: string }).signed

async function sendBooks(world: World, request: FastifyRequest, reply: FastifyReply) {
  const { staff, wanted } = await openFileLink<BooksWanted>(world, BOOKS, signedOf(request))
  const { path, lines } = await makeBooks(world, daysOf(wanted), wanted.format)
  const clear = () =>
    rm(path, { force: true }).catch((error) => world.log.error(error, 'Could not delete a temporary report file'))
  try {
    const after = { from: text(wanted.from), to: text(wanted.to), format: wanted.format, lines }
    await recordDeed(world.sql, { ...by(staff, request), action: 'report exported', subject: 'books', after })
    const bytes = (await stat(path)).size
    const content = createReadStream(path)
    content.once('close', clear)
    return reply
      .type(wanted.format === 'csv' ? CSV : EXCEL)
      .header('content-length', bytes)
      .send(content)
  } catch (error) {
    await clear()
    throw error
  }
}

async function sendInvoices(world: World, request: FastifyRequest, reply: FastifyReply) {
  const { wanted } = await openFileLink<InvoicesWanted>(world, INVOICES, signedOf(request))
  const { type, make } = INVOICE_FILES[wanted.format]
  const invoices = await findForFile(world.sql, wanted, INVOICES_A_FILE)
  return reply.type(type).send(await make(invoices))
}

async function sendCodes(world: World, request: FastifyRequest, reply: FastifyReply) {
  const { staff, wanted } = await openFileLink<{ promotion_id: number }>(world, CODES, signedOf(request))
  const subject = `promotion ${wanted.promotion_id}`
  await recordDeed(world.sql, { ...by(staff, request), action: 'promotion codes exported', subject })
  const content = Readable.from(asCsv(codesOf(world.sql, wanted.promotion_id)), { objectMode: false })
  content.on('error', (error) => world.log.error(error, 'Coupon code export failed'))
  return reply.type(CSV).send(content)
}

const by = (staff: Asker, request: FastifyRequest) => ({ staff_id: staff.customer_id, ip: request.ip })
