import type { ReactNode } from 'react'
import css from './EmptyState.module.css'

type Props = {
  icon: ReactNode
  title: string
  /** Why, and what to do next. */
  children: ReactNode
  action?: ReactNode
  /** Read out at once: for trouble, not for a list that is simply empty. */
  alert?: boolean
}

/** Stands where a list would: nothing there yet, or a reason why not, and always a way on. */
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
