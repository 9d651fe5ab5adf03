import { charts, curatedGenres, curation, spotlights } from '@dubplate/contract'
import { format } from '../../format/message.ts'
import { getFormDraft } from '../../platform/formDrafts.ts'
import { describeTimes, type Kind } from './listValues.ts'
import * as texts from './texts.ts'

/** The calls that show lists, here and where members see them: staff look there next. */
export const LISTS = [
  curation.getLists,
  curation.getList,
  curation.getSchedule,
  curation.getSuggested,
  curatedGenres.getGenres,
  spotlights.getSpotlights,
  spotlights.getCuratedLists,
  spotlights.getSuggestedLists,
  spotlights.getCuratedGenres,
  spotlights.getSpotlightSongs,
  charts.getTop20Tracks,
  charts.getTop20Songs,
]

export const draftNameOf = (kind: Kind, listId: number | undefined) => `${kind}.${listId ?? 'new'}`

/** Whether this tab has unsaved changes to the list. */
export const hasDraft = (kind: Kind, listId: number) => getFormDraft(draftNameOf(kind, listId)) !== undefined

/** What saving a list has done. */
export function describeSaved(list: curation.ListDetails): string {
  if (list.state === 'scheduled') return format(texts.scheduledFor, { times: describeTimes(list) })
  return {
    draft: texts.draftSaved,
    published: texts.savedAndPublished,
    ended: texts.savedThisListHasAlready,
    unpublished: texts.savedThisListIsUnpublished,
  }[list.state]
}
