import { toDecimal } from '../gateways/money.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { type DateRange, type Movement, movementRows } from './movements.ts'

/** The ledger's totals for a range of days, for one currency. */
export type Balance = { currency: string; lines: number; amount_minor: number }

type CountedBalance = Balance & { invoiced_minor: number; without: number; differing: number }

/** The ledger's totals for a range of days, with the problems of its invoices. */
export const readBalances = async (sql: Sql, days: DateRange): Promise<CountedBalance[]> => sql<CountedBalance[]>`
  with ledger_sum as (
    select currency, count(*)::int as lines, sum(amount_minor)::bigint as amount_minor from ledger
    where at >= ${days.from} and at < ${days.to} group by currency),
  invoice_sum as (
    select currency, sum(total_minor)::bigint as invoiced_minor from invoice
    where issued_at >= ${days.from} and issued_at < ${days.to} group by currency),
  wrong as (
    select currency, count(*) filter (where number is null)::int as without,
      count(*) filter (where total_minor <> amount_minor or invoiced_in <> currency)::int as differing
    from (${movementRows(sql, days)}) as m group by currency)
  select currency, coalesce(lines, 0) as lines, coalesce(amount_minor, 0)::bigint as amount_minor,
    coalesce(invoiced_minor, 0)::bigint as invoiced_minor, coalesce(without, 0) as without,
    coalesce(differing, 0) as differing
  from ledger_sum full join invoice_sum using (currency) full join wrong using (currency) order by currency`

/** Why the books of a range of days cannot be exported; '' when every movement has its invoice and all totals match. */
export function balanceProblem(balances: readonly CountedBalance[]): string {
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
  const balances = await readBalances(sql, days)
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
