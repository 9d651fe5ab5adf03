import type { KeyboardEvent, ReactNode } from 'react'
import css from './Forms.module.css'
import type { Entry } from './useEntry.ts'

type Props = {
  entry: Pick<Entry, 'form' | 'submit' | 'close'>
  title: string
  /** Where it stands among headings: `h3` below a part of a screen. */
  heading?: 'h2' | 'h3'
  isWide?: boolean
  /** A short form is left by Escape; of a long one too much would go. */
  isShort?: boolean
  children: ReactNode
}

/** The frame of a form that something is written in, with its head. */
export function EntryForm({ entry, title, heading: Heading = 'h2', isWide, isShort, children }: Props) {
  const leave = (event: KeyboardEvent) => event.key === 'Escape' && entry.close()
  return (
    <form
      ref={entry.form}
      noValidate
      data-framed
      data-wide={isWide}
      className={css.form}
      onSubmit={entry.submit}
      onKeyDown={isShort ? leave : undefined}
    >
      <Heading>{title}</Heading>
      {children}
    </form>
  )
}
