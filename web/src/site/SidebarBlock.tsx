import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { format } from '../format/message.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import css from './Sidebar.module.css'
import * as texts from './texts.ts'

/** The part of a query result that a block needs. */
export type QueryState<Reply> = Pick<UseQueryResult<Reply>, 'data' | 'error' | 'isPending' | 'refetch'>

type Props<Reply> = {
  title: string
  queryResult: QueryState<Reply>
  /** The number of placeholder rows of 50 px while loading. */
  rows: number
  /** A link next to the title. */
  onward?: ReactNode
  /** True if an error is read out at once. */
  alert?: boolean
  /** The content; null if there is none, and the block is then hidden. */
  children: (reply: Reply) => ReactNode
}

/** A block of the right column, with its loading and error states. */
export function SidebarBlock<Reply>({ title, queryResult, rows, onward, alert, children }: Props<Reply>) {
  const { data, error, refetch } = queryResult
  if (error && !data)
    return (
      <InlineError
        alert={alert}
        error={error}
        title={format(texts.couldntLoadBlock, { title })}
        retry={() => void refetch()}
      />
    )
  const content = data && children(data)
  if (data && !content) return null
  return (
    <section aria-label={title} aria-busy={!data || undefined}>
      <SectionHead title={title}>{data && onward}</SectionHead>
      {content ?? <div className={css.skeleton} style={{ height: rows * 50 }} />}
    </section>
  )
}
