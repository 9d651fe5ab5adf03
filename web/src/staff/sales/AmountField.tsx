import { useMaskito } from '@maskito/react'
import type { ReactNode } from 'react'
import { amountMask, wholeAmount } from '../../admin/amountMask.ts'
import { Field } from '../../uploads/Field.tsx'

type Props = {
  label: string
  path: string
  value: string
  onChange: (amount: string) => void
  wrong?: string | undefined
  note?: ReactNode
}

/** An amount as text: accepts only digits, one decimal point and two decimals. */
export function AmountField({ label, path, value, onChange, wrong, note }: Props) {
  const mask = useMaskito({ options: amountMask })
  return (
    <Field label={label} path={path} fieldError={wrong} note={note}>
      {(control) => (
        <input
          {...control}
          ref={mask}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          value={value}
          // A mask changes the value after the browser's own change.
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
          onBlur={({ currentTarget }) => {
            const whole = wholeAmount(currentTarget.value)
            if (whole !== value) onChange(whole)
          }}
        />
      )}
    </Field>
  )
}
