import { type ReactNode, useId } from 'react'
import css from './AccountSection.module.css'

type Props = { title: string; description?: ReactNode; children: ReactNode }

/** A section of an account screen: title and description, then its content. */
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
