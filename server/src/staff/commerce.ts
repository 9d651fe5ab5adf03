import { books, coupons, invoices, plans, subscriptions } from '@dubplate/contract'
import { checkCoupon, endCoupon, keptOf, listCoupons, saveCoupon } from '../billing/coupon-desk.ts'
import { checkGivenTerms } from '../billing/coupon-terms.ts'
import {
  checkPlan,
  keptOf as keptOfPlan,
  listAllPlans,
  orderPlans,
  readStaffPlan,
  removePlan,
  savePlan,
} from '../billing/plan-desk.ts'
import { endPromotion, makeCode, makeCoupons, readPromotion } from '../billing/promotions.ts'
import { cancelFor, checkEnd, endNow, resumeFor } from '../billing/staff-changes.ts'
import { listSubscriptions, readWhole } from '../billing/subscription-desk.ts'
import { readMonthSheet } from '../books/sums.ts'
import { listInvoices, readStaffInvoice } from '../invoices/invoice-list.ts'
import { mailAgain } from '../invoices/receipts.ts'
import { type Asker, admitConfirmed, on } from '../membership/asker.ts'
import type { Call, Question } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { type Deed, recordDeed } from './audit.ts'
import { booksLink, codesLink, daysOf, invoicesLink } from './commerce-files.ts'

/** What staff sell, who pays for it, and the books of it; each deed written down. Payments are payments.ts's. */
export const commerceRoutes = (world: World): Call<Asker>[] => [
  ...planRoutes(world),
  ...couponRoutes(world),
  ...subscriptionRoutes(world),
  ...bookRoutes(world),
]

type Asked = Pick<Question<typeof plans.getPlans, Asker>, 'member' | 'request'>

const by = ({ member, request }: Asked): Pick<Deed, 'staff_id' | 'ip'> => ({
  staff_id: member.customer_id,
  ip: request.ip,
})

const planRoutes = (world: World): Call<Asker>[] => {
  const { sql } = world
  return [
    on(plans.getPlans, async () => ({ plans: await listAllPlans(sql, world.now()) })),
    on(
      plans.savePlan,
      async ({ input, ...asked }) =>
        sql.begin(async (sql) => {
          const { plan_id, before } = await savePlan(sql, input)
          const plan = await readStaffPlan(sql, plan_id, world.now())
          await recordDeed(sql, {
            ...by(asked),
            action: before ? 'plan updated' : 'plan created',
            subject: `plan ${plan_id}`,
            ...(before ? { before } : {}),
            after: keptOfPlan(plan),
          })
          return { plan }
        }),
      { alsoCheck: (given) => checkPlan(sql, given) },
    ),
    on(plans.orderPlans, async ({ input, ...asked }) =>
      sql.begin(async (sql) => {
        const before = (await listAllPlans(sql, world.now())).map(({ plan_id }) => plan_id)
        await orderPlans(sql, input.plan_ids)
        const after = { order: input.plan_ids.join(', ') }
        const deed = { action: 'plans reordered', subject: 'plans', before: { order: before.join(', ') }, after }
        await recordDeed(sql, { ...by(asked), ...deed })
        return {}
      }),
    ),
    on(plans.removePlan, async ({ input, ...asked }) =>
      sql.begin(async (sql) => {
        const before = await removePlan(sql, input.plan_id)
        await recordDeed(sql, { ...by(asked), action: 'plan deleted', subject: `plan ${input.plan_id}`, before })
        return {}
      }),
    ),
  ]
}

const couponRoutes = (world: World): Call<Asker>[] => {
  const { sql } = world
  return [
    on(coupons.getCoupons, async ({ input }) => listCoupons(sql, input, world.now())),
    on(
      coupons.saveCoupon,
      async ({ input, ...asked }) =>
        sql.begin(async (sql) => {
          const { coupon, before } = await saveCoupon(sql, input, world.now())
          await recordDeed(sql, {
            ...by(asked),
            action: before ? 'coupon updated' : 'coupon created',
            subject: `coupon ${coupon.coupon_id}`,
            ...(before ? { before: keptOf(before) } : {}),
            after: keptOf(coupon),
          })
          return { coupon }
        }),
      { alsoCheck: (given) => checkCoupon(sql, given) },
    ),
    on(coupons.endCoupon, async ({ input, ...asked }) =>
      sql.begin(async (sql) => {
        const { before, coupon } = await endCoupon(sql, input, world.now())
        const subject = `coupon ${coupon.coupon_id}`
        const [was, is] = [{ ends_at: before }, { ends_at: coupon.ends_at }]
        await recordDeed(sql, { ...by(asked), action: 'coupon deactivated', subject, before: was, after: is })
        return { coupon }
      }),
    ),
    on(coupons.makeCode, async () => ({ code: await makeCode(sql) }), { perMinute: 60 }),
    on(
      coupons.makeCoupons,
      async ({ input, ...asked }) =>
        sql.begin(async (sql) => {
          const promotion = await makeCoupons(sql, input, world.now())
          const { promotion_id, title, codes, words } = promotion
          const deed = {
            action: 'promotion created',
            subject: `promotion ${promotion_id}`,
            after: { title, codes, words },
          }
          await recordDeed(sql, { ...by(asked), ...deed })
          return { promotion }
        }),
      { alsoCheck: (given) => checkGivenTerms(sql, given) },
    ),
    on(coupons.endPromotion, async ({ input, ...asked }) =>
      sql.begin(async (sql) => {
        const ended = await endPromotion(sql, input.promotion_id, world.now())
        const subject = `promotion ${input.promotion_id}`
        await recordDeed(sql, { ...by(asked), action: 'promotion deactivated', subject, after: { codes_ended: ended } })
        return { promotion: await readPromotion(sql, input.promotion_id, world.now()) }
      }),
    ),
    on(coupons.getCodesFile, async ({ input, member }) => codesLink(world, member, input)),
  ]
}

const subscriptionRoutes = (world: World): Call<Asker>[] => {
  /** Providers are spoken with on the way: what was done is written down once it is done. */
  const deed = async (asked: Asked & { input: { subscription_id: number; seen: string } }, action: string) => {
    const { subscription_id, seen } = asked.input
    const subscription = await readWhole(world, subscription_id)
    const [before, after] = [{ status: seen }, { status: subscription.status }]
    await recordDeed(world.sql, { ...by(asked), action, subject: `subscription ${subscription_id}`, before, after })
    return subscription
  }
  return [
    on(subscriptions.getSubscriptions, async ({ input }) => listSubscriptions(world, input)),
    on(subscriptions.getSubscription, async ({ input }) => ({
      subscription: await readWhole(world, input.subscription_id),
    })),
    on(subscriptions.cancelSubscription, async (asked) => {
      await cancelFor(world, { ...asked.input, staff_id: asked.member.customer_id })
      return { subscription: await deed(asked, 'subscription cancelled') }
    }),
    on(subscriptions.resumeSubscription, async (asked) => {
      await resumeFor(world, { ...asked.input, staff_id: asked.member.customer_id })
      return { subscription: await deed(asked, 'subscription resumed') }
    }),
    on(
      subscriptions.endSubscription,
      async (asked) => {
        if (asked.input.refund !== undefined) admitConfirmed(asked.member)
        const done = await endNow(world, { ...asked.input, staff_id: asked.member.customer_id })
        for (const { charge_id, refunded } of done.refunds) {
          const what = { action: 'payment refunded', subject: `charge ${charge_id}`, after: { refunded } }
          await recordDeed(world.sql, { ...by(asked), ...what })
        }
        return { subscription: await deed(asked, 'subscription ended'), refund_trouble: done.trouble }
      },
      { alsoCheck: (given) => checkEnd(world, given) },
    ),
  ]
}

const bookRoutes = (world: World): Call<Asker>[] => {
  const { sql } = world
  return [
    on(invoices.getInvoices, async ({ input }) => listInvoices(sql, input)),
    on(invoices.getInvoiceFile, async ({ input, member }) => invoicesLink(world, member, input)),
    on(
      invoices.mailInvoice,
      async ({ input, ...asked }) =>
        sql.begin(async (sql) => {
          await mailAgain(sql, world.settings.letterhead, input.invoice_id)
          const subject = `invoice ${input.invoice_id}`
          await recordDeed(sql, { ...by(asked), action: 'invoice resent', subject })
          return { invoice: await readStaffInvoice(sql, input.invoice_id) }
        }),
      { perMinute: 30 },
    ),
    on(books.getMonthSheet, async ({ input }) => readMonthSheet(sql, daysOf(input), world.now())),
    on(books.getBooksFile, async ({ input, member }) => booksLink(world, member, input), { perMinute: 30 }),
  ]
}
