import type { billing } from '@dubplate/contract'

/** The values of a card exist only in the fields of its form: nothing here stores them. */
export type CardFields = Record<'cardholder_name' | 'card_number' | 'card_type' | 'expire_date' | 'ccv', string>

export const BLANK_CARD: CardFields = { cardholder_name: '', card_number: '', card_type: '', expire_date: '', ccv: '' }

/** The card as its calls take it. */
export const cardOf = ({ cardholder_name, card_number, card_type, expire_date, ccv }: CardFields) => ({
  ...{ cardholder_name, card_number, expire_date, ccv },
  // The schema of the call rejects a missing type.
  card_type: card_type as billing.CardType,
})

/** The field of the form for a path of a call's input. */
export const fieldOfCard = (path: string): string => path.replace(/^formData\./, '')
