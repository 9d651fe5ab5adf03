import { payments } from '@dubplate/contract'
import { decideReview } from '../billing/ledger.ts'
import { listReviews } from '../billing/payment-reviews.ts'
import { checkRefund, refundCharge } from '../billing/refunds.ts'
import { listPayments, markPaid, moveClock, readPayment } from '../billing/staff-payments.ts'
import { checkGateways, readGatewayStates } from '../gateways/gateway-health.ts'
import { asMinor } from '../gateways/money.ts'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { recordDeed } from './audit.ts'

/** What staff do with payments, each deed written down. */
export const paymentRoutes = (world: World): Call<Asker>[] => [
  on(payments.getPayments, async ({ input }) => listPayments(world, input)),
  on(payments.markPaid, async ({ input, member, request }) => {
    const charge_id = await markPaid(world, input.subscription_id)
    await recordDeed(world.sql, {
      staff_id: member.customer_id,
      action: 'payment marked as paid',
      subject: `subscription ${input.subscription_id}`,
      ip: request.ip,
    })
    return { payment: await readPayment(world, charge_id) }
  }),
  on(
    payments.refundPayment,
    async ({ input, member, request }) => {
      const amount_minor = input.amount === undefined ? undefined : asMinor(input.amount)
      const before = await readPayment(world, input.charge_id)
      await refundCharge(world, {
        charge_id: input.charge_id,
        amount_minor,
        reason: input.reason,
        staff_id: member.customer_id,
      })
      const payment = await readPayment(world, input.charge_id)
      await recordDeed(world.sql, {
        staff_id: member.customer_id,
        action: 'payment refunded',
        subject: `charge ${input.charge_id}`,
        before: { refunded: before.refunded },
        after: { refunded: payment.refunded },
        ip: request.ip,
      })
      return { payment }
    },
    { alsoCheck: (given) => checkRefund(world.sql, given) },
  ),
  on(payments.getGatewayStates, async () => ({ gateways: await readGatewayStates(world) })),
  on(payments.checkGateways, async () => {
    await checkGateways(world)
    return { gateways: await readGatewayStates(world) }
  }),
  on(payments.getPaymentReviews, async ({ input }) => listReviews(world.sql, input.page)),
  on(payments.decidePaymentReview, async ({ input, member, request }) => {
    await decideReview(world, { ...input, staff_id: member.customer_id })
    await recordDeed(world.sql, {
      staff_id: member.customer_id,
      action: input.decision === 'accept' ? 'payment accepted' : 'payment marked as handled',
      subject: `payment review ${input.review_id}`,
      ip: request.ip,
    })
    return {}
  }),
  on(payments.moveClock, async ({ input, member, request }) => {
    const agreement = await moveClock(world, input)
    await recordDeed(world.sql, {
      staff_id: member.customer_id,
      action: 'test clock advanced',
      subject: `customer ${input.customer_id}`,
      after: { days: input.days },
      ip: request.ip,
    })
    return { agreement }
  }),
]
