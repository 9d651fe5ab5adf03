import { type ReactNode, useEffect } from 'react'
import { format } from '../format/message.ts'
import css from './Page.module.css'
import { usePool } from './pool.ts'
import * as texts from './texts.ts'

type Props = {
  /** The heading of the screen and the title of the tab; undefined while it is loading. */
  title: string | undefined
  /** The part of the site it belongs to, for the title of the tab. */
  section?: string | undefined
  /** Shown below the heading: a count, a date. */
  note?: ReactNode
  /** Shown next to the heading: the actions of the screen. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of a screen: heading, tab title, and the gutters of its content. */
export function Page({ title, section, note, actions, children }: Props) {
  useTabTitle(title && section && section !== title ? format(texts.titleInSection, { title, section }) : title)
  return (
    <div className={css.page}>
      <div className={css.head}>
        <div>
          <h1>{title ?? <span className={css.pending}>{texts.loading}</span>}</h1>
          {note !== undefined && <p className={css.note}>{note}</p>}
        </div>
        {actions && <div className={css.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  )
}

export function useTabTitle(title: string | undefined) {
  const { name } = usePool()
  useEffect(() => {
    document.title = title ? `${title} · ${name}` : name
  }, [title, name])
}
