import { genreTree, type ParsedInputOf } from '@dubplate/contract'
import { ApiError, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import {
  copyListings,
  deleteGenreFacets,
  recountGenres,
  type SongsUploadedIn,
  unlistGenre,
  unlistMainGenre,
} from './genre-songs.ts'
import {
  descendantsOf,
  findGenreIn,
  type Genre,
  holdTree,
  mainGenreOf,
  readGenreTree,
  rejectChanged,
  rejectTaken,
  rejectTooDeep,
} from './genre-tree.ts'

/**
 * Changes of the genre tree by curators. Each is part of the caller's transaction, and returns the values before and
 * after.
 */

type GenreChange = { before: Genre | undefined; after: Genre }

/** Throws `unknown_genre`, `conflict`, `name_taken` or `nesting_too_deep`. */
export async function saveGenre(sql: Sql, params: ParsedInputOf<typeof genreTree.saveGenre>): Promise<GenreChange> {
  const tree = await holdTree(sql)
  if (params.genre_id === undefined) return { before: undefined, after: await addGenre(sql, tree, params) }
  const before = findGenreIn(tree, params.genre_id)
  rejectChanged(before, params.version)
  rejectTaken(tree, { ...before, name: params.name })
  if (before.name !== params.name) await saveFormerName(sql, before, params.name)
  await sql`
    update genre set name = ${params.name}, description = ${params.description ?? before.description},
      home_chip = ${params.home_chip}, version = version + 1
    where genre_id = ${before.genre_id}`
  return { before, after: findGenreIn(await readGenreTree(sql), before.genre_id) }
}

async function addGenre(
  sql: Sql,
  tree: readonly Genre[],
  params: ParsedInputOf<typeof genreTree.saveGenre>,
): Promise<Genre> {
  await throwAllErrors([() => rejectTooDeep(tree, params), () => rejectTaken(tree, params)])
  const [added] = await sql<{ genre_id: number }[]>`
    insert into genre (genre_id, parent_id, kind, name, description, home_chip, position)
    select greatest(max(genre_id), (select max(former_id) from genre_alias), 1000) + 1, ${params.parent_id}, ${params.kind}, ${params.name},
      ${params.description ?? ''}, ${params.home_chip}, coalesce(max(position) filter (
        where kind = ${params.kind} and parent_id is not distinct from ${params.parent_id}::int), 0) + 1
    from genre returning genre_id`
  if (!added) throw new Error('Genre insert returned no id')
  return findGenreIn(await readGenreTree(sql), added.genre_id)
}

/** Checks a new genre while other fields are blank or invalid. Throws the errors of `saveGenre`. */
export async function checkGenre(
  sql: Sql,
  rawInput: { genre_id?: unknown; kind?: unknown; name?: unknown; parent_id?: unknown },
): Promise<void> {
  const shape = genreTree.saveGenre.input.shape
  const tree = await readGenreTree(sql)
  const genre_id = parsed(shape.genre_id, rawInput.genre_id)
  const before = tree.find((one) => one.genre_id === genre_id)
  const name = parsed(shape.name, rawInput.name)
  const kind = before?.kind ?? parsed(shape.kind, rawInput.kind)
  const parent_id = before ? before.parent_id : parsed(shape.parent_id, rawInput.parent_id)
  if (kind === undefined || parent_id === undefined) return
  await throwAllErrors([
    () => !before && rejectTooDeep(tree, { kind, parent_id }),
    () => name !== undefined && rejectTaken(tree, { name, kind, parent_id, genre_id }),
  ])
}

/** Imports and searches still find the genre by its old name. Its new name is no longer another genre's former name. */
async function saveFormerName(sql: Sql, { genre_id, name }: Genre, newName: string): Promise<void> {
  await sql`
    delete from genre_alias where genre_id = ${genre_id} and former_id is null
      and lower(name) in (lower(${name}), lower(${newName}))`
  if (name.toLowerCase() !== newName.toLowerCase())
    await sql`insert into genre_alias (genre_id, name) values (${genre_id}, ${name})`
}

/** Throws `unknown_genre`, `conflict`, `name_taken` or `nesting_too_deep`. */
export async function moveGenre(
  sql: Sql,
  params: ParsedInputOf<typeof genreTree.moveGenre>,
  songsUploadedIn: SongsUploadedIn,
): Promise<GenreChange> {
  const tree = await holdTree(sql)
  const before = findGenreIn(tree, params.genre_id)
  rejectChanged(before, params.version)
  rejectTooDeep(tree, { ...before, parent_id: params.parent_id })
  rejectTaken(tree, { ...before, parent_id: params.parent_id })
  await sql`update genre set parent_id = ${params.parent_id}, version = version + 1 where genre_id = ${before.genre_id}`
  await insertAtPosition(sql, tree, before, params)
  if (before.parent_id !== params.parent_id) await relistGenre(sql, before, params.parent_id, songsUploadedIn)
  return { before, after: findGenreIn(await readGenreTree(sql), before.genre_id) }
}

type Place = { parent_id: number | null; place: number }

async function insertAtPosition(
  sql: Sql,
  tree: readonly Genre[],
  { genre_id, kind }: Genre,
  { parent_id, place }: Place,
) {
  const siblings = tree
    .filter((one) => one.kind === kind && one.parent_id === parent_id && one.genre_id !== genre_id)
    .map((one) => one.genre_id)
  const order = siblings.toSpliced(place - 1, 0, genre_id)
  await sql`
    update genre g set position = placed.n from unnest(${order}::int[]) with ordinality placed (genre_id, n)
    where g.genre_id = placed.genre_id`
}

async function relistGenre(
  sql: Sql,
  { genre_id, parent_id }: Genre,
  mainId: number | null,
  songsUploadedIn: SongsUploadedIn,
): Promise<void> {
  if (mainId !== null) await copyListings(sql, genre_id, mainId)
  if (parent_id !== null) await unlistMainGenre(sql, genre_id, parent_id, songsUploadedIn)
  await recountGenres(
    sql,
    [mainId, parent_id].filter((id) => id !== null),
  )
}

export type MergedGenre = { before: Genre; into: Genre }

/**
 * Merges a genre into another one; `onMerge` moves the data of other modules before the genre's own is deleted. Throws
 * `unknown_genre`, `conflict`, `cannot_merge`, `name_taken` or `nesting_too_deep`.
 */
export async function mergeGenre(
  sql: Sql,
  params: ParsedInputOf<typeof genreTree.mergeGenre>,
  songsUploadedIn: SongsUploadedIn,
  onMerge: (from: number, into: number) => Promise<void>,
): Promise<MergedGenre> {
  const tree = await holdTree(sql)
  const [before, into] = [findGenreIn(tree, params.genre_id), findGenreIn(tree, params.into_genre_id)]
  rejectChanged(before, params.version)
  rejectStrange(before, into)
  rejectSubgenres(tree, before, into)
  await moveSubgenres(sql, before, into)
  const mainGenres = [mainGenreOf(tree, before), mainGenreOf(tree, into)]
  await copyListings(sql, before.genre_id, into.genre_id)
  if (mainGenres[1]) await copyListings(sql, before.genre_id, mainGenres[1].genre_id)
  if (mainGenres[0] && mainGenres[0] !== mainGenres[1] && mainGenres[0] !== into)
    await unlistMainGenre(sql, before.genre_id, mainGenres[0].genre_id, songsUploadedIn)
  await unlistGenre(sql, before.genre_id)
  await saveFormerAddress(sql, before, into)
  await onMerge(before.genre_id, into.genre_id)
  await deleteGenreFacets(sql, before.genre_id)
  await recountGenres(
    sql,
    [into, ...mainGenres].flatMap((genre) => genre?.genre_id ?? []),
  )
  return { before, into: findGenreIn(await readGenreTree(sql), into.genre_id) }
}

function rejectStrange(before: Genre, into: Genre): void {
  if (before.genre_id === into.genre_id) throw new ApiError('cannot_merge', 'Choose a different genre to merge into.')
  if (before.kind !== into.kind)
    throw new ApiError('cannot_merge', 'Genres can only be merged into genres, and moods into moods.')
  if (into.parent_id === before.genre_id)
    throw new ApiError('cannot_merge', `“${into.name}” is a sub-${into.kind} of this ${into.kind}. Move it first.`)
}

function rejectSubgenres(tree: readonly Genre[], before: Genre, into: Genre): void {
  const own = descendantsOf(tree, before.genre_id)
  if (own.length > 0 && into.parent_id !== null)
    throw new ApiError(
      'nesting_too_deep',
      `“${before.name}” has sub-${before.kind}s. Move them first or choose a main ${before.kind}.`,
    )
  const names = descendantsOf(tree, into.genre_id).map(({ name }) => name.toLowerCase())
  const both = own.find(({ name }) => names.includes(name.toLowerCase()))
  if (both)
    throw new ApiError(
      'name_taken',
      `Both ${before.kind}s have a sub-${before.kind} named “${both.name}”. Merge those first.`,
    )
}

async function moveSubgenres(sql: Sql, before: Genre, into: Genre): Promise<void> {
  await sql`
    update genre set parent_id = ${into.genre_id}, version = version + 1,
      position = position + (select coalesce(max(position), 0) from genre where parent_id = ${into.genre_id})
    where parent_id = ${before.genre_id}`
}

async function saveFormerAddress(sql: Sql, before: Genre, into: Genre): Promise<void> {
  await sql`update genre_alias set genre_id = ${into.genre_id} where genre_id = ${before.genre_id}`
  await sql`
    insert into genre_alias (genre_id, former_id, name) values (${into.genre_id}, ${before.genre_id}, ${before.name})`
  await sql`
    update genre set home_chip = home_chip or ${before.home_chip}, version = version + 1 where genre_id = ${into.genre_id}`
}

/** Throws `unknown_genre`, `conflict` or `genre_in_use`. */
export async function removeGenre(sql: Sql, params: ParsedInputOf<typeof genreTree.removeGenre>): Promise<Genre> {
  const tree = await holdTree(sql)
  const before = findGenreIn(tree, params.genre_id)
  rejectChanged(before, params.version)
  if (descendantsOf(tree, before.genre_id).length > 0)
    throw new ApiError('genre_in_use', `This ${before.kind} has sub-${before.kind}s. Move or merge them first.`)
  await deleteGenreFacets(sql, before.genre_id).catch((error) => {
    // A song may be listed here at the same moment; the foreign key detects it.
    if ((error as { code?: string }).code !== '23503') throw error
    throw new ApiError('genre_in_use', usageText(before))
  })
  return before
}

function usageText({ kind, name, songs, kuts, unpublished }: Genre): string {
  const listed = songs + kuts
  const unpublishedText = unpublished > 0 ? `${unpublished} unpublished` : ''
  const usageParts = [listed > 0 ? `${listed} published` : '', unpublishedText].filter(Boolean).join(' and ')
  return `“${name}” has songs${usageParts ? ` (${usageParts})` : ''}. Merge it into another ${kind} instead.`
}
