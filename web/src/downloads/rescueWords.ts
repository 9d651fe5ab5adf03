import type { Pagination } from '@dubplate/contract'
import { dayOf, type Range } from '../platform/days.ts'
import { format } from '../platform/message.ts'
import * as texts from './texts.ts'

/** What narrows the history down, as the address carries it. */
export type Filters = Range & { find?: string | undefined }

/** Why a page of the history is empty; undefined where nothing was ever downloaded. */
export function nothingIn({ from, to, find }: Filters, { totalCount }: Pick<Pagination, 'totalCount'>) {
  if (totalCount > 0) return { title: texts.pageNotFound, why: texts.goBackToTheFirst }
  const between = dayOf(from) || dayOf(to) ? ` ${texts.betweenTheseDates}` : ''
  if (find) return { title: texts.noResults, why: format(texts.noDownloadsMatch, { between, find }) }
  if (between) return { title: texts.noDownloadsInThisPeriod, why: format(texts.youDidntDownloadAnything, { between }) }
  return undefined
}
