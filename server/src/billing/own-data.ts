import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'
import { ApiError } from '../platform/api-error.ts'
import { findOpenSubscription } from './subscriptions.ts'

/**
 * The data that the billing module stores about a member. Payments and invoices remain, because the law requires
 * keeping the books for some years.
 */
export const billingData: OwnData[] = [
  {
    name: 'subscriptions',
    // A checkout started while the account was being deleted: nobody could ever cancel it.
    deleteData: async (sql, customerId) => {
      const open = await findOpenSubscription(sql, customerId)
      if (!open || open.has_ended) return
      throw new ApiError('payment_in_progress', 'One of your payments is being processed. Try again in a minute.')
    },
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select subscription_id, p.title as plan, s.gateway, method, card_brand, card_last_four, s.price_minor, s.currency,
            s.interval, s.status, paid_until, s.created_at,
            (select code from coupon k where k.coupon_id = s.coupon_id) as coupon,
            (select ahead_seconds from sandbox_clock c where c.customer_id = s.customer_id) as clock_ahead_seconds
          from subscription s join plan p using (plan_id)
          where customer_id = ${customerId} order by subscription_id limit ${limit} offset ${offset}`,
      ),
  },
  {
    name: 'subscription-history',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select e.subscription_id, e.kind, e.detail, e.at from subscription_event e join subscription s using (subscription_id)
          where s.customer_id = ${customerId} order by e.at, e.subscription_id, e.kind, e.reference limit ${limit} offset ${offset}`,
      ),
    // Events stay with the books; notes written by staff are deleted.
    deleteData: async (sql, customerId) => {
      await sql`
        update subscription_event e set detail = '' from subscription s
        where s.subscription_id = e.subscription_id and s.customer_id = ${customerId} and e.staff_id is not null`
    },
  },
  {
    name: 'payments',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select l.at, l.amount_minor, l.currency, c.period_start, c.period_end, c.method, c.paid_with,
            i.year || '-' || lpad(i.serial::text, greatest(5, length(i.serial::text)), '0') as invoice
          from ledger l join charge c using (charge_id)
            left join invoice i on i.charge_id = c.charge_id and i.refund_id is not distinct from l.refund_id
          where l.customer_id = ${customerId} order by ledger_id limit ${limit} offset ${offset}`,
      ),
  },
  {
    name: 'feedback',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select message, at from cancel_feedback
          where customer_id = ${customerId} order by cancel_feedback_id limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) => {
      await sql`delete from cancel_feedback where customer_id = ${customerId}`
      await sql`delete from sandbox_clock where customer_id = ${customerId}`
    },
  },
]
