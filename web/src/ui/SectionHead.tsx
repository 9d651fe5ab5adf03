import type { ReactNode } from 'react'
import css from './SectionHead.module.css'

/** The title of a section, with at most one link next to it. */
export function SectionHead({ id, title, children }: { id?: string; title: ReactNode; children?: ReactNode }) {
  return (
    <div className={css.bar}>
      <h2 id={id}>{title}</h2>
      {children}
    </div>
  )
}
