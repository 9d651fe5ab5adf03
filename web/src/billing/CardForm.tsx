import { billing } from '@dubplate/contract'
import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { useMaskito } from '@maskito/react'
import { IconChevronDown } from '@tabler/icons-react'
import { type FormEvent, useMemo } from 'react'
import type { ResourceFormState } from '../platform/useResourceForm.ts'
import css from './Billing.module.css'
import { cardBrand, ccvLength, ccvMask, expiryMask, numberMask } from './card.ts'
import type { CardFields } from './cardFields.ts'
import * as texts from './texts.ts'

/** Of a form that contains the card fields, whatever other fields it has. */
type Props = { form: Pick<ResourceFormState<CardFields>, 'values' | 'field' | 'setValues'> }

const CARD_TYPES = [
  { value: '', label: texts.selectAType },
  ...billing.CARD_TYPES.map((type) => ({ value: type, label: type })),
]

/** Every accepted brand is known after as many digits, and its space. */
const DIGITS_OF_A_BRAND = 7

/** The fields of a card. Browsers may autofill them; the app stores none of their values. */
export function CardForm({ form }: Props) {
  const ccvDigits = ccvLength(form.values.card_number)
  const number = useMaskito({ options: numberMask })
  const date = useMaskito({ options: expiryMask })
  const code = useMaskito({ options: useMemo(() => ccvMask(ccvDigits), [ccvDigits]) })
  const masked = (name: keyof CardFields) => {
    const { onChange, ...field } = form.field(name)
    // A mask changes the value after the browser's own input event.
    return { ...field, onInput: onChange, inputMode: 'numeric' as const }
  }
  const typeNumber = ({ currentTarget }: FormEvent<HTMLInputElement>) => {
    const card_type = cardBrand(currentTarget.value)
    form.setValues({ card_number: currentTarget.value, card_type: card_type ?? '' })
  }
  const brand = cardBrand(form.values.card_number)
  // Asked for only when the number does not say it.
  const isTypeNeeded = !brand && form.values.card_number.length >= DIGITS_OF_A_BRAND
  return (
    <Stack gap="lg">
      <TextInput
        label={texts.cardholderName}
        autoComplete="cc-name"
        spellCheck={false}
        {...form.field('cardholder_name')}
      />
      <TextInput
        label={texts.cardNumber}
        autoComplete="cc-number"
        {...masked('card_number')}
        rightSection={brand}
        rightSectionWidth={brand ? 104 : undefined}
        rightSectionProps={{ 'aria-live': 'polite' }}
        ref={number}
        onInput={typeNumber}
      />
      <div className={css.cardRow}>
        {isTypeNeeded && (
          <NativeSelect
            label={texts.cardType}
            autoComplete="cc-type"
            rightSection={<IconChevronDown size={16} aria-hidden />}
            data={CARD_TYPES}
            {...form.field('card_type')}
          />
        )}
        <TextInput
          label={texts.expiration}
          placeholder={texts.mmYy}
          autoComplete="cc-exp"
          {...masked('expire_date')}
          ref={date}
        />
        <TextInput
          label={texts.ccv}
          placeholder={'0'.repeat(ccvDigits)}
          autoComplete="cc-csc"
          {...masked('ccv')}
          ref={code}
        />
      </div>
    </Stack>
  )
}
