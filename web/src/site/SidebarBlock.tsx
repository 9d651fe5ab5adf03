import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { InlineError } from '../platform/InlineError.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import css from './Block.module.css'

/** What a block needs of the question behind it. */
export type QueryState<Reply> = Pick<UseQueryResult<Reply>, 'data' | 'error' | 'isPending' | 'refetch'>

type Props<Reply> = {
  title: string
  queryResult: QueryState<Reply>
  /** Rows of 50 px to keep room for while it is on its way. */
  rows: number
  /** A way onward beside the title. */
  onward?: ReactNode
  /** Where it does not load that is read out at once. */
  alert?: boolean
  /** What it shows; null where there is nothing, and the block is left out. */
  children: (reply: Reply) => ReactNode
}

/** A block of the right column: on its way, not loaded, or there. */
export function SidebarBlock<Reply>({ title, queryResult, rows, onward, alert, children }: Props<Reply>) {
  const { data, error, refetch } = queryResult
  if (error && !data)
    return <InlineError alert={alert} error={error} subject={`“${title}”`} retry={() => void refetch()} />
  const content = data && children(data)
  if (data && !content) return null
  return (
    <section aria-label={title} aria-busy={!data || undefined}>
      <SectionHead title={title}>{data && onward}</SectionHead>
      {content ?? <div className={css.waiting} style={{ height: rows * 50 }} />}
    </section>
  )
}
