import { books, coupons, invoices, plans, subscriptions } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { checkRawTerms } from '../billing/coupon-terms.ts'
import { createCoupons, endPromotion, generateCode, readPromotion } from '../billing/promotions.ts'
import { cancelForMember, checkRawEnd, endNow, resumeForMember } from '../billing/staff-changes.ts'
import { auditedCoupon, checkCoupon, endCoupon, listCoupons, saveCoupon } from '../billing/staff-coupons.ts'
import {
  auditedPlan,
  checkPlan,
  listAllPlans,
  orderPlans,
  readStaffPlan,
  removePlan,
  savePlan,
} from '../billing/staff-plans.ts'
import { listSubscriptions, readSubscriptionDetails } from '../billing/staff-subscriptions.ts'
import { readMonthSheet } from '../books/month-sums.ts'
import { getStaffInvoice, listInvoices } from '../invoices/invoice-list.ts'
import { resendReceipt } from '../invoices/receipts.ts'
import { type Caller, requireConfirmedIdentity } from '../membership/caller.ts'
import type { Call } from '../platform/serve.ts'
import { type RecordEntry, staffRead, staffWrite, staffWriteInSteps } from './audit.ts'
import { booksLink, codesLink, invoicesLink, toDays } from './commerce-files.ts'

/**
 * Plans, subscriptions and reports for staff; each action is recorded in the audit log. Payments are in payments.ts.
 */
export const commerceRoutes = (ctx: AppContext): Call<Caller>[] => [
  ...planRoutes(ctx),
  ...couponRoutes(ctx),
  ...subscriptionRoutes(ctx),
  ...invoiceRoutes(ctx),
]

const planRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql } = ctx
  const subject = ({ plan_id }: { plan_id: number }) => `plan ${plan_id}`
  return [
    staffRead(plans.getPlans, async () => ({ plans: await listAllPlans(sql, ctx.now()) })),
    staffWrite(
      plans.savePlan,
      { action: ({ plan_id }) => (plan_id ? 'plan updated' : 'plan created') },
      async ({ input, sql }) => {
        const { plan_id, before } = await savePlan(sql, input)
        const plan = await readStaffPlan(sql, plan_id, ctx.now())
        return { reply: { plan }, subject: subject(plan), before, after: auditedPlan(plan) }
      },
      { alsoCheck: (fields) => checkPlan(sql, fields) },
    ),
    staffWrite(plans.orderPlans, { action: 'plans reordered', subject: 'plans' }, async ({ input, sql }) => {
      const before = (await listAllPlans(sql, ctx.now())).map(({ plan_id }) => plan_id)
      await orderPlans(sql, input.plan_ids)
      return { reply: {}, before: { order: before.join(', ') }, after: { order: input.plan_ids.join(', ') } }
    }),
    staffWrite(plans.removePlan, { action: 'plan deleted', subject }, async ({ input, sql }) => ({
      reply: {},
      before: await removePlan(sql, input.plan_id),
    })),
  ]
}

const couponRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql } = ctx
  const couponSubject = ({ coupon_id }: { coupon_id: number }) => `coupon ${coupon_id}`
  const promotionSubject = ({ promotion_id }: { promotion_id: number }) => `promotion ${promotion_id}`
  return [
    staffRead(coupons.getCoupons, async ({ input }) => listCoupons(sql, input, ctx.now())),
    staffWrite(
      coupons.saveCoupon,
      { action: ({ coupon_id }) => (coupon_id ? 'coupon updated' : 'coupon created') },
      async ({ input, sql }) => {
        const { coupon, before } = await saveCoupon(sql, input, ctx.now())
        return {
          reply: { coupon },
          subject: couponSubject(coupon),
          before: before && auditedCoupon(before),
          after: auditedCoupon(coupon),
        }
      },
      { alsoCheck: (fields) => checkCoupon(sql, fields) },
    ),
    staffWrite(coupons.endCoupon, { action: 'coupon deactivated', subject: couponSubject }, async ({ input, sql }) => {
      const { before, coupon } = await endCoupon(sql, input, ctx.now())
      return { reply: { coupon }, before: { ends_at: before }, after: { ends_at: coupon.ends_at } }
    }),
    staffRead(coupons.makeCode, async () => ({ code: await generateCode(sql) }), { perMinute: 60 }),
    staffWrite(
      coupons.makeCoupons,
      { action: 'promotion created' },
      async ({ input, sql }) => {
        const promotion = await createCoupons(sql, input, ctx.now())
        const { title, codes, description } = promotion
        return { reply: { promotion }, subject: promotionSubject(promotion), after: { title, codes, description } }
      },
      { alsoCheck: (fields) => checkRawTerms(sql, fields) },
    ),
    staffWrite(
      coupons.endPromotion,
      { action: 'promotion deactivated', subject: promotionSubject },
      async ({ input, sql }) => {
        const ended = await endPromotion(sql, input.promotion_id, ctx.now())
        const promotion = await readPromotion(sql, input.promotion_id, ctx.now())
        return { reply: { promotion }, after: { codes_ended: ended } }
      },
    ),
    staffRead(coupons.getCodesFile, async ({ input, member }) => codesLink(ctx, member, input)),
  ]
}

const subscriptionRoutes = (ctx: AppContext): Call<Caller>[] => {
  /** Records what became of a subscription, and returns it. */
  const recordStatus = async (
    record: RecordEntry,
    action: string,
    { subscription_id, seen }: { subscription_id: number; seen: string },
  ) => {
    const subscription = await readSubscriptionDetails(ctx, subscription_id)
    const [before, after] = [{ status: seen }, { status: subscription.status }]
    await record(ctx.sql, { action, subject: `subscription ${subscription_id}`, before, after })
    return subscription
  }
  return [
    staffRead(subscriptions.getSubscriptions, async ({ input }) => listSubscriptions(ctx, input)),
    staffRead(subscriptions.getSubscription, async ({ input }) => ({
      subscription: await readSubscriptionDetails(ctx, input.subscription_id),
    })),
    staffWriteInSteps(subscriptions.cancelSubscription, async ({ input, staff_id, record }) => {
      await cancelForMember(ctx, { ...input, staff_id })
      return { subscription: await recordStatus(record, 'subscription cancelled', input) }
    }),
    staffWriteInSteps(subscriptions.resumeSubscription, async ({ input, staff_id, record }) => {
      await resumeForMember(ctx, { ...input, staff_id })
      return { subscription: await recordStatus(record, 'subscription resumed', input) }
    }),
    staffWriteInSteps(
      subscriptions.endSubscription,
      async ({ input, member, staff_id, record }) => {
        if (input.refund !== undefined) requireConfirmedIdentity(member)
        const { refunds, failure_reason } = await endNow(ctx, { ...input, staff_id })
        for (const { charge_id, refunded } of refunds)
          await record(ctx.sql, { action: 'payment refunded', subject: `charge ${charge_id}`, after: { refunded } })
        return { subscription: await recordStatus(record, 'subscription ended', input), refund_error: failure_reason }
      },
      { alsoCheck: (fields) => checkRawEnd(ctx, fields) },
    ),
  ]
}

const invoiceRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql } = ctx
  return [
    staffRead(invoices.getInvoices, async ({ input }) => listInvoices(sql, input)),
    staffRead(invoices.getInvoiceFile, async ({ input, member }) => invoicesLink(ctx, member, input)),
    staffWrite(
      invoices.mailInvoice,
      { action: 'invoice resent', subject: ({ invoice_id }) => `invoice ${invoice_id}` },
      async ({ input, sql }) => {
        await resendReceipt(sql, ctx.settings.emailSender, input.invoice_id)
        return { reply: { invoice: await getStaffInvoice(sql, input.invoice_id) } }
      },
      { perMinute: 30 },
    ),
    staffRead(books.getMonthSheet, async ({ input }) => readMonthSheet(sql, toDays(input), ctx.now())),
    staffRead(books.getBooksFile, async ({ input, member }) => booksLink(ctx, member, input), { perMinute: 30 }),
  ]
}
