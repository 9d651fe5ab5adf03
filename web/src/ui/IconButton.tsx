import type { ComponentProps, ReactNode } from 'react'
import css from './IconButton.module.css'

type Props = Omit<ComponentProps<'button'>, 'type' | 'aria-label' | 'title' | 'children'> & {
  /** What it does: its name for a screen reader and its tooltip. */
  label: string
  /** The key that does the same, shown in the tooltip. */
  shortcut?: string
  children: ReactNode
}

/** A button that is only a picture. */
export function IconButton({ label, shortcut, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={shortcut ? `${label} (${shortcut})` : label}
      className={className ? `${css.button} ${className}` : css.button}
      {...rest}
    >
      {children}
    </button>
  )
}
