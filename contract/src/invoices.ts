import * as z from 'zod/mini'
import { endpoint, fileAddress, forBilling, id, optionalId, page, pagination, search } from './endpoint.ts'
import { range } from './money.ts'

/** Invoices and credit notes. */

export const INVOICES_PER_PAGE = 50
export const INVOICE_KINDS = ['invoice', 'credit_note'] as const

const invoiceFilters = {
  kind: z.optional(z.enum(INVOICE_KINDS)),
  /** The start of an invoice number, or part of a name or address as issued. */
  search,
  customer_id: optionalId('customer_id'),
  ...range,
}

const staffInvoice = z.object({
  invoice_id: z.number(),
  kind: z.enum(INVOICE_KINDS),
  number: z.string(),
  issued_at: z.string(),
  customer_id: z.number(),
  /** The buyer's details on the day of issue. */
  buyer: z.string(),
  dj_name: z.string(),
  text: z.string(),
  net: z.string(),
  tax: z.string(),
  total: z.string(),
  tax_percent: z.number(),
  currency: z.string(),
  charge_id: z.number(),
  subscription_id: z.number(),
  /** For a credit note: the number of the invoice it corrects. */
  corrects: z.nullable(z.string()),
  /** Null until its email has been written. */
  mailed_at: z.nullable(z.string()),
  /** False if the member has deleted their account. */
  can_mail: z.boolean(),
})
export type StaffInvoice = z.output<typeof staffInvoice>

export const getInvoices = endpoint({
  ...forBilling,
  path: 'staff/invoices.json',
  summary: 'List invoices and credit notes, newest first.',
  input: z.object({ ...invoiceFilters, page }),
  reply: z.object({ invoices: z.array(staffInvoice), pagination }),
})

export const getInvoiceFile = endpoint({
  ...forBilling,
  path: 'staff/invoice-file.json',
  summary: 'Get a download link for one invoice, or all matching invoices, as PDF or Excel.',
  input: z.object({
    invoice_id: z.optional(id('invoice_id')),
    ...invoiceFilters,
    format: z.enum(['pdf', 'excel'], 'format must be pdf or excel.'),
  }),
  reply: fileAddress,
  errors: ['unknown_payment', 'no_invoices', 'too_many_invoices'],
})

export const mailInvoice = endpoint({
  ...forBilling,
  path: 'staff/mail-invoice.json',
  summary: 'Resend an invoice or credit note to the member’s current email address.',
  input: z.object({ invoice_id: id('invoice_id') }),
  reply: z.object({ invoice: staffInvoice }),
  errors: ['unknown_payment', 'no_email_address'],
})
