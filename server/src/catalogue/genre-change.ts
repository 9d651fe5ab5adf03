import type { corrections } from '@dubplate/contract'
import { fieldError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

type GenrePlace = { parent_id: number | null; kind: 'genre' | 'mood' }

/** All genres and moods by id. */
export type GenreTree = ReadonlyMap<number, GenrePlace>

export type GenreChange = NonNullable<corrections.ParsedChange['genres']>

export async function readGenreTree(sql: Sql): Promise<GenreTree> {
  const rows = await sql<(GenrePlace & { genre_id: number })[]>`select genre_id, parent_id, kind from genre`
  return new Map(rows.map(({ genre_id, ...place }) => [genre_id, place]))
}

/** Throws `unknown_genre`. */
export function rejectUnknownGenres(tree: GenreTree, genreIds: readonly number[]): void {
  if (genreIds.every((id) => tree.has(id))) return
  throw fieldError('unknown_genre', 'change.genres', 'One of the selected genres no longer exists. Choose again.')
}

/** The genres and moods of a song after a change, in the order of their ids: see `genres` of the contract's change. */
export function genresAfter(
  currentIds: readonly number[],
  { how: mode, genre_ids }: GenreChange,
  tree: GenreTree,
): number[] {
  const chosen = new Set(withParents(genre_ids, tree))
  if (mode === 'set') return sortUnique(chosen)
  if (mode === 'add') return sortUnique([...currentIds, ...chosen])
  if (mode === 'take') return currentIds.filter((id) => !isDescendant(id, genre_ids, tree))
  const kinds = new Set(genre_ids.map((id) => tree.get(id)?.kind))
  return sortUnique([...currentIds.filter((id) => !kinds.has(tree.get(id)?.kind)), ...chosen])
}

const sortUnique = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b)

const withParents = (ids: readonly number[], tree: GenreTree): number[] =>
  ids.flatMap((id) => {
    const parent = tree.get(id)?.parent_id ?? null
    return parent === null ? [id] : [id, parent]
  })

const isDescendant = (id: number, ancestorIds: readonly number[], tree: GenreTree): boolean =>
  ancestorIds.includes(id) || ancestorIds.includes(tree.get(id)?.parent_id ?? 0)
