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
  credit_card: 'The card is changed where it was given.',
  paypal: 'What PayPal pays with is changed in your PayPal account, under automatic payments.',
  mobile_wallet: 'The card is changed in the wallet of your phone or browser.',
  bank_transfer: 'Each period is paid by bank transfer; staff confirm it once it has come.',
}
