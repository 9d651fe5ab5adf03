import type { ComponentProps, ReactNode } from 'react'
import { Field } from '../../uploads/Field.tsx'
import css from './Forms.module.css'
import * as texts from './texts.ts'

type Common = { label: string; path: string; wrong?: string | undefined; note?: ReactNode }

type TextProps = Common &
  Pick<ComponentProps<'input'>, 'maxLength' | 'inputMode' | 'autoCapitalize' | 'spellCheck'> & {
    value: string
    onChange: (value: string) => void
    /** The form was opened just now. */
    takesFocus?: boolean
  }

export const TextField = ({ label, path, wrong, note, value, onChange, takesFocus, ...input }: TextProps) => (
  <Field label={label} path={path} fieldError={wrong} note={note}>
    {(control) => (
      <input
        {...control}
        {...input}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened it
        autoFocus={takesFocus}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)

type CurrencyProps = Pick<TextProps, 'value' | 'onChange' | 'wrong'>

/** A three-letter currency code: EUR. */
export const CurrencyField = ({ onChange, ...rest }: CurrencyProps) => (
  <TextField
    label={texts.currency}
    path="currency"
    maxLength={3}
    autoCapitalize="characters"
    onChange={(code) => onChange(code.toUpperCase())}
    {...rest}
  />
)

type ChoiceProps<T extends string> = Common & {
  value: T
  /** Values with their labels. */
  choices: readonly (readonly [T, string])[]
  onChoose: (value: T) => void
}

/** A select. */
export const ChoiceField = <T extends string>({ value, choices, onChoose, ...field }: ChoiceProps<T>) => (
  <Field {...field}>
    {(control) => (
      <select {...control} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value as T)}>
        {choices.map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    )}
  </Field>
)

type MomentProps = Common & { value: string; onChange: (value: string) => void }

/** A local date and time; '' for none. */
export const MomentField = ({ value, onChange, ...field }: MomentProps) => (
  <Field {...field}>
    {(control) => (
      <input {...control} type="datetime-local" value={value} onChange={({ target }) => onChange(target.value)} />
    )}
  </Field>
)

type TickProps = { isTicked: boolean; onTick: (isTicked: boolean) => void; children: ReactNode }

/** A checkbox. */
export const Tick = ({ isTicked, onTick, children }: TickProps) => (
  <label className={css.check}>
    <input type="checkbox" checked={isTicked} onChange={({ target }) => onTick(target.checked)} />
    {children}
  </label>
)
