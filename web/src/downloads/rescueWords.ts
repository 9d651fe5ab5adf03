import type { Pagination } from '@dubplate/contract'
import { dayOf, type Range } from '../platform/days.ts'

/** What narrows the history down, as the address carries it. */
export type Filters = Range & { find?: string | undefined }

/** Why a page of the history is empty; undefined where nothing was ever downloaded. */
export function nothingIn({ from, to, find }: Filters, { totalCount }: Pick<Pagination, 'totalCount'>) {
  if (totalCount > 0) return { title: 'Nothing on this page', why: 'The list ends before it.' }
  const between = dayOf(from) || dayOf(to) ? ' between these days' : ''
  if (find)
    return { title: 'Nothing found', why: `Nothing you downloaded${between} has “${find}” in its title or artist.` }
  if (between) return { title: 'Nothing in this range', why: `You downloaded nothing${between}.` }
  return undefined
}
