import { payments } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { decideReview } from '../billing/ledger.ts'
import { listReviews } from '../billing/payment-reviews.ts'
import { checkRefund, refundCharge } from '../billing/refunds.ts'
import { listPayments, markPaid, moveClock, readPayment } from '../billing/staff-payments.ts'
import { checkGateways, readGatewayStates } from '../gateways/gateway-health.ts'
import { toMinor } from '../gateways/money.ts'
import { type Caller, on } from '../membership/caller.ts'
import type { Call } from '../platform/serve.ts'
import { recordAudit } from './audit.ts'

/** Payments, as staff manage them; each action is recorded in the audit log. */
export const paymentRoutes = (ctx: AppContext): Call<Caller>[] => [
  on(payments.getPayments, async ({ input }) => listPayments(ctx, input)),
  on(payments.markPaid, async ({ input, member, request }) => {
    const charge_id = await markPaid(ctx, input.subscription_id)
    await recordAudit(ctx.sql, {
      staff_id: member.customer_id,
      action: 'payment marked as paid',
      subject: `subscription ${input.subscription_id}`,
      ip: request.ip,
    })
    return { payment: await readPayment(ctx, charge_id) }
  }),
  on(
    payments.refundPayment,
    async ({ input, member, request }) => {
      const amount_minor = input.amount === undefined ? undefined : toMinor(input.amount)
      const before = await readPayment(ctx, input.charge_id)
      await refundCharge(ctx, {
        charge_id: input.charge_id,
        amount_minor,
        reason: input.reason,
        staff_id: member.customer_id,
      })
      const payment = await readPayment(ctx, input.charge_id)
      await recordAudit(ctx.sql, {
        staff_id: member.customer_id,
        action: 'payment refunded',
        subject: `charge ${input.charge_id}`,
        before: { refunded: before.refunded },
        after: { refunded: payment.refunded },
        ip: request.ip,
      })
      return { payment }
    },
    { alsoCheck: (fields) => checkRefund(ctx.sql, fields) },
  ),
  on(payments.getGatewayStates, async () => ({ gateways: await readGatewayStates(ctx) })),
  on(payments.checkGateways, async () => {
    await checkGateways(ctx)
    return { gateways: await readGatewayStates(ctx) }
  }),
  on(payments.getPaymentReviews, async ({ input }) => listReviews(ctx.sql, input.page)),
  on(payments.decidePaymentReview, async ({ input, member, request }) => {
    await decideReview(ctx, { ...input, staff_id: member.customer_id })
    await recordAudit(ctx.sql, {
      staff_id: member.customer_id,
      action: input.decision === 'accept' ? 'payment accepted' : 'payment marked as handled',
      subject: `payment review ${input.review_id}`,
      ip: request.ip,
    })
    return {}
  }),
  on(payments.moveClock, async ({ input, member, request }) => {
    const agreement = await moveClock(ctx, input)
    await recordAudit(ctx.sql, {
      staff_id: member.customer_id,
      action: 'test clock advanced',
      subject: `customer ${input.customer_id}`,
      after: { days: input.days },
      ip: request.ip,
    })
    return { agreement }
  }),
]
