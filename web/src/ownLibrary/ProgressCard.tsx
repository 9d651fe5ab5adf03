import type { ReactNode } from 'react'
import css from './DjLibrary.module.css'

type Props = {
  title: string
  text: string
  /** The share that is done; undefined while it is not known. */
  progress: number | undefined
  isProblem?: boolean
  actions?: ReactNode
}

/** Something that takes a while: what, how far it is, and how to stop it. */
export const ProgressCard = ({ title, text, progress, isProblem = false, actions }: Props) => (
  <section className={css.card} aria-label={title}>
    <h2>{title}</h2>
    <p aria-live="polite" data-problem={isProblem || undefined}>
      {text}
    </p>
    <progress max={1} value={progress} aria-label={title} />
    {actions && <div className={css.buttons}>{actions}</div>}
  </section>
)
