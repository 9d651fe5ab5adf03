import { catalogue, genreTree, type InputOf } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { queryClient } from '../../platform/queries.ts'
import { upload } from '../../platform/upload.ts'
import { toast } from '../../ui/toast.ts'
import { inTurn } from '../inTurn.ts'
import { shownAnswer } from '../support/shownAnswer.ts'
import * as texts from './texts.ts'

export type Genre = genreTree.StaffGenre

const shown = shownAnswer(genreTree.getGenreTree, {})

/** The genres as currently shown, followed by moods. */
export const shownGenres = (): Genre[] => shown.get()?.genres ?? []

export const showGenres = (genres: Genre[]) => shown.change(() => ({ genres }))

export const askGenresAnew = () => queryClient.invalidateQueries({ queryKey: [genreTree.getGenreTree.path] })

/** Reloads what members see of the tree. */
const renewTheirs = () =>
  Promise.all(
    [catalogue.getGenresWithCount, catalogue.getSongGenres, catalogue.homePageGenres].map(({ path }) =>
      queryClient.invalidateQueries({ queryKey: [path] }),
    ),
  )

const renew = () => Promise.all([askGenresAnew(), renewTheirs()])

/** Throws an `ApiError` when the server rejects the change. */
export async function saveGenre(wish: InputOf<typeof genreTree.saveGenre>): Promise<Genre> {
  const { genre } = await callApi(genreTree.saveGenre, wish)
  await renew()
  return genre
}

/** Throws an `ApiError` when the server rejects the change. `onSent` is called with the uploaded share, 0 to 1. */
export async function sendPicture(genreId: number, picture: File, onSent: (share: number) => void): Promise<void> {
  const form = new FormData()
  form.append('genre_id', String(genreId))
  form.append('picture', picture)
  await upload(genreTree.uploadGenrePicture, form, onSent)
  await renew()
}

/** Throws an `ApiError` when the server rejects the change. */
export async function removePicture(genre_id: number): Promise<void> {
  await callApi(genreTree.removeGenrePicture, { genre_id })
  await renew()
}

/** Throws an `ApiError` when the server rejects the change. */
export async function mergeGenre({ genre_id, version, name }: Genre, into: Genre): Promise<void> {
  const { genres } = await callApi(genreTree.mergeGenre, { genre_id, version, into_genre_id: into.genre_id })
  showGenres(genres)
  void toast({ message: format(texts.genreMergedInto, { name, name2: into.name }) })
  await renewTheirs()
}

/** Throws an `ApiError` when the server rejects the change. */
export async function removeGenre({ genre_id, version, name }: Genre): Promise<void> {
  const { genres } = await callApi(genreTree.removeGenre, { genre_id, version })
  showGenres(genres)
  void toast({ message: format(texts.deleted, { name }) })
  await renewTheirs()
}

async function tellPlace({ genre_id, parent_id }: Genre, place: number): Promise<void> {
  // The version after the previous move.
  const { version = 0 } = shownGenres().find((one) => one.genre_id === genre_id) ?? {}
  const { genres } = await callApi(genreTree.moveGenre, { genre_id, version, parent_id, place })
  const versions = new Map(genres.map((one) => [one.genre_id, one.version]))
  showGenres(shownGenres().map((one) => ({ ...one, version: versions.get(one.genre_id) ?? one.version })))
}

const tell = inTurn(renew)

/** Saves the position of a genre as it is shown. */
export function keepPlace(genre: Genre, place: number): void {
  void tell(() => tellPlace(genre, place), format(texts.couldntMove, { name: genre.name }))
}

/**
 * Makes a genre the last sub-genre of another one, or the last main genre. Throws an `ApiError` when the server rejects
 * the change.
 */
export async function standBelow(genre: Genre, parent_id: number | null): Promise<void> {
  const beside = shownGenres().filter((one) => one.kind === genre.kind && one.parent_id === parent_id)
  await tellPlace({ ...genre, parent_id }, beside.length + 1)
  await renew()
}
