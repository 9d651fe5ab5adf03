import * as z from 'zod/mini'
import { day, endpoint, fileAddress, forBilling } from './endpoint.ts'
import { sum } from './money.ts'

/** What came in and went back, for the bookkeeper. */

const bookRange = { from: day, to: day }

const revenueSplit = z.object({
  /** A plan's title, or a gateway. */
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
        refunds_made: z.number(),
        /** What was paid, with tax. */
        gross: z.string(),
        /** What was given back, with tax; not below zero. */
        refunds: z.string(),
        /** What is left of it; net and tax add up to it. */
        total: z.string(),
        net: z.string(),
        tax: z.string(),
      }),
    ),
    taxes: z.array(z.object({ percent: z.number(), currency: z.string(), net: z.string(), tax: z.string() })),
    by_plan: z.array(revenueSplit),
    by_gateway: z.array(revenueSplit),
    /** At the end of the days, or now: what running periods were paid for a month, trials and refunds left out. */
    monthly: z.array(sum),
    /** Members who had a paid period, or one that is still tried to be paid. */
    members: z.object({ at_start: z.number(), joined: z.number(), left: z.number(), at_end: z.number() }),
    /** Why the books cannot be handed out; '' where every movement has its invoice and all adds up. */
    trouble: z.string(),
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
