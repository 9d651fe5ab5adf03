import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import css from './Forms.module.css'
import * as texts from './texts.ts'
import type { Entry } from './useEntry.ts'

type Props = { entry: Pick<Entry, 'keepMine' | 'takeTheirs'>; children: ReactNode }

/** The version that someone else has saved in the meantime, with the choices for resolving the conflict. */
export const Theirs = ({ entry, children }: Props) => (
  <section className={css.theirs} aria-label={texts.currentVersion}>
    {children}
    <div className={css.actions}>
      <Button onClick={entry.keepMine}>{texts.keepMine}</Button>
      <Button onClick={entry.takeTheirs}>{texts.useTheirs}</Button>
    </div>
  </section>
)
