import type { billing } from '@dubplate/contract'
import type { MaskitoOptions } from '@maskito/core'
import validator from 'card-validator'
import { format } from '../format/message.ts'
import type { CardFields } from './cardFields.ts'
import * as texts from './texts.ts'

/** The names card-validator uses for the card networks. */
const BRANDS: Record<string, billing.CardType> = {
  visa: 'Visa',
  mastercard: 'MasterCard',
  discover: 'Discover',
  'american-express': 'Amex',
}

const MAX_CARD_DIGITS = 16

const onlyDigits = (text: string) => text.replace(/\D/g, '')
const parseCardNumber = (typed: string) => validator.number(onlyDigits(typed), { maxLength: MAX_CARD_DIGITS })

/** The brand of a card once its digits leave only one; undefined before that, and for brands that are not accepted. */
export const cardBrand = (typed: string): billing.CardType | undefined =>
  BRANDS[parseCardNumber(typed).card?.type ?? '']

const isAmex = (typed: string) => /^3[47]/.test(onlyDigits(typed))

/** The number of digits of the card's security code. */
export const ccvLength = (number: string): number => (isAmex(number) ? 4 : 3)

const digits = (count: number) => Array<RegExp>(count).fill(/\d/)
const groups = (...sizes: number[]) => sizes.flatMap((size, n) => (n ? [' ', ...digits(size)] : digits(size)))

/** Groups of four; four, six and five for American Express. */
export const numberMask: MaskitoOptions = {
  mask: ({ value }) => (isAmex(value) ? groups(4, 6, 5) : groups(4, 4, 4, 4)),
}

/** MM/YY: a first digit above 1 is the whole month, and a four-digit year keeps its last two digits. */
export const expiryMask: MaskitoOptions = {
  mask: [...digits(2), '/', ...digits(2)],
  preprocessors: [
    ({ elementState, data }) => {
      const padMonth = (text: string) => (/^[2-9]/.test(text) ? `0${text}` : text)
      const { value, selection } = elementState
      return {
        elementState: { value: shortYear(value), selection },
        data: value === '' ? padMonth(shortYear(data)) : shortYear(data),
      }
    },
  ],
}

const shortYear = (text: string) => text.replace(/^(\d{1,2})\s*[/-]\s*20(\d\d)$/, '$1/$2')

export const ccvMask = (length: number): MaskitoOptions => ({ mask: digits(length) })

/** The errors of a card that is filled in; blank fields are checked elsewhere. */
export function validateCard(card: CardFields, now: Date): Partial<CardFields> {
  const errors: Partial<Record<keyof CardFields, string | undefined>> = {
    card_number: card.card_number ? validateCardNumber(card.card_number) : undefined,
    card_type: card.card_type ? validateCardType(card) : undefined,
    expire_date: card.expire_date ? validateExpiryDate(card.expire_date, now) : undefined,
    ccv: card.ccv ? validateCcv(card) : undefined,
  }
  return Object.fromEntries(Object.entries(errors).filter(([, sentence]) => sentence))
}

function validateCardNumber(typed: string): string | undefined {
  const { card, isValid } = parseCardNumber(typed)
  if (!isValid) return texts.thisCardNumberIsIncomplete
  return card && BRANDS[card.type] ? undefined : texts.weDontAcceptThisCard
}

function validateCardType({ card_number, card_type }: CardFields): string | undefined {
  const brand = cardBrand(card_number)
  return !brand || brand === card_type ? undefined : format(texts.thisIsACardNumber, { brand })
}

/** A card is valid until the end of its month. */
function validateExpiryDate(typed: string, now: Date): string | undefined {
  const [, month, year] = /^(\d\d)\/(\d\d)$/.exec(typed.trim()) ?? []
  if (!month || !year || Number(month) < 1 || Number(month) > 12) return texts.enterTheExpirationDateAs
  const after = new Date(2000 + Number(year), Number(month), 1)
  return after > now ? undefined : texts.thisCardHasExpiredUse
}

function validateCcv({ card_number, ccv }: CardFields): string | undefined {
  const length = ccvLength(card_number)
  return onlyDigits(ccv).length === length ? undefined : format(texts.enterTheDigitCcv, { length })
}
