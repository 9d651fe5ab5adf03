import { catalogue, genreTree } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { refreshReplies } from '../../platform/useApiMutation.ts'
import { inTurn } from './inTurn.ts'
import { shownAnswer } from './shownAnswer.ts'
import * as texts from './texts.ts'

export type Genre = genreTree.StaffGenre

/** The calls whose replies have genres: here, and those of members. */
export const LISTS = [
  genreTree.getGenreTree,
  catalogue.getGenresWithCount,
  catalogue.getSongGenres,
  catalogue.homePageGenres,
]

const shown = shownAnswer(genreTree.getGenreTree, {})

/** The genres as currently shown, followed by moods. */
export const shownGenres = (): Genre[] => shown.get()?.genres ?? []

export const showGenres = (genres: Genre[]) => shown.change(() => ({ genres }))

async function sendPlace({ genre_id, parent_id }: Genre, place: number): Promise<void> {
  // The version after the previous move.
  const { version = 0 } = shownGenres().find((one) => one.genre_id === genre_id) ?? {}
  const { genres } = await callApi(genreTree.moveGenre, { genre_id, version, parent_id, place })
  const versions = new Map(genres.map((one) => [one.genre_id, one.version]))
  showGenres(shownGenres().map((one) => ({ ...one, version: versions.get(one.genre_id) ?? one.version })))
}

const saveInTurn = inTurn(() => refreshReplies(LISTS))

/** Saves the position of a genre as it is shown. */
export function savePlace(genre: Genre, place: number): void {
  void saveInTurn(() => sendPlace(genre, place), format(texts.couldntMove, { name: genre.name }))
}

/** Makes a genre the last sub-genre of another one, or the last main genre. */
export async function moveToParent(genre: Genre, parent_id: number | null): Promise<void> {
  const siblings = shownGenres().filter((one) => one.kind === genre.kind && one.parent_id === parent_id)
  await sendPlace({ ...genre, parent_id }, siblings.length + 1)
  await refreshReplies(LISTS)
}
