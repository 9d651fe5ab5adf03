import { books, coupons, invoices, plans, subscriptions } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { checkRawTerms } from '../billing/coupon-terms.ts'
import { createCoupons, endPromotion, generateCode, readPromotion } from '../billing/promotions.ts'
import { cancelForMember, checkRawEnd, endNow, resumeForMember } from '../billing/staff-changes.ts'
import { auditedCoupon, checkCoupon, endCoupon, listCoupons, saveCoupon } from '../billing/staff-coupons.ts'
import {
  checkPlan,
  auditedPlan as keptOfPlan,
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
import { type Caller, on, requireConfirmedIdentity } from '../membership/caller.ts'
import type { Call, CallContext } from '../platform/serve.ts'
import { type AuditAction, recordAudit } from './audit.ts'
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

type StaffCall = Pick<CallContext<typeof plans.getPlans, Caller>, 'member' | 'request'>

const by = ({ member, request }: StaffCall): Pick<AuditAction, 'staff_id' | 'ip'> => ({
  staff_id: member.customer_id,
  ip: request.ip,
})

const planRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql } = ctx
  return [
    on(plans.getPlans, async () => ({ plans: await listAllPlans(sql, ctx.now()) })),
    on(
      plans.savePlan,
      async ({ input, ...call }) =>
        sql.begin(async (sql) => {
          const { plan_id, before } = await savePlan(sql, input)
          const plan = await readStaffPlan(sql, plan_id, ctx.now())
          await recordAudit(sql, {
            ...by(call),
            action: before ? 'plan updated' : 'plan created',
            subject: `plan ${plan_id}`,
            ...(before ? { before } : {}),
            after: keptOfPlan(plan),
          })
          return { plan }
        }),
      { alsoCheck: (fields) => checkPlan(sql, fields) },
    ),
    on(plans.orderPlans, async ({ input, ...call }) =>
      sql.begin(async (sql) => {
        const before = (await listAllPlans(sql, ctx.now())).map(({ plan_id }) => plan_id)
        await orderPlans(sql, input.plan_ids)
        const after = { order: input.plan_ids.join(', ') }
        const auditEntry = { action: 'plans reordered', subject: 'plans', before: { order: before.join(', ') }, after }
        await recordAudit(sql, { ...by(call), ...auditEntry })
        return {}
      }),
    ),
    on(plans.removePlan, async ({ input, ...call }) =>
      sql.begin(async (sql) => {
        const before = await removePlan(sql, input.plan_id)
        await recordAudit(sql, { ...by(call), action: 'plan deleted', subject: `plan ${input.plan_id}`, before })
        return {}
      }),
    ),
  ]
}

const couponRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql } = ctx
  return [
    on(coupons.getCoupons, async ({ input }) => listCoupons(sql, input, ctx.now())),
    on(
      coupons.saveCoupon,
      async ({ input, ...call }) =>
        sql.begin(async (sql) => {
          const { coupon, before } = await saveCoupon(sql, input, ctx.now())
          await recordAudit(sql, {
            ...by(call),
            action: before ? 'coupon updated' : 'coupon created',
            subject: `coupon ${coupon.coupon_id}`,
            ...(before ? { before: auditedCoupon(before) } : {}),
            after: auditedCoupon(coupon),
          })
          return { coupon }
        }),
      { alsoCheck: (fields) => checkCoupon(sql, fields) },
    ),
    on(coupons.endCoupon, async ({ input, ...call }) =>
      sql.begin(async (sql) => {
        const { before, coupon } = await endCoupon(sql, input, ctx.now())
        const subject = `coupon ${coupon.coupon_id}`
        const [previousValue, currentValue] = [{ ends_at: before }, { ends_at: coupon.ends_at }]
        await recordAudit(sql, {
          ...by(call),
          action: 'coupon deactivated',
          subject,
          before: previousValue,
          after: currentValue,
        })
        return { coupon }
      }),
    ),
    on(coupons.makeCode, async () => ({ code: await generateCode(sql) }), { perMinute: 60 }),
    on(
      coupons.makeCoupons,
      async ({ input, ...call }) =>
        sql.begin(async (sql) => {
          const promotion = await createCoupons(sql, input, ctx.now())
          const { promotion_id, title, codes, description } = promotion
          const auditEntry = {
            action: 'promotion created',
            subject: `promotion ${promotion_id}`,
            after: { title, codes, description },
          }
          await recordAudit(sql, { ...by(call), ...auditEntry })
          return { promotion }
        }),
      { alsoCheck: (fields) => checkRawTerms(sql, fields) },
    ),
    on(coupons.endPromotion, async ({ input, ...call }) =>
      sql.begin(async (sql) => {
        const ended = await endPromotion(sql, input.promotion_id, ctx.now())
        const subject = `promotion ${input.promotion_id}`
        await recordAudit(sql, { ...by(call), action: 'promotion deactivated', subject, after: { codes_ended: ended } })
        return { promotion: await readPromotion(sql, input.promotion_id, ctx.now()) }
      }),
    ),
    on(coupons.getCodesFile, async ({ input, member }) => codesLink(ctx, member, input)),
  ]
}

const subscriptionRoutes = (ctx: AppContext): Call<Caller>[] => {
  /** A provider is called during the action, so the audit entry is written once it is done. */
  const auditEntry = async (call: StaffCall & { input: { subscription_id: number; seen: string } }, action: string) => {
    const { subscription_id, seen: seenStatus } = call.input
    const subscription = await readSubscriptionDetails(ctx, subscription_id)
    const [before, after] = [{ status: seenStatus }, { status: subscription.status }]
    await recordAudit(ctx.sql, { ...by(call), action, subject: `subscription ${subscription_id}`, before, after })
    return subscription
  }
  return [
    on(subscriptions.getSubscriptions, async ({ input }) => listSubscriptions(ctx, input)),
    on(subscriptions.getSubscription, async ({ input }) => ({
      subscription: await readSubscriptionDetails(ctx, input.subscription_id),
    })),
    on(subscriptions.cancelSubscription, async (call) => {
      await cancelForMember(ctx, { ...call.input, staff_id: call.member.customer_id })
      return { subscription: await auditEntry(call, 'subscription cancelled') }
    }),
    on(subscriptions.resumeSubscription, async (call) => {
      await resumeForMember(ctx, { ...call.input, staff_id: call.member.customer_id })
      return { subscription: await auditEntry(call, 'subscription resumed') }
    }),
    on(
      subscriptions.endSubscription,
      async (call) => {
        if (call.input.refund !== undefined) requireConfirmedIdentity(call.member)
        const done = await endNow(ctx, { ...call.input, staff_id: call.member.customer_id })
        for (const { charge_id, refunded } of done.refunds) {
          const what = { action: 'payment refunded', subject: `charge ${charge_id}`, after: { refunded } }
          await recordAudit(ctx.sql, { ...by(call), ...what })
        }
        return { subscription: await auditEntry(call, 'subscription ended'), refund_error: done.failure_reason }
      },
      { alsoCheck: (fields) => checkRawEnd(ctx, fields) },
    ),
  ]
}

const invoiceRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql } = ctx
  return [
    on(invoices.getInvoices, async ({ input }) => listInvoices(sql, input)),
    on(invoices.getInvoiceFile, async ({ input, member }) => invoicesLink(ctx, member, input)),
    on(
      invoices.mailInvoice,
      async ({ input, ...call }) =>
        sql.begin(async (sql) => {
          await resendReceipt(sql, ctx.settings.emailSender, input.invoice_id)
          const subject = `invoice ${input.invoice_id}`
          await recordAudit(sql, { ...by(call), action: 'invoice resent', subject })
          return { invoice: await getStaffInvoice(sql, input.invoice_id) }
        }),
      { perMinute: 30 },
    ),
    on(books.getMonthSheet, async ({ input }) => readMonthSheet(sql, toDays(input), ctx.now())),
    on(books.getBooksFile, async ({ input, member }) => booksLink(ctx, member, input), { perMinute: 30 }),
  ]
}
