import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Complaint } from './Complaint.tsx'
import css from './Forms.module.css'
import * as texts from './texts.ts'
import type { Entry } from './useEntry.ts'

type Props = {
  entry: Pick<Entry, 'complaint' | 'isBusy' | 'close'>
  /** Label of the save button. */
  verb?: string
  /** The error is already shown at a field. */
  isSaid?: boolean
  /** The version that someone else has saved since. */
  children?: ReactNode
}

/** The end of a form: the error, Save and Cancel. */
export const EntryEnd = ({ entry, verb = texts.save, isSaid = false, children }: Props) => (
  <>
    {!isSaid && <Complaint of={entry.complaint} />}
    {children}
    <div className={css.actions}>
      <Button type="submit" variant="primary" busy={entry.isBusy}>
        {verb}
      </Button>
      <Button onClick={entry.close}>{texts.cancel}</Button>
    </div>
  </>
)
