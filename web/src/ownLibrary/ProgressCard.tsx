import type { ReactNode } from 'react'
import { ProgressBar } from '../ui/ProgressBar.tsx'
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
    <ProgressBar label={title} value={progress} />
    {actions && <div className={css.buttons}>{actions}</div>}
  </section>
)
