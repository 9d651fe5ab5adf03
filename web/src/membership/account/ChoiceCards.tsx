import { useId } from 'react'
import css from './ChoiceCards.module.css'

type Choice<T> = { value: T; name: string; note: string }

type Props<T> = { title: string; choices: Choice<T>[]; chosen: T; onChoose: (value: T) => void }

/** A choice of a few options, each on a card with its description. */
export function ChoiceCards<T extends string>({ title, choices, chosen, onChoose }: Props<T>) {
  const group = useId()
  return (
    <fieldset className={css.group}>
      <legend>{title}</legend>
      {choices.map(({ value, name, note }) => (
        <label key={value} className={css.card}>
          <input
            type="radio"
            name={group}
            value={value}
            checked={value === chosen}
            aria-describedby={`${group}-${value}`}
            onChange={() => onChoose(value)}
          />
          <b>{name}</b>
          <small id={`${group}-${value}`}>{note}</small>
        </label>
      ))}
    </fieldset>
  )
}
