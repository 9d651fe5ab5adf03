import * as z from 'zod/mini'
import { day, endpoint, fileAddress, forBilling } from './endpoint.ts'
import { sum } from './money.ts'

/** Payments and refunds, for accounting. */

const bookRange = { from: day, to: day }

const revenueSplit = z.object({
  /** The plan's title, or the name of a payment provider. */
  name: z.string(),
  currency: z.string(),
  payments: z.number(),
  gross: z.string(),
  refunds: z.string(),
  total: z.string(),
})
export type RevenueSplit = z.output<typeof revenueSplit>

export const getMonthSheet = endpoint({
  ...forBilling,
  path: 'staff/month-sheet.json',
  summary: 'List payments and refunds for a date range, with the same rows as the exported file.',
  input: z.object(bookRange),
  reply: z.object({
    sums: z.array(
      z.object({
        currency: z.string(),
        payments: z.number(),
        refund_count: z.number(),
        /** Payments, including tax. */
        gross: z.string(),
        /** Refunds, including tax; not negative. */
        refunds: z.string(),
        /** `gross` less `refunds`; `net` and `tax` add up to it. */
        total: z.string(),
        net: z.string(),
        tax: z.string(),
      }),
    ),
    taxes: z.array(z.object({ percent: z.number(), currency: z.string(), net: z.string(), tax: z.string() })),
    by_plan: z.array(revenueSplit),
    by_gateway: z.array(revenueSplit),
    /** Monthly recurring revenue at the end of the range, or now; without trials and refunds. */
    monthly: z.array(sum),
    /** Members with a paid period, or one whose payment is still being retried. */
    members: z.object({ at_start: z.number(), joined: z.number(), left: z.number(), at_end: z.number() }),
    /** Why the report cannot be exported; '' if every movement has an invoice and the sums agree. */
    balance_error: z.string(),
  }),
})

export const getBooksFile = endpoint({
  ...forBilling,
  path: 'staff/books-file.json',
  summary:
    'Get a signed download link for all payments and refunds in a date range. The link expires with the session.',
  input: z.object({ ...bookRange, format: z.enum(['csv', 'excel'], 'format must be csv or excel.') }),
  reply: fileAddress,
  errors: ['no_transactions', 'ledger_mismatch', 'too_many_rows'],
})
