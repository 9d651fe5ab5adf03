import type { ReactNode } from 'react'
import lists from '../Lists.module.css'
import css from './MemberView.module.css'

type PartProps = { title: string; note?: ReactNode; children: ReactNode }

/** One section of the page, with its heading. */
export const Part = ({ title, note, children }: PartProps) => (
  <section className={lists.card} aria-label={title}>
    <header className={css.partHead}>
      <h3>{title}</h3>
      {note && <p>{note}</p>}
    </header>
    {children}
  </section>
)
