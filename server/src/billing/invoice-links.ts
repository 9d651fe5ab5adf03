import type { billing, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import type { Caller } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import { toDateRange } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { openHistoryId } from './billing-history.ts'
import { createInvoicesPdf } from './invoice-pdf.ts'
import { createInvoicesSheet } from './invoice-sheet.ts'
import { findInvoices, type Invoice } from './issued-invoices.ts'

type InvoiceLinkParams = ParsedInputOf<typeof billing.getInvoice>
type InvoiceFormat = InvoiceLinkParams['format']
type InvoiceLinkContext = Pick<AppContext, 'sql' | 'signing' | 'now'>

const LINK_MINUTES = 10

/** Invoices are created while the member waits: some ten milliseconds each. */
export const MAX_INVOICES_PER_FILE = 500

/** The file formats of invoices. */
export const INVOICE_FILES = {
  pdf: { extension: 'pdf', type: 'application/pdf', make: createInvoicesPdf },
  excel: {
    extension: 'xlsx',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    make: createInvoicesSheet,
  },
} satisfies Record<InvoiceFormat, { extension: string; type: string; make(invoices: Invoice[]): Promise<Buffer> }>

/** What a link downloads: one entry of the history, or the invoices issued in a period. */
type InvoiceSelection = { historyId: number } | { from: Date | null; to: Date | null }

/**
 * Returns a signed URL for an invoice, or for all in a period. It expires with the session and after ten minutes.
 * Throws `unknown_payment`, `no_invoices`, `too_many_invoices`, and `invalid_request` for a date that does not exist.
 */
export async function createInvoiceLink(
  { sql, signing, now }: InvoiceLinkContext,
  { customer_id, session_id }: Pick<Caller, 'customer_id' | 'session_id'>,
  { history_id, format, startDate, endDate }: InvoiceLinkParams,
): Promise<ReplyOf<typeof billing.getInvoice>> {
  const selection: InvoiceSelection = history_id ? { historyId: history_id } : toDateRange(startDate, endDate)
  const invoices = await findRequestedInvoices(sql, customer_id, selection)
  const file = `${fileStem(selection, invoices)}.${INVOICE_FILES[format].extension}`
  const expiresAt = new Date(now().getTime() + LINK_MINUTES * 60_000)
  const signed = signing.sign('invoices', [customer_id, session_id, format, ...toSignedValues(selection)], expiresAt)
  return { url: `/invoices/${signed}/${file}`, file }
}

const toSignedValues = (selection: InvoiceSelection): number[] =>
  'historyId' in selection ? [selection.historyId] : [0, selection.from?.getTime() ?? 0, selection.to?.getTime() ?? 0]

function parseSignedValues([historyId = 0, from = 0, to = 0]: number[]): InvoiceSelection {
  if (historyId) return { historyId }
  return { from: from ? new Date(from) : null, to: to ? new Date(to) : null }
}

const toIsoDate = (date: Date): string => date.toISOString().slice(0, 10)
const DAY_MS = 86_400_000

function fileStem(selection: InvoiceSelection, invoices: Invoice[]): string {
  if ('historyId' in selection) return invoices[0]?.number ?? 'invoice'
  const { from, to } = selection
  const bounds = [from && toIsoDate(from), to && toIsoDate(new Date(to.getTime() - DAY_MS))]
  if (from && to) return `invoices-${bounds.join('-')}`
  return from ? `invoices-from-${bounds[0]}` : to ? `invoices-until-${bounds[1]}` : 'invoices'
}

async function findRequestedInvoices(sql: Sql, customerId: number, selection: InvoiceSelection): Promise<Invoice[]> {
  if ('historyId' in selection) return findInvoice(sql, customerId, selection.historyId)
  const matches = await findInvoices(sql, { customer_id: customerId, ...selection, most: MAX_INVOICES_PER_FILE + 1 })
  if (matches.length === 0) throw new ApiError('no_invoices', 'There are no invoices for this period.')
  if (matches.length > MAX_INVOICES_PER_FILE) {
    const tooManyMessage = `A file can contain up to ${MAX_INVOICES_PER_FILE} invoices. Choose a shorter period.`
    throw new ApiError('too_many_invoices', tooManyMessage)
  }
  return matches
}

async function findInvoice(sql: Sql, customerId: number, historyId: number): Promise<Invoice[]> {
  const { charge_id = null, refund_id = null } = openHistoryId(historyId)
  const [entry] = await sql<{ invoice_id: number | null }[]>`
    select i.invoice_id from charge c left join refund r on r.charge_id = c.charge_id and r.refund_id = ${refund_id}::bigint
      left join invoice i on i.charge_id = c.charge_id and i.refund_id is not distinct from r.refund_id
    where c.customer_id = ${customerId} and (c.charge_id = ${charge_id}::bigint or r.refund_id is not null)`
  if (!entry) throw new ApiError('unknown_payment', 'Payment not found.')
  if (!entry.invoice_id) throw new ApiError('no_invoices', 'Nothing was charged, so there is no invoice.')
  return findInvoices(sql, { invoice_ids: [entry.invoice_id] })
}

/** GET /invoices/…: the file of a link, created on request. */
export function serveInvoices(app: FastifyInstance, ctx: AppContext): void {
  const rate = { config: { rateLimit: { max: 20, timeWindow: '1 minute' } } }
  app.get('/invoices/:signed/:file', rate, async (request, reply) => {
    const { signed } = request.params as { signed: string }
    const { customerId, format, selection } = await openInvoices(ctx, signed)
    const invoices = await findRequestedInvoices(ctx.sql, customerId, selection)
    const { extension, type, make } = INVOICE_FILES[format]
    const bytes = await make(invoices)
    return reply
      .type(type)
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', `attachment; filename="${fileStem(selection, invoices)}.${extension}"`)
      .send(bytes)
  })
}

/** Throws `invalid_link` and `link_expired`. */
async function openInvoices({ sql, signing, now }: InvoiceLinkContext, signed: string) {
  const [customerId, sessionId, format, ...values] = signing.open('invoices', signed, now())
  const [member] = await sql`
    select 1 from session join customer using (customer_id)
    where customer_id = ${Number(customerId)} and session_id = ${Number(sessionId)} and expires_at > ${now()}
      and purpose = 'member' and status = 'active'`
  if (!member) throw new ApiError('link_expired', 'This link belongs to a session that has ended. Sign in again.')
  return {
    customerId: Number(customerId),
    format: format as InvoiceFormat,
    selection: parseSignedValues(values.map(Number)),
  }
}
