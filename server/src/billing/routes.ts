import { billing, checkout } from '@dubplate/contract'
import { amountOf } from '../gateways/amounts.ts'
import { cardsOf, methodsOf } from '../gateways/gateways.ts'
import { asDecimal, asMinor } from '../gateways/money.ts'
import { billingHistory } from '../invoices/billing-history.ts'
import { invoiceLink } from '../invoices/invoice-links.ts'
import { type Asker, on } from '../membership/asker.ts'
import { noticeSeenBy } from '../notices/notices.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { asAgreement, profileStatusOf, readAgreement } from './agreement.ts'
import { readCardFrame } from './card-frame.ts'
import { cancel, resume, updateCard } from './changes.ts'
import { confirmCheckout, returnedCheckout, startCheckout, type Wish } from './checkout.ts'
import { inWords } from './coupons.ts'
import { keepFeedback } from './feedback.ts'
import { SUBSCRIPTION } from './notices.ts'
import { offerTo, sheetFor } from './offers.ts'
import { checkGivenCard, checkGivenCoupon, checkGivenOrder } from './order-check.ts'
import { readPaymentState } from './payment-state.ts'
import { changePlan, quote } from './plan-change.ts'
import { asPlan, listPlans, soldPlan } from './plans.ts'
import { termsOfSubscription } from './subscriptions.ts'

/** Whoever tries card numbers one after the other does not get far. */
const PAYING = { perMinute: 20 }

/** What a started payment answers. */
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

export const billingRoutes = (world: World): Call<Asker>[] => {
  const { sql, gateways } = world
  type Order = { subscription: number; coupon: string }
  const begin = (
    { customer_id }: Asker,
    { subscription: plan_id, coupon }: Order,
    how: Pick<Wish, 'method' | 'card' | 'wallet_token'>,
  ) => startCheckout(world, { customer_id, plan_id, coupon, ...how })
  const ORDERING = {
    ...PAYING,
    alsoCheck: (given: object, { customer_id }: Asker) => checkGivenOrder(world, customer_id, given),
  }
  return [
    on(billing.getPlans, async ({ input }) => ({
      plans: await listPlans(sql, input.subscription_type_id),
      methods: methodsOf(gateways),
      cards: cardsOf(gateways),
      is_sandbox: gateways.has('sandbox'),
    })),
    on(billing.getPlan, async ({ input, asker }) => {
      const { plan, terms } = await offerTo(world, asker?.customer_id ?? undefined, { plan_id: input.plan_id })
      return { plan: asPlan(plan), first_price: asDecimal(terms.first_price_minor) }
    }),
    on(billing.getAgreement, async ({ member }) => {
      await noticeSeenBy(sql, member, SUBSCRIPTION)
      return { agreement: await readAgreement(world, member.customer_id) }
    }),
    on(
      checkout.validateCoupon,
      async ({ input, member }) => {
        await checkGivenCoupon(world, member.customer_id, input)
        const wish = { plan_id: input.subscription_id, code: input.coupon_code }
        const { coupon, terms } = await offerTo(world, member.customer_id, wish)
        const { amount_minor, discount_minor } = amountOf(terms, 1)
        return {
          status: true,
          discount_amount: asDecimal(discount_minor),
          total: asDecimal(amount_minor),
          description: coupon ? inWords(coupon) : '',
        }
      },
      { ...PAYING, alsoCheck: (given, { customer_id }) => checkGivenCoupon(world, customer_id, given) },
    ),
    on(
      checkout.payByCard,
      async ({ input, member }) =>
        started(
          await begin(member, input, { method: 'credit_card', ...(input.formData ? { card: input.formData } : {}) }),
        ),
      ORDERING,
    ),
    on(
      checkout.payByPaypal,
      async ({ input, member }) => started(await begin(member, input, { method: 'paypal' })),
      ORDERING,
    ),
    on(
      checkout.payByWallet,
      async ({ input, member }) => {
        // The sandbox's sheet is the pool's own; elsewhere the wallet is offered on the provider's page.
        const isOurs = gateways.get('sandbox')?.methods.includes('mobile_wallet') ?? false
        const sheet = await sheetFor(world, member.customer_id, { plan_id: input.subscription, code: input.coupon })
        const { url } = isOurs ? { url: null } : await begin(member, input, { method: 'mobile_wallet' })
        return { ...sheet, url }
      },
      ORDERING,
    ),
    on(
      checkout.completeWallet,
      async ({ input, member }) =>
        started(await begin(member, input, { method: 'mobile_wallet', wallet_token: input.applePay })),
      ORDERING,
    ),
    on(
      checkout.payByTransfer,
      async ({ input, member }) => {
        const { subscription_id } = await begin(member, input, { method: 'bank_transfer' })
        const { reference = '', instructions = '' } = (await readAgreement(world, member.customer_id))?.transfer ?? {}
        return { status: true, profile_id: subscription_id, reference, instructions }
      },
      ORDERING,
    ),
    on(checkout.getCustomerPlan, async ({ input, member }) => {
      const subscription = await returnedCheckout(sql, member.customer_id, input.customer_plan_id)
      if (subscription.status !== 'pending')
        throw new Refusal('unknown_payment', 'This payment has already been completed.')
      const plan = await soldPlan(sql, subscription.plan_id)
      const { amount_minor, discount_minor } = amountOf(termsOfSubscription(subscription), 1)
      return {
        customer_plan_id: input.customer_plan_id,
        plan_description: plan.description,
        plan_name: plan.title,
        amount: asDecimal(amount_minor),
        discount_amount: asDecimal(discount_minor),
        currency: subscription.currency,
        payment_token: input.token,
      }
    }),
    on(
      checkout.confirmPaypal,
      async ({ input, member }) => {
        const { subscription_id } = await confirmCheckout(world, member.customer_id, input)
        return { status: true, profile_id: subscription_id, url: null }
      },
      PAYING,
    ),
    on(checkout.getPayment, async ({ input, member }) => readPaymentState(sql, member.customer_id, input.profile_id)),
    on(
      checkout.getCardFrame,
      async ({ input, member }) => readCardFrame(world, member.customer_id, input.profile_id),
      PAYING,
    ),
    on(
      billing.cancelBilling,
      async ({ member }) => {
        const subscription = await cancel(world, member.customer_id)
        return {
          profile_status: profileStatusOf(subscription),
          access_until: subscription.access_until?.toISOString() ?? null,
        }
      },
      PAYING,
    ),
    on(
      billing.resumeBilling,
      async ({ member }) => ({ agreement: await asAgreement(sql, world, await resume(world, member.customer_id)) }),
      PAYING,
    ),
    on(
      billing.cancelFeedback,
      async ({ input, member }) => keepFeedback(sql, member.customer_id, input.message),
      PAYING,
    ),
    on(billing.quotePlanChange, async ({ input, member }) => {
      const { plan, due_now_minor, from } = await quote(world, member.customer_id, input.plan_id)
      return {
        due_now: asDecimal(due_now_minor),
        currency: plan.currency,
        from: from.toISOString(),
        price: asDecimal(plan.price_minor),
      }
    }),
    on(
      billing.changePlan,
      async ({ input, member }) => {
        const wish = { plan_id: input.plan_id, due_now_minor: asMinor(input.due_now) }
        const { subscription, url } = await changePlan(world, member.customer_id, wish)
        return { agreement: await asAgreement(sql, world, subscription), url }
      },
      PAYING,
    ),
    on(
      billing.updateCard,
      async ({ input, member }) => {
        const { subscription, url } = await updateCard(world, member.customer_id, input.formData)
        return { agreement: await asAgreement(sql, world, subscription), url }
      },
      { ...PAYING, alsoCheck: (given, { customer_id }) => checkGivenCard(world, customer_id, given) },
    ),
    on(billing.getBilling, async ({ input, member }) => billingHistory(sql, member.customer_id, input)),
    on(billing.getInvoice, async ({ input, member }) => invoiceLink(world, member, input)),
  ]
}
