import { type ReactNode, useEffect } from 'react'
import { create } from 'zustand'
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
  /** `full` for lists, `narrow` for text and forms. */
  width?: 'full' | 'narrow'
  children: ReactNode
}

/** The frame of a screen: heading, tab title, width and the gutters of its content. */
export function Page({ title, section, note, actions, width = 'full', children }: Props) {
  useTabTitle(title && section && section !== title ? format(texts.titleInSection, { title, section }) : title, title)
  return (
    <div className={css.page} data-width={width}>
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

/** The title of the open page, which the header shows on phones. */
export const usePageTitle = create<{ title: string | undefined }>(() => ({ title: undefined }))

/** Sets the title of the tab, and the one in the header of phones if that is shorter. */
export function useTabTitle(title: string | undefined, headerTitle = title) {
  const { name } = usePool()
  useEffect(() => {
    document.title = title ? `${title} · ${name}` : name
    usePageTitle.setState({ title: headerTitle })
  }, [title, headerTitle, name])
}
