import type { genreTree } from '@dubplate/contract'
import type { MovedItem } from '../../admin/useItemOrder.ts'

type Entry = Pick<genreTree.StaffGenre, 'genre_id' | 'parent_id'>

export const siblingsOf = <T extends Entry>(genres: readonly T[], parentId: number | null): T[] =>
  genres.filter((one) => one.parent_id === parentId)

/** Main genres with their sub-genres. The list has each main genre before its sub-genres. */
const groupsOf = <T extends Entry>(genres: readonly T[]): T[][] =>
  siblingsOf(genres, null).map((main) => [main, ...siblingsOf(genres, main.genre_id)])

const stays = <T>(genres: readonly T[], at: number): MovedItem<T> => ({ items: [...genres], at })

/**
 * Moves a genre to another row, as near as possible: a main genre among the main ones, with its sub-genres; a sub-genre
 * also below another main genre.
 */
export function movedToRow<T extends Entry>(genres: readonly T[], from: number, to: number): MovedItem<T> {
  const entry = genres[from]
  if (!entry) return stays(genres, from)
  return entry.parent_id === null ? moveMain(genres, entry, { from, to }) : moveSub(genres, entry, { from, to })
}

type Way = { from: number; to: number }

function moveMain<T extends Entry>(genres: readonly T[], entry: T, { from, to }: Way): MovedItem<T> {
  const groups = groupsOf(genres)
  const own = groups.findIndex(([main]) => main === entry)
  const row = genres[Math.max(0, Math.min(to, genres.length - 1))]
  const over = groups.findIndex((group) => group.includes(row as T))
  // Onto its own sub-genres: past them.
  const wanted = over === own && to > from ? own + 1 : over
  const order = groups.toSpliced(own, 1).toSpliced(Math.min(wanted, groups.length - 1), 0, groups[own] ?? [])
  const next = order.flat()
  return { items: next, at: next.indexOf(entry) }
}

function moveSub<T extends Entry>(genres: readonly T[], entry: T, { from, to }: Way): MovedItem<T> {
  const others = genres.toSpliced(from, 1)
  // Above the first main genre, a sub-genre would have no parent.
  const at = Math.max(1, Math.min(to, others.length))
  const main = others.slice(0, at).findLast(({ parent_id }) => parent_id === null)
  return { items: others.toSpliced(at, 0, { ...entry, parent_id: main?.genre_id ?? entry.parent_id }), at }
}

/** Makes a main genre without sub-genres the last sub-genre of the previous main genre. */
export function movedIn<T extends Entry>(genres: readonly T[], at: number): MovedItem<T> {
  const entry = genres[at]
  const main = genres.slice(0, at).findLast(({ parent_id }) => parent_id === null)
  if (!entry || entry.parent_id !== null || !main || siblingsOf(genres, entry.genre_id).length > 0)
    return stays(genres, at)
  return { items: genres.toSpliced(at, 1, { ...entry, parent_id: main.genre_id }), at }
}

/** Makes a sub-genre a main genre, directly after its parent and the parent's sub-genres. */
export function movedOut<T extends Entry>(genres: readonly T[], at: number): MovedItem<T> {
  const entry = genres[at]
  if (!entry || entry.parent_id === null) return stays(genres, at)
  const others = genres.toSpliced(at, 1)
  const main = others.findIndex(({ genre_id }) => genre_id === entry.parent_id)
  const behind = main + 1 + siblingsOf(others, entry.parent_id).length
  return { items: others.toSpliced(behind, 0, { ...entry, parent_id: null }), at: behind }
}

/** The position of a genre among its siblings, from 1. */
export const placeOf = <T extends Entry>(genres: readonly T[], entry: T): number =>
  siblingsOf(genres, entry.parent_id).findIndex(({ genre_id }) => genre_id === entry.genre_id) + 1
