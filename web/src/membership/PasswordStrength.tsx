import css from './PasswordStrength.module.css'
import { strengthText, useStrength } from './strength.ts'

const STEPS = [1, 2, 3, 4]

type Props = {
  /** As far as it is typed. */
  password: string
  /** What a guesser would try first: the name, the address. */
  words: string[]
}

/** How hard a chosen password would be to guess, and what would better it. Stands below its field, as its description. */
export function PasswordStrength({ password, words: personalWords }: Props) {
  const strength = useStrength(password, personalWords)
  // A password that is guessed at once fills one step too: an empty bar would read as "not looked at yet".
  const filled = strength ? Math.max(1, strength.score) : 0
  return (
    <span className={css.strength}>
      <span className={css.bar} data-score={filled} aria-hidden>
        {STEPS.map((step) => (
          <i key={step} data-filled={step <= filled || undefined} />
        ))}
      </span>
      <span aria-live="polite">{strengthText(password, strength)}</span>
    </span>
  )
}
