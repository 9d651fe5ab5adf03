import { Field } from '../uploads/Field.tsx'
import * as texts from './texts.ts'

type Props = {
  label: string
  chosen: string
  /** Values with their labels. */
  choices: (readonly [string, string])[]
  onChoose: (value: string) => void
}

/** A filter with one of several values, or none. */
export const Choice = ({ label, chosen, choices, onChoose }: Props) => (
  <Field label={label} path={label}>
    {(control) => (
      <select {...control} value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">{texts.all}</option>
        {chosen !== '' && !choices.some(([value]) => value === chosen) && <option value={chosen}>{chosen}</option>}
        {choices.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    )}
  </Field>
)
