import { type ReactNode, useId } from 'react'
import css from './Part.module.css'

type Props = { title: string; about?: ReactNode; children: ReactNode }

/** A part of an account screen: what it is about, then what can be done. */
export function Part({ title, about, children }: Props) {
  const id = useId()
  return (
    <section className={css.part} aria-labelledby={id}>
      <header className={css.head}>
        <h2 id={id}>{title}</h2>
        {about && <div className={css.about}>{about}</div>}
      </header>
      {children}
    </section>
  )
}
