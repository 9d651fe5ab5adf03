import { charts, curatedGenres, curation, type InputOf, spotlights, trending } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { getDraft } from '../../platform/drafts.ts'
import { format } from '../../platform/message.ts'
import { queryClient } from '../../platform/queries.ts'
import { toast } from '../../ui/toast.ts'
import { inTurn } from '../inTurn.ts'
import { shownAnswer } from '../support/shownAnswer.ts'
import { type Kind, standingInWords } from './listEntry.ts'
import * as texts from './texts.ts'

type WholeList = curation.ListDetails

/** Reloads the lists here and where members see them: staff look there next. */
const renew = (calls: readonly { path: string }[]) =>
  Promise.all(calls.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })))

const OF_LISTS = [
  curation.getLists,
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

export const draftNameOf = (kind: Kind, listId: number | undefined) => `programme.${kind}.${listId ?? 'new'}`

/** True when this tab has unsaved changes to the list. */
export const hasDraft = (kind: Kind, listId: number) => getDraft(draftNameOf(kind, listId)) !== ''

const keep = (list: WholeList) =>
  queryClient.setQueryData([curation.getList.path, { kind: list.kind, list_id: list.list_id }], { list })

const SAVED: Record<curation.ListState, (list: WholeList) => string> = {
  draft: () => texts.draftSaved,
  scheduled: (list) => format(texts.scheduledFor, { standingInWords: standingInWords(list) }),
  published: () => texts.savedAndPublished,
  ended: () => texts.savedThisListHasAlready,
  unpublished: () => texts.savedThisListIsUnpublished,
}

/** Throws an `ApiError` when the server rejects the change. */
export async function saveList(wish: InputOf<typeof curation.saveList>): Promise<WholeList> {
  const { list } = await callApi(curation.saveList, wish)
  keep(list)
  void toast({ message: SAVED[list.state](list) })
  await renew(OF_LISTS)
  return list
}

type Named = Pick<curation.StaffList, 'kind' | 'list_id' | 'version' | 'title'>

/** Throws an `ApiError` when the server rejects the change. */
export async function unpublishList({ kind, list_id, version, title }: Named): Promise<void> {
  const { list } = await callApi(curation.unpublishList, { kind, list_id, version })
  keep(list)
  void toast({
    message: list.state === 'draft' ? format(texts.movedToDrafts, { title }) : format(texts.listUnpublished, { title }),
  })
  await renew(OF_LISTS)
}

/** Throws an `ApiError` when the server rejects the change. */
export async function removeList({ kind, list_id, version, title }: Named): Promise<void> {
  await callApi(curation.removeList, { kind, list_id, version })
  void toast({ message: format(texts.deleted, { title }) })
  await renew(OF_LISTS)
}

/** Throws an `ApiError` when the server rejects the change. */
export async function suggest(
  { list_id, version }: Pick<Named, 'list_id' | 'version'>,
  wish: { suggested: boolean; suggested_from: string | null },
): Promise<void> {
  const { list } = await callApi(curation.suggestList, { list_id, version, ...wish })
  keep(list)
  await renew(OF_LISTS)
}

/** Loads the current version of a list. */
export const readAgain = async (kind: Kind, listId: number): Promise<WholeList> => {
  const { list } = await callApi(curation.getList, { kind, list_id: listId })
  keep(list)
  return list
}

const OF_GENRES = [curatedGenres.getGenres, spotlights.getCuratedGenres, spotlights.getCuratedGenre]

/** Throws an `ApiError` when the server rejects the change. */
export async function saveGenre(wish: InputOf<typeof curatedGenres.saveGenre>): Promise<void> {
  try {
    await callApi(curatedGenres.saveGenre, wish)
  } finally {
    await renew(OF_GENRES)
  }
}

/** Throws an `ApiError` when the server rejects the change. */
export async function removeGenre({ curated_genre_id, title }: curatedGenres.StaffGenre): Promise<void> {
  await callApi(curatedGenres.removeGenre, { curated_genre_id })
  void toast({ message: format(texts.deleted, { title }) })
  await renew(OF_GENRES)
}

const shown = shownAnswer(curatedGenres.getGenres, {})

/** The curated genres as currently shown. */
export const genresShown = (): curatedGenres.StaffGenre[] => shown.get()?.genres ?? []

export const genreShown = (genreId: number | undefined) =>
  genresShown().find(({ curated_genre_id }) => curated_genre_id === genreId)

export const showGenres = (genres: curatedGenres.StaffGenre[]) => shown.change(() => ({ genres }))

const tellOfOrder = inTurn(() => renew(OF_GENRES))

/** Saves the order of the main genres, or of the sub-genres of one. */
export function orderGenres(wish: InputOf<typeof curatedGenres.orderGenres>): void {
  void tellOfOrder(() => callApi(curatedGenres.orderGenres, wish), texts.couldntSaveTheOrder)
}

const OF_TRENDING = [trending.getTrending, curation.getSchedule, charts.getTrendingTracks]

/** Throws an `ApiError` when the server rejects the change. */
export async function pinSong(wish: InputOf<typeof trending.pinSong>): Promise<void> {
  await callApi(trending.pinSong, wish)
  await renew(OF_TRENDING)
}

/** Throws an `ApiError` when the server rejects the change. */
export async function unpinSong(entity_id: number, rank: number): Promise<void> {
  try {
    await callApi(trending.unpinSong, { entity_id, rank })
  } finally {
    await renew(OF_TRENDING)
  }
}
