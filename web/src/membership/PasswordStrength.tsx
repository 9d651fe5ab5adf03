import type { CSSProperties } from 'react'
import css from './Membership.module.css'
import { strengthText, useStrength } from './strength.ts'

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
export function PasswordStrength({ password, words: personalWords }: Props) {
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
