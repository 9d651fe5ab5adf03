import { billing, checkout } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { amountOf } from '../gateways/amounts.ts'
import { cardsOf, methodsOf } from '../gateways/gateways.ts'
import { toDecimal, toMinor } from '../gateways/money.ts'
import { type Caller, on, type Route } from '../membership/caller.ts'
import { markNotificationSeenBy } from '../notices/notifications.ts'
import { ApiError } from '../platform/api-error.ts'
import { profileStatusOf, readAgreement, toAgreement } from './agreement.ts'
import { billingHistory } from './billing-history.ts'
import { readCardFrame } from './card-frame.ts'
import { confirmCheckout, returnedCheckout, type StartCheckoutParams, startCheckout } from './checkout.ts'
import { describeCoupon } from './coupons.ts'
import { saveFeedback } from './feedback.ts'
import { createInvoiceLink } from './invoice-links.ts'
import { cancel, resume, updateCard } from './member-changes.ts'
import { SUBSCRIPTION } from './notifications.ts'
import { checkRawCard, checkRawCoupon, checkRawOrder } from './order-check.ts'
import { readPaymentState } from './payment-state.ts'
import { changePlan, quote } from './plan-change.ts'
import { findAnyPlan, listPlans, toPlan } from './plans.ts'
import { quotePlan, walletSheetFor } from './quotes.ts'
import { termsOfSubscription } from './subscriptions.ts'

/** Limits how fast someone can try card numbers. */
const PAYMENT_RATE_LIMIT = { perMinute: 20 }

/** The response to a started payment. */
const started = ({
  subscription_id,
  is_paid,
  url,
}: {
  subscription_id: number
  is_paid: boolean
  url?: string | null
}) => ({
  status: is_paid || Boolean(url),
  profile_id: subscription_id,
  url: url ?? null,
})

type Order = { subscription: number; coupon: string }
const startPayment = (
  ctx: AppContext,
  { customer_id }: Caller,
  { subscription: plan_id, coupon }: Order,
  paymentOptions: Pick<StartCheckoutParams, 'method' | 'card' | 'wallet_token'>,
) => startCheckout(ctx, { customer_id, plan_id, coupon, ...paymentOptions })
const ORDER_GUARD = {
  ...PAYMENT_RATE_LIMIT,
  alsoCheck: (given: object, { ctx, member }: { ctx: AppContext; member: Caller }) =>
    checkRawOrder(ctx, member.customer_id, given),
}

export const billingRoutes: Route[] = [
  on(billing.getPlans, async ({ input, ctx, sql }) => ({
    plans: await listPlans({ sql, settings: ctx.settings }, input.subscription_type_id),
    methods: methodsOf(ctx.gateways),
    cards: cardsOf(ctx.gateways),
    is_sandbox: ctx.gateways.has('sandbox'),
  })),
  on(billing.getPlan, async ({ input, caller, ctx }) => {
    const { plan, terms } = await quotePlan(ctx, caller?.customer_id ?? undefined, { plan_id: input.plan_id })
    return { plan: toPlan(plan, ctx.settings), first_price: toDecimal(terms.first_price_minor) }
  }),
  on(billing.getAgreement, async ({ member, ctx, sql }) => {
    await markNotificationSeenBy(sql, member, SUBSCRIPTION)
    return { agreement: await readAgreement(ctx, member.customer_id) }
  }),
  on(
    checkout.validateCoupon,
    async ({ input, member, ctx }) => {
      await checkRawCoupon(ctx, member.customer_id, input)
      const params = { plan_id: input.subscription_id, code: input.coupon_code }
      const { coupon, terms } = await quotePlan(ctx, member.customer_id, params)
      const { amount_minor, discount_minor } = amountOf(terms, 1)
      return {
        status: true,
        discount_amount: toDecimal(discount_minor),
        total: toDecimal(amount_minor),
        description: coupon ? describeCoupon(coupon) : '',
      }
    },
    {
      ...PAYMENT_RATE_LIMIT,
      alsoCheck: (given, { member: { customer_id }, ctx }) => checkRawCoupon(ctx, customer_id, given),
    },
  ),
  on(
    checkout.payByCard,
    async ({ input, member, ctx }) =>
      started(
        await startPayment(ctx, member, input, {
          method: 'credit_card',
          ...(input.formData ? { card: input.formData } : {}),
        }),
      ),
    ORDER_GUARD,
  ),
  on(
    checkout.payByPaypal,
    async ({ input, member, ctx }) => started(await startPayment(ctx, member, input, { method: 'paypal' })),
    ORDER_GUARD,
  ),
  on(
    checkout.payByWallet,
    async ({ input, member, ctx }) => {
      // The sandbox has its own wallet sheet; otherwise the wallet is offered on the provider's page.
      const isOurs = ctx.gateways.get('sandbox')?.methods.includes('mobile_wallet') ?? false
      const walletSheet = await walletSheetFor(ctx, member.customer_id, {
        plan_id: input.subscription,
        code: input.coupon,
      })
      const { url } = isOurs ? { url: null } : await startPayment(ctx, member, input, { method: 'mobile_wallet' })
      return { ...walletSheet, url }
    },
    ORDER_GUARD,
  ),
  on(
    checkout.completeWallet,
    async ({ input, member, ctx }) =>
      started(await startPayment(ctx, member, input, { method: 'mobile_wallet', wallet_token: input.applePay })),
    ORDER_GUARD,
  ),
  on(
    checkout.payByTransfer,
    async ({ input, member, ctx }) => {
      const { subscription_id } = await startPayment(ctx, member, input, { method: 'bank_transfer' })
      const { reference = '', instructions = '' } = (await readAgreement(ctx, member.customer_id))?.transfer ?? {}
      return { status: true, profile_id: subscription_id, reference, instructions }
    },
    ORDER_GUARD,
  ),
  on(checkout.getCustomerPlan, async ({ input, member, sql }) => {
    const subscription = await returnedCheckout(sql, member.customer_id, input.customer_plan_id)
    if (subscription.status !== 'pending')
      throw new ApiError('unknown_payment', 'This payment has already been completed.')
    const plan = await findAnyPlan(sql, subscription.plan_id)
    const { amount_minor, discount_minor } = amountOf(termsOfSubscription(subscription), 1)
    return {
      customer_plan_id: input.customer_plan_id,
      plan_description: plan.description,
      plan_name: plan.title,
      amount: toDecimal(amount_minor),
      discount_amount: toDecimal(discount_minor),
      currency: subscription.currency,
      payment_token: input.token,
    }
  }),
  on(
    checkout.confirmPaypal,
    async ({ input, member, ctx }) => {
      const { subscription_id } = await confirmCheckout(ctx, member.customer_id, input)
      return { status: true, profile_id: subscription_id, url: null }
    },
    PAYMENT_RATE_LIMIT,
  ),
  on(checkout.getPayment, async ({ input, member, sql }) =>
    readPaymentState(sql, member.customer_id, input.profile_id),
  ),
  on(
    checkout.getCardFrame,
    async ({ input, member, ctx }) => readCardFrame(ctx, member.customer_id, input.profile_id),
    PAYMENT_RATE_LIMIT,
  ),
  on(
    billing.cancelBilling,
    async ({ member, ctx }) => {
      const subscription = await cancel(ctx, member.customer_id)
      return {
        profile_status: profileStatusOf(subscription),
        access_until: subscription.access_until?.toISOString() ?? null,
      }
    },
    PAYMENT_RATE_LIMIT,
  ),
  on(
    billing.resumeBilling,
    async ({ member, ctx, sql }) => ({ agreement: await toAgreement(sql, ctx, await resume(ctx, member.customer_id)) }),
    PAYMENT_RATE_LIMIT,
  ),
  on(
    billing.cancelFeedback,
    async ({ input, member, sql }) => saveFeedback(sql, member.customer_id, input.message),
    PAYMENT_RATE_LIMIT,
  ),
  on(billing.quotePlanChange, async ({ input, member, ctx }) => {
    const { plan, due_now_minor, from } = await quote(ctx, member.customer_id, input.plan_id)
    return {
      due_now: toDecimal(due_now_minor),
      currency: plan.currency,
      from: from.toISOString(),
      price: toDecimal(plan.price_minor),
    }
  }),
  on(
    billing.changePlan,
    async ({ input, member, ctx, sql }) => {
      const params = { plan_id: input.plan_id, due_now_minor: toMinor(input.due_now) }
      const { subscription, url } = await changePlan(ctx, member.customer_id, params)
      return { agreement: await toAgreement(sql, ctx, subscription), url }
    },
    PAYMENT_RATE_LIMIT,
  ),
  on(
    billing.updateCard,
    async ({ input, member, ctx, sql }) => {
      const { subscription, url } = await updateCard(ctx, member.customer_id, input.formData)
      return { agreement: await toAgreement(sql, ctx, subscription), url }
    },
    {
      ...PAYMENT_RATE_LIMIT,
      alsoCheck: (given, { member: { customer_id }, ctx }) => checkRawCard(ctx, customer_id, given),
    },
  ),
  on(billing.getBilling, async ({ input, member, sql }) => billingHistory(sql, member.customer_id, input)),
  on(billing.getInvoice, async ({ input, member, ctx }) => createInvoiceLink(ctx, member, input)),
]
