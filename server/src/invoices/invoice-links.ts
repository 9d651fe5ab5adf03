import type { billing, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import type { Asker } from '../membership/asker.ts'
import { rangeOf } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { openHistoryId } from './billing-history.ts'
import { invoicesPdf } from './invoice-pdf.ts'
import { invoicesSheet } from './invoice-sheet.ts'
import { findInvoices, type Invoice } from './issued.ts'

type Asked = ParsedInputOf<typeof billing.getInvoice>
type Format = Asked['format']
type Links = Pick<World, 'sql' | 'signing' | 'now'>

const LINK_MINUTES = 10

/** They are set while somebody waits: some ten milliseconds each. */
export const INVOICES_A_FILE = 500

/** How invoices are made into a file of each format. */
export const INVOICE_FILES = {
  pdf: { extension: 'pdf', type: 'application/pdf', make: invoicesPdf },
  excel: {
    extension: 'xlsx',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    make: invoicesSheet,
  },
} satisfies Record<Format, { extension: string; type: string; make(invoices: Invoice[]): Promise<Buffer> }>

/** What a link leads to: one entry of the history, or the invoices that were issued within some days. */
type Wanted = { historyId: number } | { from: Date | null; to: Date | null }

/**
 * Where a member fetches an invoice, or all of some days: a signed address that ends with the session, and after ten minutes.
 * Refuses `unknown_payment`, `no_invoices`, `too_many_invoices`, and `invalid_request` for a day that does not exist.
 */
export async function invoiceLink(
  { sql, signing, now }: Links,
  { customer_id, session_id }: Pick<Asker, 'customer_id' | 'session_id'>,
  { history_id, format, startDate, endDate }: Asked,
): Promise<ReplyOf<typeof billing.getInvoice>> {
  const wanted: Wanted = history_id ? { historyId: history_id } : rangeOf(startDate, endDate)
  const invoices = await findWanted(sql, customer_id, wanted)
  const file = `${stemOf(wanted, invoices)}.${INVOICE_FILES[format].extension}`
  const endsAt = new Date(now().getTime() + LINK_MINUTES * 60_000)
  const signed = signing.sign('invoices', [customer_id, session_id, format, ...asValues(wanted)], endsAt)
  return { url: `/invoices/${signed}/${file}`, file }
}

const asValues = (wanted: Wanted): number[] =>
  'historyId' in wanted ? [wanted.historyId] : [0, wanted.from?.getTime() ?? 0, wanted.to?.getTime() ?? 0]

function fromValues([historyId = 0, from = 0, to = 0]: number[]): Wanted {
  if (historyId) return { historyId }
  return { from: from ? new Date(from) : null, to: to ? new Date(to) : null }
}

const asDay = (date: Date): string => date.toISOString().slice(0, 10)
const DAY_MS = 86_400_000

function stemOf(wanted: Wanted, invoices: Invoice[]): string {
  if ('historyId' in wanted) return invoices[0]?.number ?? 'invoice'
  const { from, to } = wanted
  const bounds = [from && asDay(from), to && asDay(new Date(to.getTime() - DAY_MS))]
  if (from && to) return `invoices-${bounds.join('-')}`
  return from ? `invoices-from-${bounds[0]}` : to ? `invoices-until-${bounds[1]}` : 'invoices'
}

async function findWanted(sql: Sql, customerId: number, wanted: Wanted): Promise<Invoice[]> {
  if ('historyId' in wanted) return findOne(sql, customerId, wanted.historyId)
  const found = await findInvoices(sql, { customer_id: customerId, ...wanted, most: INVOICES_A_FILE + 1 })
  if (found.length === 0) throw new Refusal('no_invoices', 'There are no invoices for this period.')
  if (found.length > INVOICES_A_FILE) {
    const most = `A file can contain up to ${INVOICES_A_FILE} invoices. Choose a shorter period.`
    throw new Refusal('too_many_invoices', most)
  }
  return found
}

async function findOne(sql: Sql, customerId: number, historyId: number): Promise<Invoice[]> {
  const { charge_id = null, refund_id = null } = openHistoryId(historyId)
  const [entry] = await sql<{ invoice_id: number | null }[]>`
    select i.invoice_id from charge c left join refund r on r.charge_id = c.charge_id and r.refund_id = ${refund_id}::bigint
      left join invoice i on i.charge_id = c.charge_id and i.refund_id is not distinct from r.refund_id
    where c.customer_id = ${customerId} and (c.charge_id = ${charge_id}::bigint or r.refund_id is not null)`
  if (!entry) throw new Refusal('unknown_payment', 'Payment not found.')
  if (!entry.invoice_id) throw new Refusal('no_invoices', 'Nothing was charged, so there is no invoice.')
  return findInvoices(sql, { invoice_ids: [entry.invoice_id] })
}

/** GET /invoices/…: the file a link leads to, made when it is asked for. */
export function serveInvoices(app: FastifyInstance, world: World): void {
  const rate = { config: { rateLimit: { max: 20, timeWindow: '1 minute' } } }
  app.get('/invoices/:signed/:file', rate, async (request, reply) => {
    const { signed } = request.params as { signed: string }
    const { customerId, format, wanted } = await openInvoices(world, signed)
    const invoices = await findWanted(world.sql, customerId, wanted)
    const { extension, type, make } = INVOICE_FILES[format]
    const bytes = await make(invoices)
    return reply
      .type(type)
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', `attachment; filename="${stemOf(wanted, invoices)}.${extension}"`)
      .send(bytes)
  })
}

/** Refuses `invalid_link` and `link_expired`. */
async function openInvoices({ sql, signing, now }: Links, signed: string) {
  const [customerId, sessionId, format, ...values] = signing.open('invoices', signed, now())
  const [member] = await sql`
    select 1 from session join customer using (customer_id)
    where customer_id = ${Number(customerId)} and session_id = ${Number(sessionId)} and expires_at > ${now()}
      and purpose = 'member' and status = 'active'`
  if (!member) throw new Refusal('link_expired', 'This link belongs to a session that has ended. Sign in again.')
  return { customerId: Number(customerId), format: format as Format, wanted: fromValues(values.map(Number)) }
}
