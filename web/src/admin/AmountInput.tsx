import { TextInput } from '@mantine/core'
import { useMaskito } from '@maskito/react'
import type { ComponentProps } from 'react'
import { amountMask, wholeAmount } from './amountMask.ts'

type AmountProps = Omit<ComponentProps<typeof TextInput>, 'onChange'> & {
  value: string
  onChange: (amount: string) => void
}

/** An amount as text: it accepts only digits, one decimal point and two decimals. Pasted commas become points. */
export function AmountInput({ value, onChange, ...input }: AmountProps) {
  const mask = useMaskito({ options: amountMask })
  return (
    <TextInput
      {...input}
      ref={mask}
      inputMode="decimal"
      autoComplete="off"
      placeholder="0.00"
      value={value}
      // A mask changes the value after the browser's own change.
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
      onChange={() => {}}
      onBlur={({ currentTarget }) => {
        const whole = wholeAmount(currentTarget.value)
        if (whole !== value) onChange(whole)
      }}
    />
  )
}
