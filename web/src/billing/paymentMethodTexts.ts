import type { billing } from '@dubplate/contract'
import * as texts from './texts.ts'

const NAMES: Record<billing.PaymentMethod, string> = {
  credit_card: texts.card,
  paypal: 'PayPal',
  mobile_wallet: texts.googleApplePay,
  bank_transfer: texts.bankTransfer,
}

/** 'Visa •••• 4242', 'PayPal'. */
export function describePaymentMethod({ kind, brand, last_four }: billing.StoredPaymentMethod): string {
  const name = brand || NAMES[kind]
  return last_four ? `${name} •••• ${last_four}` : name
}

const isPaymentMethod = (word: string): word is billing.PaymentMethod => Object.hasOwn(NAMES, word)

/** How an entry of the history was paid: the name of a known kind, or the text itself. */
export const methodName = (word: string): string => (isPaymentMethod(word) ? NAMES[word] : word)

/** Where to change the payment method for future payments when it can't be changed here. */
export const UPDATE_METHOD_HINTS: Record<billing.PaymentMethod, string> = {
  credit_card: texts.changeCardWithProvider,
  paypal: texts.changePaymentMethodAtPaypal,
  mobile_wallet: texts.changeCardInWallet,
  bank_transfer: texts.bankTransferHint,
}
