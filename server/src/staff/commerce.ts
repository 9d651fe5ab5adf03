import { books, coupons, invoices, plans, subscriptions } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { checkRawTerms } from '../billing/coupon-terms.ts'
import { getStaffInvoice, listInvoices } from '../billing/invoice-list.ts'
import { createCoupons, endPromotion, generateCode, readPromotion } from '../billing/promotions.ts'
import { resendReceipt } from '../billing/receipts.ts'
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
import { type Route, requireConfirmedIdentity } from '../membership/caller.ts'
import { type RecordEntry, staffRead, staffWrite, staffWriteInSteps } from './audit.ts'
import { booksLink, codesLink, invoicesLink, toDays } from './commerce-files.ts'

const subject = ({ plan_id }: { plan_id: number }) => `plan ${plan_id}`

const planRoutes: Route[] = [
  staffRead(plans.getPlans, async ({ ctx, sql }) => ({
    plans: await listAllPlans(sql, ctx.now()),
    download_limit: ctx.settings.downloadLimit,
  })),
  staffWrite(
    plans.savePlan,
    { action: ({ plan_id }) => (plan_id ? 'plan updated' : 'plan created') },
    async ({ input, sql, ctx }) => {
      const { plan_id, before } = await savePlan(sql, input)
      const plan = await readStaffPlan(sql, plan_id, ctx.now())
      return { reply: { plan }, subject: subject(plan), before, after: auditedPlan(plan) }
    },
    { alsoCheck: (fields, { sql }) => checkPlan(sql, fields) },
  ),
  staffWrite(plans.orderPlans, { action: 'plans reordered', subject: 'plans' }, async ({ input, sql, ctx }) => {
    const before = (await listAllPlans(sql, ctx.now())).map(({ plan_id }) => plan_id)
    await orderPlans(sql, input.plan_ids)
    return { reply: {}, before: { order: before.join(', ') }, after: { order: input.plan_ids.join(', ') } }
  }),
  staffWrite(plans.removePlan, { action: 'plan deleted', subject }, async ({ input, sql }) => ({
    reply: {},
    before: await removePlan(sql, input.plan_id),
  })),
]

const couponSubject = ({ coupon_id }: { coupon_id: number }) => `coupon ${coupon_id}`
const promotionSubject = ({ promotion_id }: { promotion_id: number }) => `promotion ${promotion_id}`

const couponRoutes: Route[] = [
  staffRead(coupons.getCoupons, async ({ input, ctx, sql }) => listCoupons(sql, input, ctx.now())),
  staffWrite(
    coupons.saveCoupon,
    { action: ({ coupon_id }) => (coupon_id ? 'coupon updated' : 'coupon created') },
    async ({ input, sql, ctx }) => {
      const { coupon, before } = await saveCoupon(sql, input, ctx.now())
      return {
        reply: { coupon },
        subject: couponSubject(coupon),
        before: before && auditedCoupon(before),
        after: auditedCoupon(coupon),
      }
    },
    { alsoCheck: (fields, { sql }) => checkCoupon(sql, fields) },
  ),
  staffWrite(
    coupons.endCoupon,
    { action: 'coupon deactivated', subject: couponSubject },
    async ({ input, sql, ctx }) => {
      const { before, coupon } = await endCoupon(sql, input, ctx.now())
      return { reply: { coupon }, before: { ends_at: before }, after: { ends_at: coupon.ends_at } }
    },
  ),
  staffRead(coupons.makeCode, async ({ sql }) => ({ code: await generateCode(sql) }), { perMinute: 60 }),
  staffWrite(
    coupons.makeCoupons,
    { action: 'promotion created' },
    async ({ input, sql, ctx }) => {
      const promotion = await createCoupons(sql, input, ctx.now())
      const { title, codes, description } = promotion
      return { reply: { promotion }, subject: promotionSubject(promotion), after: { title, codes, description } }
    },
    { alsoCheck: (fields, { sql }) => checkRawTerms(sql, fields) },
  ),
  staffWrite(
    coupons.endPromotion,
    { action: 'promotion deactivated', subject: promotionSubject },
    async ({ input, sql, ctx }) => {
      const ended = await endPromotion(sql, input.promotion_id, ctx.now())
      const promotion = await readPromotion(sql, input.promotion_id, ctx.now())
      return { reply: { promotion }, after: { codes_ended: ended } }
    },
  ),
  staffRead(coupons.getCodesFile, async ({ input, member, ctx }) => codesLink(ctx, member, input)),
]

/** Records what became of a subscription, and returns it. */
const recordStatus = async (
  ctx: AppContext,
  record: RecordEntry,
  action: string,
  { subscription_id, seen }: { subscription_id: number; seen: string },
) => {
  const subscription = await readSubscriptionDetails(ctx, subscription_id)
  const [before, after] = [{ status: seen }, { status: subscription.status }]
  await record(ctx.sql, { action, subject: `subscription ${subscription_id}`, before, after })
  return subscription
}

const subscriptionRoutes: Route[] = [
  staffRead(subscriptions.getSubscriptions, async ({ input, ctx }) => listSubscriptions(ctx, input)),
  staffRead(subscriptions.getSubscription, async ({ input, ctx }) => ({
    subscription: await readSubscriptionDetails(ctx, input.subscription_id),
  })),
  staffWriteInSteps(subscriptions.cancelSubscription, async ({ input, staff_id, record, ctx }) => {
    await cancelForMember(ctx, { ...input, staff_id })
    return { subscription: await recordStatus(ctx, record, 'subscription cancelled', input) }
  }),
  staffWriteInSteps(subscriptions.resumeSubscription, async ({ input, staff_id, record, ctx }) => {
    await resumeForMember(ctx, { ...input, staff_id })
    return { subscription: await recordStatus(ctx, record, 'subscription resumed', input) }
  }),
  staffWriteInSteps(
    subscriptions.endSubscription,
    async ({ input, member, staff_id, record, ctx, sql }) => {
      if (input.refund !== undefined) requireConfirmedIdentity(member)
      const { refunds, failure_reason } = await endNow(ctx, { ...input, staff_id })
      for (const { charge_id, refunded } of refunds)
        await record(sql, { action: 'payment refunded', subject: `charge ${charge_id}`, after: { refunded } })
      return {
        subscription: await recordStatus(ctx, record, 'subscription ended', input),
        refund_error: failure_reason,
      }
    },
    { alsoCheck: (fields, { ctx }) => checkRawEnd(ctx, fields) },
  ),
]

const invoiceRoutes: Route[] = [
  staffRead(invoices.getInvoices, async ({ input, sql }) => listInvoices(sql, input)),
  staffRead(invoices.getInvoiceFile, async ({ input, member, ctx }) => invoicesLink(ctx, member, input)),
  staffWrite(
    invoices.mailInvoice,
    { action: 'invoice resent', subject: ({ invoice_id }) => `invoice ${invoice_id}` },
    async ({ input, sql, ctx }) => {
      await resendReceipt(sql, ctx.settings.emailSender, input.invoice_id)
      return { reply: { invoice: await getStaffInvoice(sql, input.invoice_id) } }
    },
    { perMinute: 30 },
  ),
  staffRead(books.getMonthSheet, async ({ input, ctx, sql }) => readMonthSheet(sql, toDays(input), ctx.now())),
  staffRead(books.getBooksFile, async ({ input, member, ctx }) => booksLink(ctx, member, input), { perMinute: 30 }),
]

/**
 * Plans, subscriptions and reports for staff; each action is recorded in the audit log. Payments are in payments.ts.
 */
export const commerceRoutes: Route[] = [...planRoutes, ...couponRoutes, ...subscriptionRoutes, ...invoiceRoutes]
