import type { payments } from '@dubplate/contract'
import { wholeAmount } from '../../admin/amountMask.ts'
import { minus, money, toMinorUnits } from '../../billing/money.ts'
import { format } from '../../format/message.ts'
import * as texts from './texts.ts'

type Payment = payments.StaffPayment

const GATEWAYS: Record<string, string> = {
  sandbox: texts.testMode,
  manual: texts.manual,
  stripe: texts.stripe,
  paypal: texts.paypal,
}

export const gatewayName = (gateway: string): string => GATEWAYS[gateway] ?? gateway

/** The amount of a payment that has not been refunded yet, as decimal text. */
export const refundableAmount = ({ amount, refunded }: Pick<Payment, 'amount' | 'refunded'>): string =>
  minus(amount, refunded)

type Refundable = Pick<Payment, 'amount' | 'refunded' | 'currency'>

/** What is wrong with a refund of this amount, if anything. */
export function refundError(amount: string, payment: Refundable): string | undefined {
  if (amount === '') return undefined
  const minor = toMinorUnits(wholeAmount(amount))
  const left = refundableAmount(payment)
  if (minor === 0) return texts.enterAnAmountAboveZero
  return minor > toMinorUnits(left)
    ? format(texts.youCanRefundUpToLeft, { left: money(left, payment.currency) })
    : undefined
}

/** Whether a refund covers the whole remaining amount. */
export const isFullRefund = (amount: string, payment: Refundable): boolean =>
  amount !== '' && toMinorUnits(amount) === toMinorUnits(refundableAmount(payment))
