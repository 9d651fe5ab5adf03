import type { KeyboardEvent, ReactNode } from 'react'
import css from './Forms.module.css'
import type { Entry } from './useEntry.ts'

type Props = {
  entry: Pick<Entry, 'form' | 'submit' | 'close'>
  title: string
  /** Heading level: `h3` inside a section of a screen. */
  heading?: 'h2' | 'h3'
  isWide?: boolean
  /** Escape closes a short form; in a long one too much would be lost. */
  isShort?: boolean
  children: ReactNode
}

/** The frame of an editing form, with its heading. */
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
