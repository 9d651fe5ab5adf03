import type { Pagination } from '@dubplate/contract'
import { parseDay, type Range } from '../format/dates.ts'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

/** The filters of the history, as in the URL. */
export type RescueFilters = Range & { find?: string | undefined }

/** Why a page of the history is empty; undefined if nothing was ever downloaded. */
export function emptyStateFor({ from, to, find }: RescueFilters, { totalCount }: Pick<Pagination, 'totalCount'>) {
  if (totalCount > 0) return { title: texts.pageNotFound, why: texts.goBackToTheFirst }
  const hasDates = parseDay(from) !== null || parseDay(to) !== null
  if (find) {
    const why = format(hasDates ? texts.noDownloadsBetweenMatch : texts.noDownloadsMatch, { find })
    return { title: texts.noResults, why }
  }
  if (hasDates) return { title: texts.noDownloadsInThisPeriod, why: texts.youDidntDownloadAnything }
  return undefined
}
