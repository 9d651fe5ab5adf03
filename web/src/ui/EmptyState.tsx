import type { ReactNode } from 'react'
import css from './EmptyState.module.css'

type Props = {
  icon: ReactNode
  title: string
  /** Why the list is empty, and what to do next. */
  children: ReactNode
  action?: ReactNode
  /** True if it is read out at once: for errors, not for a list that is simply empty. */
  alert?: boolean
}

/** Replaces an empty list: why it is empty, and what to do next. */
export function EmptyState({ icon, title, children, action, alert }: Props) {
  return (
    <div className={css.empty} role={alert ? 'alert' : undefined}>
      <span className={css.icon} aria-hidden>
        {icon}
      </span>
      <h2>{title}</h2>
      <div className={css.text}>{children}</div>
      {action && <div className={css.action}>{action}</div>}
    </div>
  )
}
