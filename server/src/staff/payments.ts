import { payments } from '@dubplate/contract'
import { decideReview } from '../billing/ledger.ts'
import { listReviews } from '../billing/payment-reviews.ts'
import { checkRefund, refundCharge } from '../billing/refunds.ts'
import { listPayments, markPaid, moveClock, readPayment } from '../billing/staff-payments.ts'
import { checkGateways, readGatewayStates } from '../gateways/gateway-health.ts'
import { toMinor } from '../gateways/money.ts'
import { on, type Route } from '../membership/caller.ts'
import { staffRead, staffWriteInSteps } from './audit.ts'

/** Payments, as staff manage them; each action is recorded in the audit log. */
export const paymentRoutes: Route[] = [
  staffRead(payments.getPayments, async ({ input, ctx }) => listPayments(ctx, input)),
  staffWriteInSteps(payments.markPaid, async ({ input, sql, record, ctx }) => {
    const charge_id = await markPaid(ctx, input.subscription_id)
    await record(sql, { action: 'payment marked as paid', subject: `subscription ${input.subscription_id}` })
    return { payment: await readPayment(ctx, charge_id) }
  }),
  staffWriteInSteps(
    payments.refundPayment,
    async ({ input: { charge_id, amount, reason }, staff_id, sql, record, ctx }) => {
      const amount_minor = amount === undefined ? undefined : toMinor(amount)
      const before = await readPayment(ctx, charge_id)
      await refundCharge(ctx, { charge_id, amount_minor, reason, staff_id })
      const payment = await readPayment(ctx, charge_id)
      await record(sql, {
        action: 'payment refunded',
        subject: `charge ${charge_id}`,
        before: { refunded: before.refunded },
        after: { refunded: payment.refunded },
      })
      return { payment }
    },
    { alsoCheck: (fields, { sql }) => checkRefund(sql, fields) },
  ),
  staffRead(payments.getGatewayStates, async ({ ctx }) => ({ gateways: await readGatewayStates(ctx) })),
  on(
    payments.checkGateways,
    async ({ ctx }) => {
      await checkGateways(ctx)
      return { gateways: await readGatewayStates(ctx) }
    },
    { audit: { unrecorded: 'stores only the time and result of a check of the providers' } },
  ),
  staffRead(payments.getPaymentReviews, async ({ input, sql }) => listReviews(sql, input.page)),
  staffWriteInSteps(payments.decidePaymentReview, async ({ input, staff_id, sql, record, ctx }) => {
    await decideReview(ctx, { ...input, staff_id })
    await record(sql, {
      action: input.decision === 'accept' ? 'payment accepted' : 'payment marked as handled',
      subject: `payment review ${input.review_id}`,
    })
    return {}
  }),
  staffWriteInSteps(payments.moveClock, async ({ input, sql, record, ctx }) => {
    const agreement = await moveClock(ctx, input)
    const subject = `customer ${input.customer_id}`
    await record(sql, { action: 'test clock advanced', subject, after: { days: input.days } })
    return { agreement }
  }),
]
