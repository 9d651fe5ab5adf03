import { coupons, type ParsedInputOf } from '@dubplate/contract'
import * as z from 'zod/mini'
import { isTaken } from '../gateways/currencies.ts'
import { asMinor } from '../gateways/money.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal, refuseTogether } from '../platform/refusal.ts'

/** How a coupon of the alias `c` stands at a moment. */
export const stateOf = (sql: Sql, now: Date) => sql`
  case when c.ends_at <= ${now}
      or c.most_uses <= (select count(*) from coupon_use u where u.coupon_id = c.coupon_id) then 'over'
    when c.starts_at > ${now} then 'to_come' else 'on' end`

type Counted = { starts_at: Date | null; ends_at: Date | null; most_uses: number | null; uses: number }

/** The same of one that was read. */
export function standingOf({ ends_at, most_uses, uses, starts_at }: Counted, now: Date): coupons.Coupon['state'] {
  if ((ends_at && ends_at <= now) || (most_uses !== null && uses >= most_uses)) return 'over'
  return starts_at && starts_at > now ? 'to_come' : 'on'
}

type Typed = Omit<ParsedInputOf<typeof coupons.saveCoupon>, 'coupon_id' | 'version' | 'code'>

/** A coupon's terms as they are kept. Refuses `coupon_terms`, with the field that is wrong, and `unknown_plan`. */
export async function termsOf(sql: Sql, { amount, starts_at, ends_at, ...typed }: Typed) {
  const { currency, plan_ids } = typed
  const amount_minor = amount === null ? null : asMinor(amount)
  await checkTerms({ ...typed, amount, starts_at, ends_at })
  if (plan_ids) await refuseUnknownPlans(sql, plan_ids)
  return {
    ...typed,
    amount_minor,
    currency: amount_minor === null ? null : currency,
    starts_at: starts_at === null ? null : new Date(starts_at),
    ends_at: ends_at === null ? null : new Date(ends_at),
    plan_ids: plan_ids && [...new Set(plan_ids)].sort((a, b) => a - b),
  }
}

type Checked = Pick<Typed, 'percent' | 'amount' | 'currency' | 'starts_at' | 'ends_at'>

function checkTerms({ percent, amount, currency, starts_at, ends_at }: Checked): Promise<void> {
  const wrong = (field: string, sentence: string) => {
    throw new Refusal('coupon_terms', sentence, { fields: { [field]: sentence } })
  }
  return refuseTogether([
    () =>
      (percent === null) === (amount === null) && wrong('percent', 'Say what it takes off: a percentage or an amount.'),
    () => amount !== null && asMinor(amount) === 0 && wrong('amount', 'It takes nothing off.'),
    () =>
      amount !== null &&
      (currency === null || !isTaken(currency)) &&
      wrong('currency', 'Say in which currency, one with two decimals such as EUR.'),
    () => starts_at && ends_at && starts_at >= ends_at && wrong('ends_at', 'It ends before it begins.'),
  ])
}

const termsInput = z.pick(coupons.saveCoupon.input, {
  ...{ percent: true, amount: true, currency: true, starts_at: true, ends_at: true },
})

/** What can be told of the terms of a coupon while other fields of it are blank or wrong. */
export async function checkCoupon(given: object): Promise<void> {
  const terms = termsInput.safeParse(given)
  if (terms.success) await checkTerms(terms.data)
}

/** Held to the end of the transaction: whoever removes one of these plans meanwhile finds the coupon. */
async function refuseUnknownPlans(sql: Sql, planIds: readonly number[]): Promise<void> {
  const known = await sql`
    select 1 from plan where plan_id = any(${[...planIds]}::bigint[]) order by plan_id for key share`
  if (known.length < new Set(planIds).size) throw new Refusal('unknown_plan', 'One of its plans is not there any more.')
}
