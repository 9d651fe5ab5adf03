import type { corrections } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { fieldRefusal } from '../platform/refusal.ts'

type Place = { parent_id: number | null; kind: 'genre' | 'mood' }

/** All genres and moods by id. */
export type GenreTree = ReadonlyMap<number, Place>

export type GenreChange = NonNullable<corrections.ParsedChange['genres']>

export async function readGenreTree(sql: Sql): Promise<GenreTree> {
  const rows = await sql<(Place & { genre_id: number })[]>`select genre_id, parent_id, kind from genre`
  return new Map(rows.map(({ genre_id, ...place }) => [genre_id, place]))
}

/** Refuses `unknown_genre`. */
export function refuseUnknownGenres(tree: GenreTree, genreIds: readonly number[]): void {
  if (genreIds.every((id) => tree.has(id))) return
  throw fieldRefusal('unknown_genre', 'change.genres', 'One of the selected genres no longer exists. Choose again.')
}

/** The genres and moods a song has after a change, in the order of their ids: see `genres` of the contract's change. */
export function genresAfter(had: readonly number[], { how, genre_ids }: GenreChange, tree: GenreTree): number[] {
  const chosen = new Set(withParents(genre_ids, tree))
  if (how === 'set') return sorted(chosen)
  if (how === 'add') return sorted([...had, ...chosen])
  if (how === 'take') return had.filter((id) => !isUnder(id, genre_ids, tree))
  const kinds = new Set(genre_ids.map((id) => tree.get(id)?.kind))
  return sorted([...had.filter((id) => !kinds.has(tree.get(id)?.kind)), ...chosen])
}

const sorted = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b)

const withParents = (ids: readonly number[], tree: GenreTree): number[] =>
  ids.flatMap((id) => {
    const parent = tree.get(id)?.parent_id ?? null
    return parent === null ? [id] : [id, parent]
  })

const isUnder = (id: number, taken: readonly number[], tree: GenreTree): boolean =>
  taken.includes(id) || taken.includes(tree.get(id)?.parent_id ?? 0)
