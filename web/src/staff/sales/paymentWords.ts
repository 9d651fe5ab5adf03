import type { payments } from '@dubplate/contract'
import { isAboveZero, minus, money, toMinorUnits } from '../../billing/money.ts'
import { format } from '../../platform/message.ts'
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
export const leftOf = ({ amount, refunded }: Pick<Payment, 'amount' | 'refunded'>): string => minus(amount, refunded)

const AMOUNT = /^\d{1,7}(\.\d{1,2})?$/

/** An amount as the API takes it: with a decimal point, also when a comma was typed. */
export const typedAmount = (typed: string): string => typed.trim().replace(',', '.')

/** Error in a refund amount; '' when there is none. */
export function wrongAmount(typed: string, payment: Pick<Payment, 'amount' | 'refunded' | 'currency'>): string {
  const amount = typedAmount(typed)
  if (!amount) return texts.enterAnAmount
  if (!AMOUNT.test(amount)) return texts.enterANumberWithUp
  if (!isAboveZero(amount)) return texts.enterAnAmountAboveZero
  const left = leftOf(payment)
  return toMinorUnits(amount) > toMinorUnits(left)
    ? format(texts.youCanRefundUpToLeft, { left: money(left, payment.currency) })
    : ''
}

/** Whether a refund covers the whole remaining amount. */
export const isWhole = (typed: string, payment: Pick<Payment, 'amount' | 'refunded' | 'currency'>): boolean =>
  wrongAmount(typed, payment) === '' && toMinorUnits(typedAmount(typed)) === toMinorUnits(leftOf(payment))
