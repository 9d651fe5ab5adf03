import css from './Chips.module.css'

type Choice<T> = { value: T; label: string }

type Props<T> = {
  label: string
  choices: Choice<T>[]
  chosen: T | T[]
  onChoose: (value: T) => void
}

/** A row of choices that scrolls horizontally if it does not fit. */
export function Chips<T extends string | number | undefined>({ label, choices, chosen, onChoose }: Props<T>) {
  const isChosen = (value: T) => (Array.isArray(chosen) ? chosen.includes(value) : chosen === value)
  return (
    <fieldset className={css.chips} aria-label={label}>
      {choices.map(({ value, label }) => (
        <button
          type="button"
          key={String(value)}
          className={css.chip}
          aria-pressed={isChosen(value)}
          onClick={() => onChoose(value)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
