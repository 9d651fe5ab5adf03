import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

type Props = Omit<TextInputProps, 'value' | 'onChange'> & {
  value: number | null
  /** The value as it is written. */
  write: (value: number) => string
  /** The value of a text; undefined if it is not one. */
  parse: (text: string) => number | undefined
  onChange: (value: number | null) => void
}

/** A number in a notation of its own. What is typed stays as it is until the number changes elsewhere. */
export function TypedNumber({ value, write, parse, onChange, ...input }: Props) {
  const textOf = (value: number | null) => (value === null ? '' : write(value))
  const [typed, setTyped] = useState({ value, text: textOf(value) })
  if (typed.value !== value) setTyped({ value, text: textOf(value) })
  return (
    <TextInput
      autoComplete="off"
      inputMode="decimal"
      errorProps={{ role: 'alert' }}
      {...input}
      value={typed.text}
      onChange={({ currentTarget: { value: text } }) => {
        const parsed = parse(text) ?? null
        setTyped({ value: parsed, text })
        onChange(parsed)
      }}
    />
  )
}
