import { type ReactNode, useId } from 'react'
import css from './Part.module.css'

type Props = { title: string; description?: ReactNode; children: ReactNode }

/** A part of an account screen: what it is about, then what can be done. */
export function AccountSection({ title, description, children }: Props) {
  const id = useId()
  return (
    <section className={css.part} aria-labelledby={id}>
      <header className={css.head}>
        <h2 id={id}>{title}</h2>
        {description && <div className={css.about}>{description}</div>}
      </header>
      {children}
    </section>
  )
}
