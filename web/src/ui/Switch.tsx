import { type ReactNode, useId } from 'react'
import css from './Switch.module.css'

type Props = {
  checked: boolean
  onChange: (checked: boolean) => void
  /** Shown below in small text. */
  note?: ReactNode
  disabled?: boolean
  children: ReactNode
}

/** A setting that is on or off and applies at once. */
export function Switch({ checked, onChange, note, disabled, children }: Props) {
  const id = useId()
  return (
    <div className={css.switch}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        aria-describedby={note ? `${id}-note` : undefined}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{children}</label>
      {note && <small id={`${id}-note`}>{note}</small>}
    </div>
  )
}
