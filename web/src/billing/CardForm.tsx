import { billing } from '@dubplate/contract'
import { InputBase, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMaskito } from '@maskito/react'
import { IconChevronDown } from '@tabler/icons-react'
import { type FormEvent, useMemo } from 'react'
import css from './CardForm.module.css'
import { type CardFields, cardBrand, ccvLength, ccvMask, expiryMask, numberMask } from './card.ts'
import * as texts from './texts.ts'

/** The part of a form that contains the card fields, whatever other fields the form has. */
type FormWithCard = {
  values: CardFields
  getInputProps: (name: keyof CardFields) => ReturnType<UseFormReturnType<CardFields>['getInputProps']>
  setFieldValue: (name: keyof CardFields, value: string) => void
}

/** The fields of a card. Browsers may autofill them; the app stores none of their values. */
export function CardForm({ form }: { form: FormWithCard }) {
  const ccvDigits = ccvLength(form.values.card_number)
  const number = useMaskito({ options: numberMask })
  const date = useMaskito({ options: expiryMask })
  const code = useMaskito({ options: useMemo(() => ccvMask(ccvDigits), [ccvDigits]) })
  const masked = (name: keyof CardFields) => {
    const { onChange, ...field } = form.getInputProps(name)
    // A mask changes the value after the browser's own input event.
    return { ...field, onInput: onChange, inputMode: 'numeric' as const }
  }
  const typeNumber = ({ currentTarget }: FormEvent<HTMLInputElement>) => {
    form.setFieldValue('card_number', currentTarget.value)
    const brand = cardBrand(currentTarget.value)
    if (brand) form.setFieldValue('card_type', brand)
  }
  return (
    <div className={css.fields}>
      <TextInput
        className={css.wide}
        label={texts.cardholderName}
        autoComplete="cc-name"
        spellCheck={false}
        {...form.getInputProps('cardholder_name')}
      />
      <TextInput
        className={css.wide}
        label={texts.cardNumber}
        autoComplete="cc-number"
        {...masked('card_number')}
        ref={number}
        onInput={typeNumber}
      />
      <InputBase
        component="select"
        className={`${css.third} ${css.select}`}
        label={texts.cardType}
        autoComplete="cc-type"
        rightSection={<IconChevronDown size={16} aria-hidden />}
        rightSectionPointerEvents="none"
        {...form.getInputProps('card_type')}
      >
        <option value="">{texts.selectAType}</option>
        {billing.CARD_TYPES.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </InputBase>
      <TextInput
        className={css.third}
        label={texts.expiration}
        placeholder={texts.mmYy}
        autoComplete="cc-exp"
        {...masked('expire_date')}
        ref={date}
      />
      <TextInput
        className={css.third}
        label={texts.ccv}
        placeholder={'0'.repeat(ccvDigits)}
        autoComplete="cc-csc"
        {...masked('ccv')}
        ref={code}
      />
    </div>
  )
}
