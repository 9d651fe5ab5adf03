import type { billing } from '@dubplate/contract'

const NAMES: Record<billing.PaymentMethod, string> = {
  credit_card: 'Card',
  paypal: 'PayPal',
  mobile_wallet: 'Google/Apple Pay',
  bank_transfer: 'Bank transfer',
}

/** 'Visa •••• 4242', 'PayPal'. */
export function methodWords({ kind, brand, last_four }: billing.Method): string {
  const name = brand || NAMES[kind]
  return last_four ? `${name} •••• ${last_four}` : name
}

const isKind = (word: string): word is billing.PaymentMethod => Object.hasOwn(NAMES, word)

/** How an entry of the history was paid: the name of a kind, or the words it came with. */
export const methodName = (word: string): string => (isKind(word) ? NAMES[word] : word)

/** Where the payments to come are changed, for what is not changed here. */
export const CHANGED_ELSEWHERE: Record<billing.PaymentMethod, string> = {
  credit_card: 'Change this card with the payment provider.',
  paypal: 'Change your payment source in your PayPal account under Automatic payments.',
  mobile_wallet: 'Change this card in your phone or browser wallet.',
  bank_transfer: 'You pay each period by bank transfer. We confirm it when it arrives.',
}
