import type { ComponentProps } from 'react'
import css from './Button.module.css'

type Props = ComponentProps<'button'> & { look?: 'primary' | 'plain' | 'danger'; busy?: boolean }

/** A button with words on it. While busy it keeps its size, shows a spinner and cannot be pressed again. */
export function Button({ look = 'plain', busy = false, disabled, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      className={className ? `${css.button} ${className}` : css.button}
      data-look={look}
      aria-busy={busy || undefined}
      disabled={disabled || busy}
      {...rest}
    >
      {busy && <i className={css.spinner} />}
      {children}
    </button>
  )
}
