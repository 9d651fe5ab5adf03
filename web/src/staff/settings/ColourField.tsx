import { format } from '../../platform/message.ts'
import { Field } from '../../uploads/Field.tsx'
import { readColour } from './accent.ts'
import css from './Settings.module.css'
import * as texts from './texts.ts'

type Props = {
  label: string
  path: string
  /** As typed; '' for none. */
  value: string
  wrong?: string | undefined
  note?: string
  onChange: (colour: string) => void
}

/** A colour, typed as `#c8f135` or picked. */
export const ColourField = ({ label, path, value, wrong, note, onChange }: Props) => (
  <Field label={label} path={path} fieldError={wrong} note={note}>
    {(control) => (
      <span className={css.colour}>
        <input
          type="color"
          aria-label={format(texts.pick, { label })}
          value={readColour(value) ?? '#808080'}
          onChange={({ target }) => onChange(target.value)}
        />
        <input
          {...control}
          className={`${control.className} num`}
          maxLength={7}
          autoComplete="off"
          spellCheck={false}
          placeholder="#c8f135"
          {...(value === '' ? { defaultValue: '' } : { value })}
          onChange={({ target }) => onChange(target.value)}
        />
      </span>
    )}
  </Field>
)
