import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import css from './Forms.module.css'
import type { Entry } from './useEntry.ts'

type Props = { entry: Pick<Entry, 'keepMine' | 'takeTheirs'>; children: ReactNode }

/** How something stands that somebody else has saved meanwhile, and what to do about it. */
export const Theirs = ({ entry, children }: Props) => (
  <section className={css.theirs} aria-label="Current version">
    {children}
    <div className={css.actions}>
      <Button onClick={entry.keepMine}>Keep mine</Button>
      <Button onClick={entry.takeTheirs}>Use theirs</Button>
    </div>
  </section>
)
