import * as z from 'zod/mini'

/** The fields of PayPal's objects that the pool reads: github.com/paypal/paypal-rest-api-specifications. */

const money = z.object({ currency_code: z.string(), value: z.string() })
const links = z.nullish(z.array(z.object({ rel: z.string(), href: z.string() })))

export const paypalSubscription = z.object({
  id: z.string(),
  status: z.string(),
  plan_id: z.nullish(z.string()),
  custom_id: z.nullish(z.string()),
  start_time: z.nullish(z.string()),
  create_time: z.nullish(z.string()),
  subscriber: z.nullish(z.object({ payer_id: z.nullish(z.string()) })),
  billing_info: z.nullish(
    z.object({
      last_failed_payment: z.nullish(z.object({ amount: money, time: z.string() })),
    }),
  ),
  links,
})
export type PaypalSubscription = z.output<typeof paypalSubscription>

export const paypalTransactions = z.object({
  transactions: z.nullish(
    z.array(
      z.object({
        id: z.string(),
        status: z.nullish(z.string()),
        time: z.string(),
        amount_with_breakdown: z.object({ gross_amount: money }),
      }),
    ),
  ),
})

export const paypalRefund = z.object({
  id: z.string(),
  status: z.nullish(z.string()),
  amount: z.nullish(money),
  links,
})

export const paypalRevision = z.object({ links })

export const paypalEvent = z.object({
  id: z.string(),
  event_type: z.string(),
  create_time: z.iso.datetime({ offset: true }),
  resource: z.unknown(),
})
export type PaypalEvent = z.output<typeof paypalEvent>

const total = z.object({ total: z.string(), currency: z.string() })

/** One payment of a subscription, or a refund of it, whose total is negative. */
export const paypalSale = z.object({
  id: z.string(),
  billing_agreement_id: z.nullish(z.string()),
  create_time: z.string(),
  amount: total,
})
export const paypalSaleRefund = z.object({
  id: z.string(),
  sale_id: z.nullish(z.string()),
  amount: total,
  links,
})

/** Returns the URL of the link with this relation, or undefined. */
export const findLink = (options: z.output<typeof links>, rel: string): string | undefined =>
  options?.find((link) => link.rel === rel)?.href
