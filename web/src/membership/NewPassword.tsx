import type { TextInputProps } from '@mantine/core'
import type { CSSProperties } from 'react'
import css from './Membership.module.css'
import { PasswordField } from './PasswordField.tsx'
import { strengthText, useStrength } from './strength.ts'

/** The error is shown at its field, the password strength below both. */
const ORDER: NonNullable<TextInputProps['inputWrapperOrder']> = ['label', 'input', 'error', 'description']

/** The field for a new password. `words`: what an attacker would try first. */
export const NewPassword = ({
  words: personalWords,
  value = '',
  ...field
}: TextInputProps & { value?: string; words: string[] }) => (
  <PasswordField
    autoComplete="new-password"
    inputWrapperOrder={ORDER}
    description={<PasswordStrength password={value} words={personalWords} />}
    value={value}
    {...field}
  />
)

const STEPS = [1, 2, 3, 4]

/** The colour of the bar by how many of its steps are filled. */
const COLOURS = ['', 'var(--danger)', 'var(--warn)', 'var(--ok)', 'var(--ok)']

type Props = {
  /** The password typed. */
  password: string
  /** What an attacker would try first: the name, the address. */
  words: string[]
}

/** The strength of a new password, with advice. Used as the description below its field. */
function PasswordStrength({ password, words: personalWords }: Props) {
  const strength = useStrength(password, personalWords)
  // The weakest password fills one step too: an empty bar would mean "not checked yet".
  const filled = strength ? Math.max(1, strength.score) : 0
  return (
    <span className={css.strength}>
      <span className={css.bar} style={{ '--filled': COLOURS[filled] } as CSSProperties} aria-hidden>
        {STEPS.map((step) => (
          <i key={step} data-filled={step <= filled || undefined} />
        ))}
      </span>
      <span aria-live="polite">{strengthText(password, strength)}</span>
    </span>
  )
}
