import { type ReactNode, useId } from 'react'
import css from './ChoiceCards.module.css'

type Choice<T> = {
  value: T
  name: string
  note: ReactNode
  /** Shown after the name. */
  picture?: ReactNode
}

type Props<T> = {
  title: string
  choices: readonly Choice<T>[]
  /** '' if nothing is chosen yet. */
  chosen: T | ''
  error?: ReactNode
  /** The focus goes to the group when its dialog opens. */
  hasFocus?: boolean
  onChoose: (value: T) => void
}

/** A choice of a few options, each on a card with its description. */
export function ChoiceCards<T extends string>({ title, choices, chosen, error, hasFocus, onChoose }: Props<T>) {
  const group = useId()
  const focused = chosen === '' ? choices[0]?.value : chosen
  return (
    <fieldset
      className={css.group}
      data-invalid={error ? true : undefined}
      aria-describedby={error ? `${group}-error` : undefined}
    >
      <legend>{title}</legend>
      {choices.map(({ value, name, note, picture }) => (
        <label key={value} className={css.card}>
          <input
            type="radio"
            name={group}
            value={value}
            checked={value === chosen}
            data-autofocus={(hasFocus && value === focused) || undefined}
            aria-describedby={`${group}-${value}`}
            onChange={() => onChoose(value)}
          />
          <b>{name}</b>
          {picture}
          <small id={`${group}-${value}`}>{note}</small>
        </label>
      ))}
      {error && (
        <p id={`${group}-error`} role="alert" className={css.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
