import type { ComponentProps, ReactNode } from 'react'
import css from './IconButton.module.css'

type Props = Omit<ComponentProps<'button'>, 'type' | 'aria-label' | 'title' | 'children'> & {
  /** The action: its accessible name, and its tooltip unless it has another. */
  label: string
  /** The keyboard shortcut, shown in the tooltip. */
  shortcut?: string
  /** Replaces the label as its tooltip. */
  tooltip?: string | undefined
  children: ReactNode
}

/** A button with only an icon. */
export function IconButton({ label, shortcut, tooltip = label, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={shortcut ? `${tooltip} (${shortcut})` : tooltip}
      className={className ? `${css.button} ${className}` : css.button}
      {...rest}
    >
      {children}
    </button>
  )
}
