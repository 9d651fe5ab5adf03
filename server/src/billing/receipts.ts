import type { AppContext } from '../app-context.ts'
import { toDecimal } from '../gateways/money.ts'
import { customerReference } from '../membership/emails.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { type EmailContent, renderEmail, type Sender } from '../platform/email-template.ts'
import { queueMail } from '../platform/outbox.ts'
import { createInvoicePdf } from './invoice-pdf.ts'
import { findInvoices, type Invoice, paymentMethodText } from './issued-invoices.ts'

type ReceiptContext = Pick<AppContext, 'sql' | 'log' | 'settings' | 'now'>

const BATCH_SIZE = 20

/**
 * Queues the emails of invoices and credit notes that have none yet, each in a transaction that also records it: any
 * number of workers, killed at any point, queue exactly one email for each.
 */
export async function mailReceipts(ctx: ReceiptContext): Promise<void> {
  const failedIds: number[] = []
  for (let n = 0; n < BATCH_SIZE; n++) {
    const isMailed = await mailNextReceipt(ctx, failedIds)
    if (!isMailed) return
  }
}

/** Returns false when there is none left. One that cannot be created is skipped, and tried again next time. */
async function mailNextReceipt({ sql, log, settings, now }: ReceiptContext, failedIds: number[]): Promise<boolean> {
  let invoiceId: number | undefined
  try {
    await sql.begin(async (sql) => {
      const [next] = await sql<{ invoice_id: number; customer_id: number }[]>`
        select invoice_id, customer_id from invoice where mailed_at is null and invoice_id <> all(${failedIds}::bigint[])
        order by invoice_id limit 1 for update skip locked`
      if (!next) return
      invoiceId = next.invoice_id
      await queueReceipt(sql, settings.emailSender, next)
      await sql`update invoice set mailed_at = ${now()} where invoice_id = ${next.invoice_id}`
    })
  } catch (error) {
    if (invoiceId === undefined) throw error
    log.error({ err: error, invoice_id: invoiceId }, 'Could not create a receipt email')
    failedIds.push(invoiceId)
  }
  return invoiceId !== undefined
}

/**
 * Sends a receipt again, to the member's current address. Throws `unknown_payment`, and `no_email_address` for a
 * deleted member.
 */
export async function resendReceipt(sql: Sql, sender: Sender, invoiceId: number): Promise<void> {
  const [next] = await sql<
    PendingReceipt[]
  >`select invoice_id, customer_id from invoice where invoice_id = ${invoiceId}`
  if (!next) throw new ApiError('unknown_payment', 'Invoice not found.')
  const isQueued = await queueReceipt(sql, sender, next)
  if (!isQueued)
    throw new ApiError(
      'no_email_address',
      'This member’s account was deleted, so there is no email address to send it to.',
    )
}

type PendingReceipt = { invoice_id: number; customer_id: number }

/**
 * Returns false when the member's account was deleted: they get no email. Locks the member, so that the account cannot
 * be deleted before the email is queued.
 */
async function queueReceipt(sql: Sql, sender: Sender, { invoice_id, customer_id }: PendingReceipt): Promise<boolean> {
  const [member] = await sql<ReceiptRecipient[]>`
    select email, dj_name from customer where customer_id = ${customer_id} and status <> 'deleted' for share`
  if (!member) return false
  const [invoice] = await findInvoices(sql, { invoice_ids: [invoice_id] })
  if (!invoice) throw new Error(`Invoice ${invoice_id} not found`)
  const bytes = await createInvoicePdf(invoice)
  const attachment = { name: `${invoice.number}.pdf`, type: 'application/pdf', bytes }
  await queueMail(sql, receiptEmail(sender, member, invoice), { reference: customerReference(customer_id), attachment })
  return true
}

type ReceiptRecipient = { email: string; dj_name: string }

const receiptEmail = (sender: Sender, { email: to, dj_name }: ReceiptRecipient, invoice: Invoice): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Your ${invoice.kind === 'invoice' ? 'receipt' : 'refund'} from ${sender.poolName}`,
    lines: [`Hi ${dj_name},`, ...(invoice.kind === 'invoice' ? paymentLines(invoice) : refundLines(invoice))],
    button: { label: 'View billing history', url: `${sender.publicUrl}/account/billing` },
  })

const formatAmount = ({ total_minor, currency }: Invoice): string => `${toDecimal(Math.abs(total_minor))} ${currency}`

const paymentLines = (invoice: Invoice): string[] => [
  invoice.total_minor === 0
    ? `Thanks for your order of ${invoice.lines[0]?.text}. There was nothing to pay.`
    : `Thanks for your payment of ${formatAmount(invoice)} for ${invoice.lines[0]?.text}, paid via ${paymentMethodText(invoice)}.`,
  `Invoice ${invoice.number} is attached. You can see your next payment date in your account.`,
]

const refundLines = (invoice: Invoice): string[] => [
  `We’ve refunded ${formatAmount(invoice)} to your original payment method (${paymentMethodText(invoice)}). It can take a few days to arrive.`,
  `${invoice.lines[0]?.text}.`,
  `Credit note ${invoice.number} for invoice ${invoice.corrects} is attached.`,
]
