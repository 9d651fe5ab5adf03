import { curatedGenres, type ParsedInputOf } from '@dubplate/contract'
import { ApiError, fieldError, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import { isVisible } from './visibility.ts'

/** Curated genres as curators manage them: a tree of two levels. Changes are part of the caller's transaction. */

type CuratedGenre = curatedGenres.StaffGenre

/** Each main genre before its sub-genres, in the operator's order. */
export async function listGenres(sql: Sql): Promise<CuratedGenre[]> {
  const rows = await sql<CuratedGenre[]>`
    select g.curated_genre_id, g.parent_id, g.title, g.version, count(l.curated_list_id)::int as list_count,
      (count(l.curated_list_id) filter (where ${isVisible(sql)}))::int as published_count
    from curated_genre g left join curated_list l using (curated_genre_id)
    group by g.curated_genre_id order by g.position, g.curated_genre_id`
  return rows
    .filter(({ parent_id }) => parent_id === null)
    .flatMap((main) => [main, ...rows.filter(({ parent_id }) => parent_id === main.curated_genre_id)])
}

/** Throws `unknown_genre`. */
async function readGenre(sql: Sql, genreId: number): Promise<CuratedGenre> {
  const found = (await listGenres(sql)).find(({ curated_genre_id }) => curated_genre_id === genreId)
  if (!found) throw unknownGenre()
  return found
}

const UNKNOWN_GENRE_MESSAGE = 'This curated genre no longer exists.'
const unknownGenre = () => new ApiError('unknown_genre', UNKNOWN_GENRE_MESSAGE)

/**
 * Changes to the tree are small and rare, so each locks the whole tree, which keeps its rules valid for simultaneous
 * changes.
 */
const lockTree = (sql: Sql) => sql`lock table curated_genre in share row exclusive mode`

/**
 * Saves a curated genre; a new or moved one comes last in its place. Throws `unknown_genre`, `conflict`, `name_taken`
 * or `nesting_too_deep`.
 */
export async function saveGenre(sql: Sql, params: ParsedInputOf<typeof curatedGenres.saveGenre>) {
  await lockTree(sql)
  const tree = await listGenres(sql)
  const before = tree.find(({ curated_genre_id }) => curated_genre_id === params.curated_genre_id)
  if (params.curated_genre_id !== undefined) rejectChanged(before, params.version)
  await throwAllErrors([() => rejectTaken(tree, params), () => rejectTooDeep(tree, params)])
  const genreId = before ? await changeGenre(sql, before, params) : await addGenre(sql, params)
  return { before, after: await readGenre(sql, genreId) }
}

/** Checks a curated genre while other fields are blank or invalid. Throws the errors of `saveGenre`. */
export async function checkGenre(
  sql: Sql,
  rawInput: { curated_genre_id?: unknown; title?: unknown; parent_id?: unknown },
): Promise<void> {
  const shape = curatedGenres.saveGenre.input.shape
  const curated_genre_id = parsed(shape.curated_genre_id, rawInput.curated_genre_id)
  const title = parsed(shape.title, rawInput.title)
  const parent_id = parsed(shape.parent_id, rawInput.parent_id)
  const tree = await listGenres(sql)
  await throwAllErrors([
    () => title !== undefined && parent_id !== undefined && rejectTaken(tree, { curated_genre_id, title, parent_id }),
    () => parent_id !== undefined && rejectTooDeep(tree, { curated_genre_id, parent_id }),
  ])
}

function rejectChanged(before: CuratedGenre | undefined, version: number | undefined): void {
  if (!before) throw unknownGenre()
  if (before.version !== version)
    throw new ApiError(
      'conflict',
      `Someone else changed this genre; it’s now named “${before.title}”. Reload to see the changes.`,
    )
}

type GenreParams = { curated_genre_id?: number | undefined; title: string; parent_id: number | null }

function rejectTaken(tree: readonly CuratedGenre[], { curated_genre_id, title, parent_id }: GenreParams): void {
  const siblings = tree.filter((one) => one.parent_id === parent_id && one.curated_genre_id !== curated_genre_id)
  if (siblings.some((one) => one.title.toLowerCase() === title.toLowerCase()))
    throw fieldError('name_taken', 'title', `A genre named “${title}” already exists here.`)
}

function rejectTooDeep(
  tree: readonly CuratedGenre[],
  { curated_genre_id, parent_id }: Omit<GenreParams, 'title'>,
): void {
  if (parent_id === null) return
  const parent = tree.find((one) => one.curated_genre_id === parent_id)
  if (!parent) throw fieldError('unknown_genre', 'parent_id', UNKNOWN_GENRE_MESSAGE)
  if (parent.parent_id !== null || parent_id === curated_genre_id)
    throw fieldError(
      'nesting_too_deep',
      'parent_id',
      'A sub-genre can’t have a sub-genre of its own. Choose a main genre as the parent.',
    )
  if (curated_genre_id !== undefined && tree.some((one) => one.parent_id === curated_genre_id))
    throw fieldError('nesting_too_deep', 'parent_id', 'This genre has sub-genres. Move them first.')
}

const lastPosition = (sql: Sql, parentId: number | null) =>
  sql`(select coalesce(max(position), 0) + 1 from curated_genre where parent_id is not distinct from ${parentId}::int)`

async function addGenre(sql: Sql, { title, parent_id }: GenreParams): Promise<number> {
  const [added] = await sql<{ curated_genre_id: number }[]>`
    insert into curated_genre (title, parent_id, position) values (${title}, ${parent_id}, ${lastPosition(sql, parent_id)})
    returning curated_genre_id`
  if (!added) throw new Error('Curated genre insert returned no id')
  return added.curated_genre_id
}

async function changeGenre(sql: Sql, before: CuratedGenre, { title, parent_id }: GenreParams): Promise<number> {
  const position = before.parent_id === parent_id ? sql`position` : lastPosition(sql, parent_id)
  await sql`
    update curated_genre set title = ${title}, parent_id = ${parent_id}, position = ${position}, version = version + 1
    where curated_genre_id = ${before.curated_genre_id}`
  return before.curated_genre_id
}

type OrderParams = ParsedInputOf<typeof curatedGenres.orderGenres>

/** Sets the order of the genres with one parent. Throws `conflict` if there are other genres by now. */
export async function orderGenres(sql: Sql, { parent_id, curated_genre_ids }: OrderParams) {
  await lockTree(sql)
  const before = (await listGenres(sql)).flatMap((one) => (one.parent_id === parent_id ? one.curated_genre_id : []))
  if (`${before.toSorted((a, b) => a - b)}` !== `${curated_genre_ids.toSorted((a, b) => a - b)}`)
    throw new ApiError('conflict', 'Someone else added, moved or deleted a genre here. Reload to see the changes.')
  await sql`
    update curated_genre g set position = placed.n
    from unnest(${[...curated_genre_ids]}::int[]) with ordinality placed (curated_genre_id, n)
    where g.curated_genre_id = placed.curated_genre_id`
  return { before, after: [...curated_genre_ids] }
}

/** Deletes an empty curated genre and returns its previous values. Throws `unknown_genre` or `genre_in_use`. */
export async function removeGenre(sql: Sql, genreId: number): Promise<CuratedGenre> {
  await lockTree(sql)
  const tree = await listGenres(sql)
  const before = tree.find(({ curated_genre_id }) => curated_genre_id === genreId)
  if (!before) throw unknownGenre()
  if (tree.some(({ parent_id }) => parent_id === genreId))
    throw new ApiError('genre_in_use', 'This genre has sub-genres. Move or delete them first.')
  // Not counted first, because a list may be added to it at the same moment.
  await sql`delete from curated_genre where curated_genre_id = ${genreId}`.catch((error) => {
    if ((error as { code?: string }).code !== '23503') throw error
    throw new ApiError('genre_in_use', 'This genre contains spotlights. Move them to another genre first.')
  })
  return before
}
