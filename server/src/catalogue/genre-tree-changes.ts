import { genreTree, type ParsedInputOf } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parsed.ts'
import { Refusal, refuseTogether } from '../platform/refusal.ts'
import { forgetGenre, leaveGenre, leaveMain, listSongsToo, recountGenres } from './genre-songs.ts'
import {
  below,
  findIn,
  type Genre,
  holdTree,
  mainOf,
  readGenreTree,
  refuseChanged,
  refuseTaken,
  refuseTooDeep,
} from './genre-tree.ts'

/** What curators do to the tree. Each is part of the caller's transaction, and answers what was and what is. */

type Change = { before: Genre | undefined; after: Genre }

/** Refuses `unknown_genre`, `conflict`, `name_taken` and `nesting_too_deep`. */
export async function saveGenre(sql: Sql, wish: ParsedInputOf<typeof genreTree.saveGenre>): Promise<Change> {
  const tree = await holdTree(sql)
  if (wish.genre_id === undefined) return { before: undefined, after: await addGenre(sql, tree, wish) }
  const before = findIn(tree, wish.genre_id)
  refuseChanged(before, wish.version)
  refuseTaken(tree, { ...before, name: wish.name })
  if (before.name !== wish.name) await keepName(sql, before, wish.name)
  await sql`
    update genre set name = ${wish.name}, home_chip = ${wish.home_chip}, version = version + 1 where genre_id = ${before.genre_id}`
  return { before, after: findIn(await readGenreTree(sql), before.genre_id) }
}

async function addGenre(
  sql: Sql,
  tree: readonly Genre[],
  wish: ParsedInputOf<typeof genreTree.saveGenre>,
): Promise<Genre> {
  await refuseTogether([() => refuseTooDeep(tree, wish), () => refuseTaken(tree, wish)])
  const [added] = await sql<{ genre_id: number }[]>`
    insert into genre (genre_id, parent_id, kind, name, home_chip, position)
    select greatest(max(genre_id), (select max(former_id) from former_genre), 1000) + 1, ${wish.parent_id}, ${wish.kind}, ${wish.name},
      ${wish.home_chip}, coalesce(max(position) filter (
        where kind = ${wish.kind} and parent_id is not distinct from ${wish.parent_id}::int), 0) + 1
    from genre returning genre_id`
  if (!added) throw new Error('Genre insert returned no id')
  return findIn(await readGenreTree(sql), added.genre_id)
}

/** What can be told of a new genre while other fields of it are blank or wrong. Refuses as `saveGenre`. */
export async function checkGenre(
  sql: Sql,
  given: { genre_id?: unknown; kind?: unknown; name?: unknown; parent_id?: unknown },
): Promise<void> {
  const shape = genreTree.saveGenre.input.shape
  const tree = await readGenreTree(sql)
  const genre_id = parsed(shape.genre_id, given.genre_id)
  const before = tree.find((one) => one.genre_id === genre_id)
  const name = parsed(shape.name, given.name)
  const kind = before?.kind ?? parsed(shape.kind, given.kind)
  const parent_id = before ? before.parent_id : parsed(shape.parent_id, given.parent_id)
  if (kind === undefined || parent_id === undefined) return
  await refuseTogether([
    () => !before && refuseTooDeep(tree, { kind, parent_id }),
    () => name !== undefined && refuseTaken(tree, { name, kind, parent_id, genre_id }),
  ])
}

/** Imports and searches know it by its old name, too; the name it takes is nobody's former one any more. */
async function keepName(sql: Sql, { genre_id, name }: Genre, becomes: string): Promise<void> {
  await sql`
    delete from former_genre where genre_id = ${genre_id} and former_id is null
      and lower(name) in (lower(${name}), lower(${becomes}))`
  if (name.toLowerCase() !== becomes.toLowerCase())
    await sql`insert into former_genre (genre_id, name) values (${genre_id}, ${name})`
}

/** Refuses `unknown_genre`, `conflict`, `name_taken` and `nesting_too_deep`. */
export async function moveGenre(sql: Sql, wish: ParsedInputOf<typeof genreTree.moveGenre>): Promise<Change> {
  const tree = await holdTree(sql)
  const before = findIn(tree, wish.genre_id)
  refuseChanged(before, wish.version)
  refuseTooDeep(tree, { ...before, parent_id: wish.parent_id })
  refuseTaken(tree, { ...before, parent_id: wish.parent_id })
  await sql`update genre set parent_id = ${wish.parent_id}, version = version + 1 where genre_id = ${before.genre_id}`
  await putInPlace(sql, tree, before, wish)
  if (before.parent_id !== wish.parent_id) await listAnew(sql, before, wish.parent_id)
  return { before, after: findIn(await readGenreTree(sql), before.genre_id) }
}

type Place = { parent_id: number | null; place: number }

async function putInPlace(sql: Sql, tree: readonly Genre[], { genre_id, kind }: Genre, { parent_id, place }: Place) {
  const beside = tree
    .filter((one) => one.kind === kind && one.parent_id === parent_id && one.genre_id !== genre_id)
    .map((one) => one.genre_id)
  const order = beside.toSpliced(place - 1, 0, genre_id)
  await sql`
    update genre g set position = placed.n from unnest(${order}::int[]) with ordinality placed (genre_id, n)
    where g.genre_id = placed.genre_id`
}

async function listAnew(sql: Sql, { genre_id, parent_id }: Genre, mainId: number | null): Promise<void> {
  if (mainId !== null) await listSongsToo(sql, genre_id, mainId)
  if (parent_id !== null) await leaveMain(sql, genre_id, parent_id)
  await recountGenres(
    sql,
    [mainId, parent_id].filter((id) => id !== null),
  )
}

export type MergedGenre = { before: Genre; into: Genre }

/**
 * Merges a genre into another one; what other rooms have of it follows before `forgetGenre`, which `also` is called for.
 * Refuses `unknown_genre`, `conflict`, `cannot_merge`, `name_taken` and `nesting_too_deep`.
 */
export async function mergeGenre(
  sql: Sql,
  wish: ParsedInputOf<typeof genreTree.mergeGenre>,
  also: (from: number, into: number) => Promise<void>,
): Promise<MergedGenre> {
  const tree = await holdTree(sql)
  const [before, into] = [findIn(tree, wish.genre_id), findIn(tree, wish.into_genre_id)]
  refuseChanged(before, wish.version)
  refuseStrange(before, into)
  refuseSubgenres(tree, before, into)
  await moveSubgenres(sql, before, into)
  const mains = [mainOf(tree, before), mainOf(tree, into)]
  await listSongsToo(sql, before.genre_id, into.genre_id)
  if (mains[1]) await listSongsToo(sql, before.genre_id, mains[1].genre_id)
  if (mains[0] && mains[0] !== mains[1] && mains[0] !== into) await leaveMain(sql, before.genre_id, mains[0].genre_id)
  await leaveGenre(sql, before.genre_id)
  await keepAddress(sql, before, into)
  await also(before.genre_id, into.genre_id)
  await forgetGenre(sql, before.genre_id)
  await recountGenres(
    sql,
    [into, ...mains].flatMap((genre) => genre?.genre_id ?? []),
  )
  return { before, into: findIn(await readGenreTree(sql), into.genre_id) }
}

function refuseStrange(before: Genre, into: Genre): void {
  if (before.genre_id === into.genre_id) throw new Refusal('cannot_merge', 'Choose a different genre to merge into.')
  if (before.kind !== into.kind)
    throw new Refusal('cannot_merge', 'Genres can only be merged into genres, and moods into moods.')
  if (into.parent_id === before.genre_id)
    throw new Refusal('cannot_merge', `“${into.name}” is a sub-${into.kind} of this ${into.kind}. Move it first.`)
}

function refuseSubgenres(tree: readonly Genre[], before: Genre, into: Genre): void {
  const own = below(tree, before.genre_id)
  if (own.length > 0 && into.parent_id !== null)
    throw new Refusal(
      'nesting_too_deep',
      `“${before.name}” has sub-${before.kind}s. Move them first or choose a main ${before.kind}.`,
    )
  const names = below(tree, into.genre_id).map(({ name }) => name.toLowerCase())
  const both = own.find(({ name }) => names.includes(name.toLowerCase()))
  if (both)
    throw new Refusal(
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

async function keepAddress(sql: Sql, before: Genre, into: Genre): Promise<void> {
  await sql`update former_genre set genre_id = ${into.genre_id} where genre_id = ${before.genre_id}`
  await sql`
    insert into former_genre (genre_id, former_id, name) values (${into.genre_id}, ${before.genre_id}, ${before.name})`
  await sql`
    update genre set home_chip = home_chip or ${before.home_chip}, version = version + 1 where genre_id = ${into.genre_id}`
}

/** Refuses `unknown_genre`, `conflict` and `genre_in_use`. */
export async function removeGenre(sql: Sql, wish: ParsedInputOf<typeof genreTree.removeGenre>): Promise<Genre> {
  const tree = await holdTree(sql)
  const before = findIn(tree, wish.genre_id)
  refuseChanged(before, wish.version)
  if (below(tree, before.genre_id).length > 0)
    throw new Refusal('genre_in_use', `This ${before.kind} has sub-${before.kind}s. Move or merge them first.`)
  await forgetGenre(sql, before.genre_id).catch((error) => {
    // A song may be listed here this very moment; the database knows.
    if ((error as { code?: string }).code !== '23503') throw error
    throw new Refusal('genre_in_use', inUse(before))
  })
  return before
}

function inUse({ kind, name, songs, kuts, withdrawn }: Genre): string {
  const listed = songs + kuts
  const left = withdrawn > 0 ? `${withdrawn} unpublished` : ''
  const what = [listed > 0 ? `${listed} published` : '', left].filter(Boolean).join(' and ')
  return `“${name}” has songs${what ? ` (${what})` : ''}. Merge it into another ${kind} instead.`
}
