import { catalogue, genreTree } from '@dubplate/contract'
import type { ItemOrder } from '../../admin/useItemOrder.ts'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { refreshReplies } from '../../platform/useApiMutation.ts'
import { movedIn, movedOut, movedToRow, placeOf, siblingsOf } from './genreOrder.ts'
import * as texts from './texts.ts'

export type Genre = genreTree.StaffGenre

/** The calls whose replies have genres: here, and those of members. */
export const LISTS = [
  genreTree.getGenreTree,
  catalogue.getGenresWithCount,
  catalogue.getSongGenres,
  catalogue.homePageGenres,
]

/** The order of the genres of one kind: Alt with ← and → moves a genre out of its parent and into one. */
export const orderOfGenres = (kind: Genre['kind']): ItemOrder<Genre, typeof genreTree.getGenreTree> => ({
  list: genreTree.getGenreTree,
  itemsOf: ({ genres }) => genres.filter((genre) => genre.kind === kind),
  withItems: ({ genres }, items) => ({ genres: [...items, ...genres.filter((genre) => genre.kind !== kind)] }),
  nameOf: ({ name }) => name,
  move: movedToRow,
  moveSideways: (genres, from, step) => {
    const genre = genres[from]!
    const moved = (step < 0 ? movedOut : movedIn)(genres, from)
    return moved.items[moved.at]?.parent_id === genre.parent_id ? whyItStays(genres, genre, step) : moved
  },
  describeMove: describePlace,
  save: (genres, genre) => savePlace(genre, placeOf(genres, genre)),
  invalidates: LISTS,
})

const GENRES = apiQuery(genreTree.getGenreTree, {}).queryKey

const loadedGenres = (): readonly Genre[] => queryClient.getQueryData<{ genres: Genre[] }>(GENRES)?.genres ?? []

async function savePlace({ genre_id, parent_id }: Genre, place: number): Promise<void> {
  // Its previous move may have been saved since this one was made.
  const { version = 0 } = loadedGenres().find((genre) => genre.genre_id === genre_id) ?? {}
  const { genres } = await callApi(genreTree.moveGenre, { genre_id, version, parent_id, place })
  const versions = new Map(genres.map((genre) => [genre.genre_id, genre.version]))
  queryClient.setQueryData(GENRES, {
    genres: loadedGenres().map((genre) => ({ ...genre, version: versions.get(genre.genre_id) ?? genre.version })),
  })
}

/** Makes a genre the last sub-genre of another one, or the last main genre. */
export async function moveToParent(genre: Genre, parent_id: number | null): Promise<void> {
  const siblings = loadedGenres().filter((other) => other.kind === genre.kind && other.parent_id === parent_id)
  await savePlace({ ...genre, parent_id }, siblings.length + 1)
  await refreshReplies(LISTS)
}

function describePlace(genres: readonly Genre[], genre: Genre): string {
  const parent = genres.find(({ genre_id }) => genre_id === genre.parent_id)
  const total = siblingsOf(genres, genre.parent_id).length
  const place = { name: genre.name, place: placeOf(genres, genre), total }
  return parent ? format(texts.placeInGenre, { ...place, genre: parent.name }) : format(texts.placeOfMainGenre, place)
}

function whyItStays(genres: readonly Genre[], genre: Genre, step: number): string {
  if (step < 0) return format(texts.isAlreadyAMainGenre, { name: genre.name })
  if (genre.parent_id !== null) return format(texts.isAlreadyASubGenre, { name: genre.name })
  if (siblingsOf(genres, genre.genre_id).length > 0) return format(texts.hasSubGenresMoveThese, { name: genre.name })
  return texts.theresNoMainGenreAbove
}
