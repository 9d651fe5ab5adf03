import type { ReactNode } from 'react'
import css from './SectionHead.module.css'

/** The title of a part of a screen, with at most one way onward beside it. */
export function SectionHead({ id, title, children }: { id?: string; title: ReactNode; children?: ReactNode }) {
  return (
    <div className={css.bar}>
      <h2 id={id}>{title}</h2>
      {children}
    </div>
  )
}
