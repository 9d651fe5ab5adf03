import type { billing } from '@dubplate/contract'
import { type ApiError, fieldError, throwCombined } from '../platform/api-error.ts'

/** First digits (ISO/IEC 7812), digits of the number and of its security code. */
const BRANDS: { brand: billing.CardType; pattern: RegExp; digits: number; ccv: number }[] = [
  { brand: 'Visa', pattern: /^4/, digits: 16, ccv: 3 },
  { brand: 'MasterCard', pattern: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, digits: 16, ccv: 3 },
  { brand: 'Amex', pattern: /^3[47]/, digits: 15, ccv: 4 },
  { brand: 'Discover', pattern: /^(6011|64[4-9]|65)/, digits: 16, ccv: 3 },
]

export type Card = { number: string; brand: billing.CardType; last_four: string; expires_on: string }

/** The check digit of a number (ISO/IEC 7812-1, annex B). */
function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** Returns the last day of `MM/YY`; undefined for an invalid month. */
function lastDayOfMonth(expires: string): Date | undefined {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/\s*(\d{2})$/.exec(expires) ?? []
  if (!month || !year) return undefined
  return new Date(Date.UTC(2000 + Number(year), Number(month), 0))
}

const brandOf = (number: string) => BRANDS.find(({ pattern }) => pattern.test(number))
const digitsOf = (text: string) => text.replace(/[\s-]/g, '')

/** A card as it was entered; missing fields were refused before. */
type CardInput = { [name in keyof billing.PaymentForm]?: billing.PaymentForm[name] | undefined }

/**
 * Checks what was entered in the sandbox's card form. Throws `invalid_card_number`, `invalid_expiry_date` and
 * `invalid_cvc`, all of them at once. The messages do not repeat any of the number.
 */
export function checkCard({ card_number, card_type, expire_date, ccv }: CardInput, now: Date): void {
  const brand = card_number === undefined ? undefined : brandOf(digitsOf(card_number))
  throwCombined([
    ...(card_number === undefined ? [] : checkNumber(digitsOf(card_number), card_type)),
    ...(expire_date === undefined ? [] : checkExpiry(expire_date, now)),
    ...(brand && ccv !== undefined && !new RegExp(`^\\d{${brand.ccv}}$`).test(ccv)
      ? [fieldError('invalid_cvc', 'formData.ccv', `Enter the ${brand.ccv}-digit security code (CCV).`)]
      : []),
  ])
}

function checkNumber(number: string, cardType: billing.CardType | undefined): ApiError[] {
  const brand = brandOf(number)
  const reject = (field: string, sentence: string) => [fieldError('invalid_card_number', `formData.${field}`, sentence)]
  if (!brand || number.length !== brand.digits || !/^\d+$/.test(number) || !passesLuhn(number))
    return reject('card_number', 'This card number is incomplete or incorrect.')
  if (cardType !== undefined && brand.brand !== cardType)
    return reject('card_number', `This is a ${brand.brand} card number, not ${cardType}.`)
  return []
}

function checkExpiry(text: string, now: Date): ApiError[] {
  const last = lastDayOfMonth(text)
  const reject = (sentence: string) => [fieldError('invalid_expiry_date', 'formData.expire_date', sentence)]
  if (!last) return reject('Enter the expiry date as MM/YY.')
  return last.getTime() + 86_400_000 <= now.getTime() ? reject('This card has expired. Use another card.') : []
}

/** Returns the card entered in the sandbox's form. Throws the errors of `checkCard`. */
export function parseCard(form: billing.PaymentForm, now: Date): Card {
  checkCard(form, now)
  const number = digitsOf(form.card_number)
  const [brand, last] = [brandOf(number), lastDayOfMonth(form.expire_date)]
  if (!brand || !last) throw new Error('Valid card without a brand or an expiry date')
  return { number, brand: brand.brand, last_four: number.slice(-4), expires_on: last.toISOString().slice(0, 10) }
}
