import type { RefObject } from 'react'
import { format } from '../../platform/message.ts'
import { movedIn, movedOut, movedToRow, placeOf, siblingsOf } from './genreOrder.ts'
import { type Genre, savePlace, showGenres, shownGenres } from './genres.ts'
import * as texts from './texts.ts'
import { useRowOrder } from './useRowOrder.ts'

/**
 * Moving genres of one kind, with announcements: dragging by the handles; arrow keys from row to row; Alt with up and
 * down arrows; Alt with side arrows into the previous main genre and out again.
 */
export function useGenreMoves(list: RefObject<HTMLElement | null>, kind: Genre['kind']) {
  const rows = () => shownGenres().filter((one) => one.kind === kind)
  const show = (moved: readonly Genre[]) => showGenres([...moved, ...shownGenres()].filter(isFirst))
  const { handlers, said: announcement } = useRowOrder(list, {
    rows,
    move: (from, to) => {
      const { genres, at } = movedToRow(rows(), from, to)
      if (at !== from || genres[at]?.parent_id !== rows()[from]?.parent_id) show(genres)
      return at
    },
    aside: (from, step) => {
      const now = rows()
      const { genres, at } = (step < 0 ? movedOut : movedIn)(now, from)
      const entry = now[from]
      if (!entry) return from
      if (genres[at]?.parent_id === entry.parent_id) return whyItStays(now, entry, step)
      show(genres)
      return at
    },
    nameOf: ({ name }) => name,
    saidOf: (entry) => whereItIs(rows(), entry),
    keep: (entry) => savePlace(entry, placeOf(rows(), entry)),
  })
  return { handlers, announcement }
}

const isFirst = ({ genre_id }: Genre, at: number, all: readonly Genre[]) =>
  all.findIndex((one) => one.genre_id === genre_id) === at

function whereItIs(genres: readonly Genre[], entry: Genre): string {
  const beside = siblingsOf(genres, entry.parent_id)
  const main = genres.find(({ genre_id }) => genre_id === entry.parent_id)
  const place = { name: entry.name, place: placeOf(genres, entry), total: beside.length }
  return main ? format(texts.placeInGenre, { ...place, main: main.name }) : format(texts.placeOfMainGenre, place)
}

function whyItStays(genres: readonly Genre[], entry: Genre, step: number): string {
  if (step < 0) return format(texts.isAlreadyAMainGenre, { name: entry.name })
  if (entry.parent_id !== null) return format(texts.isAlreadyASubGenre, { name: entry.name })
  if (siblingsOf(genres, entry.genre_id).length > 0) return format(texts.hasSubGenresMoveThese, { name: entry.name })
  return texts.theresNoMainGenreAbove
}
