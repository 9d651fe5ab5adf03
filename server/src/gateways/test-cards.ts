/** How a card of the sandbox behaves. */
export type Behaviour = 'pays' | 'declines' | 'insufficient' | 'expired' | 'asks' | 'fails_on_renewal'

/**
 * The sandbox's cards, with the numbers that Stripe's documentation uses for the same behaviour
 * (docs.stripe.com/testing).
 */
const TEST_CARDS: Record<string, Behaviour> = {
  '4242424242424242': 'pays',
  '5555555555554444': 'pays',
  '378282246310005': 'pays',
  '6011111111111117': 'pays',
  '4000000000000002': 'declines',
  '4000000000009995': 'insufficient',
  '4000000000000069': 'expired',
  '4000002500003155': 'asks',
  '4000000000000341': 'fails_on_renewal',
}

/** Undefined for every other number, so that no real card works here. */
export const behaviourOf = (number: string): Behaviour | undefined => TEST_CARDS[number]

/** The tokens of the wallet sheet in the sandbox. */
const TEST_WALLETS: Record<string, Behaviour> = {
  'sandbox-wallet-ok': 'pays',
  'sandbox-wallet-declines': 'declines',
}

/** Undefined for any other token. */
export const walletOf = (token: string): Behaviour | undefined =>
  Object.hasOwn(TEST_WALLETS, token) ? TEST_WALLETS[token] : undefined

const SENTENCES: Partial<Record<Behaviour, string>> = {
  declines: 'Your card was declined.',
  insufficient: 'Your card has insufficient funds.',
  expired: 'Your card has expired.',
  fails_on_renewal: 'Your card was declined.',
}

/** Returns why a payment with this card fails; '' when it succeeds. */
export const declineMessage = (behaviour: Behaviour, reason: 'first' | 'renewal' | 'upgrade'): string =>
  behaviour === 'fails_on_renewal' && reason === 'first' ? '' : (SENTENCES[behaviour] ?? '')
