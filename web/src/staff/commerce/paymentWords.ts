import type { payments } from '@dubplate/contract'
import { isAboveZero, minorOf, minus, money } from '../../billing/money.ts'

type Payment = payments.StaffPayment

const GATEWAYS: Record<string, string> = {
  sandbox: 'Test mode',
  manual: 'Manual',
  stripe: 'Stripe',
  paypal: 'PayPal',
}

export const gatewayName = (gateway: string): string => GATEWAYS[gateway] ?? gateway

/** What has not been given back of a payment yet, as decimal text. */
export const leftOf = ({ amount, refunded }: Pick<Payment, 'amount' | 'refunded'>): string => minus(amount, refunded)

const AMOUNT = /^\d{1,7}(\.\d{1,2})?$/

/** An amount as the call takes it: with a point, whatever was typed for it. */
export const typedAmount = (typed: string): string => typed.trim().replace(',', '.')

/** What is wrong with an amount to give back; '' where nothing is. */
export function wrongAmount(typed: string, payment: Pick<Payment, 'amount' | 'refunded' | 'currency'>): string {
  const amount = typedAmount(typed)
  if (!amount) return 'Enter an amount.'
  if (!AMOUNT.test(amount)) return 'Enter a number with up to two decimals, such as 7.50.'
  if (!isAboveZero(amount)) return 'Enter an amount above zero.'
  const left = leftOf(payment)
  return minorOf(amount) > minorOf(left) ? `You can refund up to ${money(left, payment.currency)}.` : ''
}

/** Whether a refund gives back all that is left. */
export const isWhole = (typed: string, payment: Pick<Payment, 'amount' | 'refunded' | 'currency'>): boolean =>
  wrongAmount(typed, payment) === '' && minorOf(typedAmount(typed)) === minorOf(leftOf(payment))
