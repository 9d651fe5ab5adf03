import type { curatedGenres } from '@dubplate/contract'
import { moveItem } from '../../library/playlistOrder.ts'

type Genre = Pick<curatedGenres.StaffGenre, 'curated_genre_id' | 'parent_id'>

/** Genres of the same level: the main ones, or the sub-genres of one. */
export const siblingsOf = <T extends Genre>(genres: readonly T[], parentId: number | null): T[] =>
  genres.filter((one) => one.parent_id === parentId)

/** The tree as it is listed: each main genre before its sub-genres. */
const listed = <T extends Genre>(mains: readonly T[], genres: readonly T[]): T[] =>
  mains.flatMap((main) => [main, ...siblingsOf(genres, main.curated_genre_id)])

/** The index among the siblings for a row: of the row itself, or of its main genre. */
const siblingAt = <T extends Genre>(genres: readonly T[], siblings: readonly T[], at: number): number => {
  const row = genres[Math.max(0, Math.min(at, genres.length - 1))]
  return siblings.findIndex((one) => one === row || one.curated_genre_id === row?.parent_id)
}

/**
 * Moves a genre to another row as far as possible: it stays among its siblings, and a main genre takes its sub-genres
 * along. Returns the list and the new index of the genre; both indexes count from 0.
 */
export function moveInTree<T extends Genre>(
  genres: readonly T[],
  from: number,
  to: number,
): { items: T[]; at: number } {
  const genre = genres[from]
  if (!genre) return { items: [...genres], at: from }
  const siblings = siblingsOf(genres, genre.parent_id)
  const place = siblings.indexOf(genre)
  const wanted = wantedPlace(genres, siblings, { place, from, to })
  const moved = moveItem(siblings, place, wanted)
  const mains = genre.parent_id === null ? moved : siblingsOf(genres, null)
  const others = genres.filter((one) => one.parent_id !== null && one.parent_id !== genre.parent_id)
  const next = listed(mains, genre.parent_id === null ? genres : [...others, ...moved])
  return { items: next, at: next.indexOf(genre) }
}

function wantedPlace<T extends Genre>(
  genres: readonly T[],
  siblings: readonly T[],
  { place, from, to }: { place: number; from: number; to: number },
): number {
  const found = siblingAt(genres, siblings, to)
  // Beyond its siblings: as far as possible. Onto its own sub-genres: past them.
  if (found < 0) return to > from ? siblings.length - 1 : 0
  if (found === place && to > from) return Math.min(place + 1, siblings.length - 1)
  return found
}
