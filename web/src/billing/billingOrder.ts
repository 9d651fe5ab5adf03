import type { billing, InputOf } from '@dubplate/contract'

/** The columns the history can be sorted by, as named in the URL; unsorted, the newest entry comes first. */
const BILLING_ORDERS = ['payment_date', 'amount'] as const
export type BillingOrder = (typeof BILLING_ORDERS)[number]
type Direction = NonNullable<InputOf<typeof billing.getBilling>['orderDir']>

export type BillingSort = { order?: BillingOrder; dir?: Direction }

/** The three states of a heading in turn: latest or largest first, the reverse, unsorted. */
export function nextBillingSort(sort: BillingSort, order: BillingOrder): BillingSort {
  if (sort.order !== order) return { order, dir: 'DESC' }
  return sort.dir === 'ASC' ? {} : { order, dir: 'ASC' }
}

/** The sort order of the URL as the API takes it. */
export const billingOrderInput = ({ order, dir = 'DESC' }: BillingSort) =>
  order ? { order, orderDir: dir } : ({ order: 'history_id', orderDir: 'DESC' } as const)
