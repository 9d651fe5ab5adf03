import type { billing } from '@dubplate/contract'
import { fieldRefusal, type Refusal, refuseAll } from '../platform/refusal.ts'

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

const kindOf = (number: string) => BRANDS.find(({ begins }) => begins.test(number))
const digitsOf = (typed: string) => typed.replace(/[\s-]/g, '')

/** A card as it was typed; a field that is missing was refused already. */
type TypedCard = { [name in keyof billing.PaymentForm]?: billing.PaymentForm[name] | undefined }

/**
 * Checks what was typed into the sandbox's card form. Refuses `invalid_card_number`, `invalid_expiry_date` and `invalid_cvc`, all of
 * them at once. The sentences repeat nothing of the number.
 */
export function checkCard({ card_number, card_type, expire_date, ccv }: TypedCard, now: Date): void {
  const kind = card_number === undefined ? undefined : kindOf(digitsOf(card_number))
  refuseAll([
    ...(card_number === undefined ? [] : checkNumber(digitsOf(card_number), card_type)),
    ...(expire_date === undefined ? [] : checkExpiry(expire_date, now)),
    ...(kind && ccv !== undefined && !new RegExp(`^\\d{${kind.ccv}}$`).test(ccv)
      ? [fieldRefusal('invalid_cvc', 'formData.ccv', `Enter the ${kind.ccv}-digit security code (CVC).`)]
      : []),
  ])
}

function checkNumber(number: string, cardType: billing.CardType | undefined): Refusal[] {
  const kind = kindOf(number)
  const refuse = (field: string, sentence: string) => [
    fieldRefusal('invalid_card_number', `formData.${field}`, sentence),
  ]
  if (!kind || number.length !== kind.digits || !/^\d+$/.test(number) || !passesLuhn(number))
    return refuse('card_number', 'This card number is incomplete or incorrect.')
  if (cardType !== undefined && kind.brand !== cardType)
    return refuse('card_number', `This is the number of a card of ${kind.brand}, not of ${cardType}.`)
  return []
}

function checkExpiry(typed: string, now: Date): Refusal[] {
  const last = lastDayOf(typed)
  const refuse = (sentence: string) => [fieldRefusal('invalid_expiry_date', 'formData.expire_date', sentence)]
  if (!last) return refuse('Enter the expiry date as MM/YY.')
  return last.getTime() + 86_400_000 <= now.getTime() ? refuse('This card has expired. Use another card.') : []
}

/** The card that was typed into the sandbox's form. Refuses what `checkCard` refuses. */
export function readCard(form: billing.PaymentForm, now: Date): Card {
  checkCard(form, now)
  const number = digitsOf(form.card_number)
  const [kind, last] = [kindOf(number), lastDayOf(form.expire_date)]
  if (!kind || !last) throw new Error('A card without a brand or an expiry date was found good.')
  return { number, brand: kind.brand, last_four: number.slice(-4), expires_on: last.toISOString().slice(0, 10) }
}
