import { toDecimal } from '../gateways/money.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { type DateRange, type Movement, movementRows } from './movements.ts'

/** The ledger's totals for a range of days, for one currency. */
export type Balance = { currency: string; lines: number; amount_minor: number }

type Totals = Balance & { invoiced_minor: number }

/** How many ledger entries in a currency have no invoice, or one with a different amount or currency. */
export type InvoiceProblems = { currency: string; without: number; differing: number }

type CheckedBalance = Totals & Omit<InvoiceProblems, 'currency'>

/** The totals of the ledger and of the invoices for a range of days. */
export const readTotals = async (sql: Sql, days: DateRange): Promise<Totals[]> => sql<Totals[]>`
  with ledger_sum as (
    select currency, count(*)::int as lines, sum(amount_minor)::bigint as amount_minor from ledger
    where at >= ${days.from} and at < ${days.to} group by currency),
  invoice_sum as (
    select currency, sum(total_minor)::bigint as invoiced_minor from invoice
    where issued_at >= ${days.from} and issued_at < ${days.to} group by currency)
  select currency, coalesce(lines, 0) as lines, coalesce(amount_minor, 0)::bigint as amount_minor,
    coalesce(invoiced_minor, 0)::bigint as invoiced_minor
  from ledger_sum full join invoice_sum using (currency) order by currency`

/** Counts the problems of movements (movements.ts); selected by currency. */
export const invoiceProblems = (sql: Sql) => sql`
  count(*) filter (where invoice_id is null)::int as without,
  count(*) filter (where total_minor <> amount_minor or invoiced_in <> currency)::int as differing`

/** Adds to the totals of each currency what is wrong with its invoices. */
export const checkBalances = (totals: readonly Totals[], problems: readonly InvoiceProblems[]): CheckedBalance[] =>
  totals.map((total) => ({
    ...{ without: 0, differing: 0 },
    ...problems.find(({ currency }) => currency === total.currency),
    ...total,
  }))

const readProblems = async (sql: Sql, days: DateRange): Promise<InvoiceProblems[]> => sql<InvoiceProblems[]>`
  select currency, ${invoiceProblems(sql)} from (${movementRows(sql, days)}) as m group by currency`

/** Why the books of a range of days cannot be exported; '' when every movement has its invoice and all totals match. */
export function balanceProblem(balances: readonly CheckedBalance[]): string {
  for (const { currency, amount_minor, invoiced_minor, without, differing } of balances) {
    if (without > 0) return `${lines(without)} in ${currency} ${without === 1 ? 'has' : 'have'} no invoice.`
    if (differing > 0)
      return `${lines(differing)} in ${currency} ${differing === 1 ? 'has' : 'have'} an invoice with a different amount.`
    if (amount_minor !== invoiced_minor) {
      return `The ledger total is ${toDecimal(amount_minor)} ${currency}; the invoice total is ${toDecimal(invoiced_minor)}.`
    }
  }
  return ''
}

const lines = (n: number): string => `${n} ${n === 1 ? 'ledger entry' : 'ledger entries'}`

const mismatchError = (what: string): ApiError =>
  new ApiError(
    'ledger_mismatch',
    `The ledger and the invoices don’t match for this period, so the report can’t be exported. ${what} Contact an admin.`,
  )

/** The ledger's totals for a range of days. Throws `no_transactions` or `ledger_mismatch`. */
export async function balancesOf(sql: Sql, days: DateRange): Promise<Balance[]> {
  const balances = checkBalances(...(await Promise.all([readTotals(sql, days), readProblems(sql, days)])))
  if (balances.every(({ lines }) => lines === 0)) {
    throw new ApiError('no_transactions', 'No payments or refunds in this period.')
  }
  const problem = balanceProblem(balances)
  if (problem) throw mismatchError(problem)
  return balances
}

/** Adds up the rows written to a file, to compare them with the ledger. */
export class BooksTotals {
  readonly #sums = new Map<string, { lines: number; amount_minor: number }>()

  add({ currency, total_minor, net_minor, tax_minor }: Movement): void {
    if (net_minor + tax_minor !== total_minor)
      throw mismatchError('A net amount and its tax don’t add up to the total.')
    const sum = this.#sums.get(currency) ?? { lines: 0, amount_minor: 0 }
    this.#sums.set(currency, { lines: sum.lines + 1, amount_minor: sum.amount_minor + total_minor })
  }

  /** Throws `ledger_mismatch`. */
  compare(balances: readonly Balance[]): void {
    for (const { currency, lines, amount_minor } of balances) {
      const sum = this.#sums.get(currency) ?? { lines: 0, amount_minor: 0 }
      if (sum.lines === lines && sum.amount_minor === amount_minor) continue
      throw mismatchError(
        `The file total is ${toDecimal(sum.amount_minor)} ${currency}; the ledger total is ${toDecimal(amount_minor)}.`,
      )
    }
  }
}
