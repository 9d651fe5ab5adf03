import type { billing } from '@dubplate/contract'
import { Refusal } from '../platform/refusal.ts'

/** First digits (ISO/IEC 7812), digits of the number and of its security code. */
const BRANDS: { brand: billing.CardType; begins: RegExp; digits: number; ccv: number }[] = [
  { brand: 'Visa', begins: /^4/, digits: 16, ccv: 3 },
  { brand: 'MasterCard', begins: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, digits: 16, ccv: 3 },
  { brand: 'Amex', begins: /^3[47]/, digits: 15, ccv: 4 },
  { brand: 'Discover', begins: /^(6011|64[4-9]|65)/, digits: 16, ccv: 3 },
]

export type Card = { number: string; brand: billing.CardType; last_four: string; expires_on: string }

/** The check digit of a number (ISO/IEC 7812-1, annex B). */
export function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** The last day of `MM/YY`; undefined where that is no month. */
function lastDayOf(expires: string): Date | undefined {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/\s*(\d{2})$/.exec(expires) ?? []
  if (!month || !year) return undefined
  return new Date(Date.UTC(2000 + Number(year), Number(month), 0))
}

/**
 * What was typed into the sandbox's card form, checked. Refuses `card_number_wrong`, `card_expired`, `ccv_wrong`. The
 * sentences repeat nothing of the number.
 */
export function readCard(form: billing.PaymentForm, now: Date): Card {
  const number = form.card_number.replace(/[\s-]/g, '')
  const kind = BRANDS.find(({ begins }) => begins.test(number))
  if (!kind || number.length !== kind.digits || !/^\d+$/.test(number) || !passesLuhn(number)) {
    throw new Refusal('card_number_wrong', 'This card number is not complete or has a wrong digit.')
  }
  if (kind.brand !== form.card_type) {
    throw new Refusal('card_number_wrong', `This is the number of a card of ${kind.brand}, not of ${form.card_type}.`)
  }
  const last = lastDayOf(form.expire_date)
  if (!last) throw new Refusal('card_expired', 'Write the expiration as MM/YY.')
  if (last.getTime() + 86_400_000 <= now.getTime()) throw new Refusal('card_expired', 'This card has expired.')
  if (!new RegExp(`^\\d{${kind.ccv}}$`).test(form.ccv)) {
    throw new Refusal('ccv_wrong', `The CCV of this card has ${kind.ccv} digits.`)
  }
  return { number, brand: kind.brand, last_four: number.slice(-4), expires_on: last.toISOString().slice(0, 10) }
}
