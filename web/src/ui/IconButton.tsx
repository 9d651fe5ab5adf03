import type { ComponentProps, ReactNode } from 'react'
import css from './IconButton.module.css'

type Props = Omit<ComponentProps<'button'>, 'type' | 'aria-label' | 'title' | 'children'> & {
  /** The action: its accessible name and its tooltip. */
  label: string
  /** The keyboard shortcut, shown in the tooltip. */
  shortcut?: string
  children: ReactNode
}

/** A button with only an icon. */
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
