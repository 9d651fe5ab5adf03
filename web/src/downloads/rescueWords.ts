import type { Pagination } from '@dubplate/contract'
import { dayOf, type Range } from '../platform/days.ts'

/** What narrows the history down, as the address carries it. */
export type Filters = Range & { find?: string | undefined }

/** Why a page of the history is empty; undefined where nothing was ever downloaded. */
export function nothingIn({ from, to, find }: Filters, { totalCount }: Pick<Pagination, 'totalCount'>) {
  if (totalCount > 0) return { title: 'Page not found', why: 'Go back to the first page.' }
  const between = dayOf(from) || dayOf(to) ? ' between these dates' : ''
  if (find) return { title: 'No results', why: `No downloads${between} match “${find}”.` }
  if (between) return { title: 'No downloads in this period', why: `You didn’t download anything${between}.` }
  return undefined
}
