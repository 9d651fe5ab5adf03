import { type ParsedInputOf, programming } from '@dubplate/contract'
import * as z from 'zod/mini'
import { momentOf } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parsed.ts'
import { fieldRefusal, Refusal, refuseAll, refuseTogether } from '../platform/refusal.ts'
import { readList, tablesOf, unknownList } from './composed-lists.ts'

/** How curators write spotlights and top 20: each function is part of the caller's transaction. */

type Kind = programming.Kind
type Wish = ParsedInputOf<typeof programming.saveList>
type Times = { published_at: Date | null; ended_at: Date | null; withdrawn_at: Date | null }
type Held = Times & { version: number; was_shown: boolean; now: Date }

/** What a list was before a change and is after it. */
export type Change = { before: programming.WholeList | undefined; after: programming.WholeList }

/**
 * Writes a list with its songs. Refuses `unknown_list`, `conflict`, `unknown_song`, `duplicate_song`, `unknown_genre`,
 * `unknown_cover`, `wrong_song_count` for one that is published without them, `already_published` for one that was shown and is
 * to be a draft, and `invalid_date_range`.
 */
export async function saveList(sql: Sql, wish: Wish): Promise<Change> {
  const held = wish.list_id === undefined ? undefined : await holdList(sql, wish.kind, wish.list_id, wish.version)
  const before = wish.list_id === undefined ? undefined : await readList(sql, wish.kind, wish.list_id)
  const times = await checkList(sql, wish, held ?? (await newList(sql)))
  const listId = await writeList(sql, { ...wish, ...times }).catch(inWords)
  await writeSongs(sql, wish.kind, listId, wish.entity_ids)
  return { before, after: await readList(sql, wish.kind, listId) }
}

/** Answers the times of a list after this wish. Refuses what `saveList` refuses of its fields, all of it at once. */
async function checkList(sql: Sql, wish: Wish, held: Held): Promise<Times> {
  const times = timesOf(wish, held)
  await refuseTogether([
    () => refuseSongs(sql, wish, times),
    () => refuseTimes(wish, held, times),
    () => refuseUnknownParts(sql, wish),
  ])
  return times
}

async function refuseSongs(
  sql: Sql,
  wish: Pick<Wish, 'kind' | 'entity_ids' | 'publication'>,
  times: Times,
): Promise<void> {
  refuseTwice(wish.entity_ids)
  refuseIncomplete(wish, times, await findSongs(sql, wish.entity_ids))
}

/** Refuses `unknown_genre` and `unknown_cover`. */
async function refuseUnknownParts(
  sql: Sql,
  { curated_genre_id, artwork_id }: Partial<Pick<Wish, 'curated_genre_id' | 'artwork_id'>>,
): Promise<void> {
  const [known] = await sql<{ genre: boolean; cover: boolean }[]>`
    select exists (select 1 from curated_genre where curated_genre_id = ${curated_genre_id ?? 0}) as genre,
      exists (select 1 from artwork where artwork_id = ${artwork_id ?? 0}) as cover`
  refuseAll([
    ...(curated_genre_id && !known?.genre ? [unknownGenre()] : []),
    ...(artwork_id && !known?.cover ? [unknownCover()] : []),
  ])
}

const unknownGenre = () =>
  fieldRefusal('unknown_genre', 'curated_genre_id', 'This curated genre no longer exists. Choose another one.')
const unknownCover = () =>
  fieldRefusal('unknown_cover', 'artwork_id', 'This cover no longer exists. Upload the picture again.')

/** What can be told of a list while other fields of it are blank or wrong. Refuses as `saveList`. */
export async function checkGivenList(sql: Sql, given: { [name in keyof Wish]?: unknown }): Promise<void> {
  const shape = programming.saveList.input.shape
  const kind = parsed(shape.kind, given.kind)
  const listId = parsed(shape.list_id, given.list_id)
  const found = kind === undefined || listId === undefined ? undefined : await findHeld(sql, { kind, list_id: listId })
  const held = found ?? (await newList(sql))
  const timing = parsed(timingInput, given)
  const times = timing && timesOf(timing, held)
  const songs = parsed(shape.entity_ids, given.entity_ids)
  await refuseTogether([
    () =>
      refuseUnknownParts(sql, {
        curated_genre_id: parsed(shape.curated_genre_id, given.curated_genre_id) ?? null,
        artwork_id: parsed(shape.artwork_id, given.artwork_id) ?? null,
      }),
    () => timing && times && refuseTimes(timing, held, times),
    () => kind && songs && timing && times && refuseSongs(sql, { kind, entity_ids: songs, ...timing }, times),
  ])
}

const timingInput = z.pick(programming.saveList.input, { publication: true, published_at: true, ended_at: true })
type Timing = Pick<Wish, 'publication' | 'published_at' | 'ended_at'>

const newList = async (sql: Sql): Promise<Held> => {
  const [clock] = await sql<[{ now: Date }]>`select now() as now`
  return { published_at: null, ended_at: null, withdrawn_at: null, version: 1, was_shown: false, now: clock.now }
}

/** Holds a list for the caller's transaction. Refuses `unknown_list`, and `conflict` where it is another version. */
async function holdList(sql: Sql, kind: Kind, listId: number, version: number | undefined): Promise<Held> {
  const { list, id } = tablesOf(sql, kind)
  await sql`select 1 from ${list} where ${id} = ${listId} for update`
  const held = await findHeld(sql, { kind, list_id: listId })
  if (!held) throw unknownList(kind)
  if (held.version !== version)
    throw new Refusal('conflict', 'Someone else changed this list. Reload to see the changes.')
  return held
}

async function findHeld(sql: Sql, { kind, list_id }: Pick<Named, 'kind' | 'list_id'>): Promise<Held | undefined> {
  const { list, id } = tablesOf(sql, kind)
  const [held] = await sql<Held[]>`
    select published_at, ended_at, withdrawn_at, version, now() as now,
      first_shown_at is not null or coalesce(published_at <= now(), false) as was_shown
    from ${list} where ${id} = ${list_id}`
  return held
}

function refuseTwice(entityIds: readonly number[]): void {
  const twice = entityIds.find((id, n) => entityIds.indexOf(id) !== n)
  if (twice === undefined) return
  const [first, second] = [entityIds.indexOf(twice) + 1, entityIds.indexOf(twice, entityIds.indexOf(twice) + 1) + 1]
  throw fieldRefusal(
    'duplicate_song',
    'entity_ids',
    `The song at position ${second} is already in the list at position ${first}.`,
  )
}

type Found = { entity_id: number; title: string; status: string }

/** Refuses `unknown_song`; a withdrawn one may stay, and is not shown. */
async function findSongs(sql: Sql, entityIds: readonly number[]): Promise<Found[]> {
  const found = await sql<Found[]>`
    select entity_id, title, status from song where entity_id = any(${[...entityIds]}::bigint[])`
  const missing = entityIds.find((id) => !found.some(({ entity_id }) => entity_id === id))
  if (missing !== undefined)
    throw fieldRefusal('unknown_song', 'entity_ids', `Song ${missing} isn’t published. Remove it from the list.`)
  return found
}

/** The times of a list after this wish. */
const timesOf = (wish: Timing, held: Held): Times => ({
  published_at: publishedAt(wish, held),
  ended_at: wish.ended_at === undefined ? held.ended_at : chosen(wish.ended_at),
  withdrawn_at: wish.publication === 'unchanged' ? held.withdrawn_at : null,
})

const chosen = (ended_at: string | null): Date | null => (ended_at === null ? null : momentOf(ended_at))

function publishedAt({ publication, published_at }: Timing, held: Held): Date | null {
  if (publication === 'unchanged') return held.published_at
  if (publication === 'now') return held.now
  return publication === 'at' && published_at !== undefined ? momentOf(published_at) : null
}

/** Refuses `invalid_request` without a moment to publish at, `already_published` and `invalid_date_range`. */
function refuseTimes(wish: Timing, held: Held, { published_at, ended_at }: Times): void {
  refuseAll([
    ...(wish.publication === 'at' && wish.published_at === undefined
      ? [fieldRefusal('invalid_request', 'published_at', 'Choose when to publish this list.')]
      : []),
    ...(wish.publication === 'draft' && held.was_shown
      ? [
          fieldRefusal(
            'already_published',
            'publication',
            'This list has already been published. Unpublish it to remove it from the site.',
          ),
        ]
      : []),
    ...(published_at && ended_at && ended_at <= published_at
      ? [fieldRefusal('invalid_date_range', 'ended_at', 'The end must be after the start. Choose a later end.')]
      : []),
  ])
}

const wasPublished = (sentence: string) => new Refusal('already_published', sentence)

const { TOP20_LENGTH } = programming

/**
 * What is published has its songs: a spotlight one that members see, a top 20 all of its twenty. One that is out already
 * may keep a song that was withdrawn since.
 */
function refuseIncomplete(
  { kind, publication }: Pick<Wish, 'kind' | 'publication'>,
  { published_at }: Times,
  songs: readonly Found[],
): void {
  if (kind === 'top20' && songs.length > TOP20_LENGTH)
    throw fieldRefusal(
      'wrong_song_count',
      'entity_ids',
      `A top 20 has ${TOP20_LENGTH} songs. Remove ${songs.length - TOP20_LENGTH}.`,
    )
  if (published_at === null) return
  const counted = publication === 'unchanged' ? songs : songs.filter(({ status }) => status === 'published')
  const wanted = kind === 'top20' ? TOP20_LENGTH : 1
  const missing = wanted - counted.length
  if (missing <= 0) return
  const withdrawn = songs.find(({ status }) => status !== 'published')
  const why =
    withdrawn && counted.length < songs.length ? ` “${withdrawn.title}” is unpublished and doesn’t count.` : ''
  throw fieldRefusal(
    'wrong_song_count',
    'entity_ids',
    kind === 'top20'
      ? `A top 20 needs ${TOP20_LENGTH} songs before you can publish it: ${missing} ${missing === 1 ? 'is' : 'are'} missing.${why}`
      : `Add at least one song before you publish this spotlight.${why}`,
  )
}

type Written = Omit<Wish, keyof Times> & Times

const writeList = (sql: Sql, wish: Written): Promise<number> =>
  wish.list_id === undefined ? addList(sql, wish) : changeList(sql, wish, wish.list_id)

async function addList(sql: Sql, wish: Written): Promise<number> {
  const { list, id } = tablesOf(sql, wish.kind)
  const isSpotlight = wish.kind === 'spotlight'
  const [added] = await sql<{ id: number }[]>`
    insert into ${list} (title, cover_seed, artwork_id, published_at, ended_at
      ${isSpotlight ? sql`, created_by, curated_genre_id` : sql``})
    values (${wish.title}, ${wish.cover_seed}, ${wish.artwork_id}, ${wish.published_at}, ${wish.ended_at}
      ${isSpotlight ? sql`, ${wish.created_by}, ${wish.curated_genre_id}` : sql``})
    returning ${id} as id`
  if (!added) throw new Error('List insert returned no id')
  return added.id
}

async function changeList(sql: Sql, wish: Written, listId: number): Promise<number> {
  const { list, id } = tablesOf(sql, wish.kind)
  const own =
    wish.kind === 'spotlight'
      ? sql`created_by = ${wish.created_by}, curated_genre_id = ${wish.curated_genre_id},`
      : sql``
  await sql`
    update ${list} set ${firstShown(sql)}, title = ${wish.title}, cover_seed = ${wish.cover_seed},
      artwork_id = ${wish.artwork_id}, published_at = ${wish.published_at}, ended_at = ${wish.ended_at},
      withdrawn_at = ${wish.withdrawn_at}, ${own} changed_at = now(), version = version + 1
    where ${id} = ${listId}`
  return listId
}

/** What is about to change may have been seen: that is noted, because it depends on the times that go. */
const firstShown = (sql: Sql) =>
  sql`first_shown_at = case when published_at <= now() then coalesce(first_shown_at, published_at) else first_shown_at end`

function inWords(error: unknown): never {
  const { constraint_name: name = '' } = error as { constraint_name?: string }
  if (name.endsWith('curated_genre_id_fkey')) throw unknownGenre()
  if (name.endsWith('artwork_id_fkey')) throw unknownCover()
  throw error
}

async function writeSongs(sql: Sql, kind: Kind, listId: number, entityIds: readonly number[]): Promise<void> {
  const { id, songs, place } = tablesOf(sql, kind)
  await sql`delete from ${songs} where ${id} = ${listId}`
  await sql`
    insert into ${songs} (${id}, ${place}, entity_id)
    select ${listId}, n, entity_id from unnest(${[...entityIds]}::bigint[]) with ordinality songs (entity_id, n)`
}

type Named = { kind: Kind; list_id: number; version: number }

/**
 * Takes a list off the site, now; one that is scheduled and was never shown is a draft again. Refuses `unknown_list`,
 * `conflict` and `not_published`.
 */
export async function withdrawList(sql: Sql, { kind, list_id, version }: Named): Promise<Change> {
  const { list, id } = tablesOf(sql, kind)
  const held = await holdList(sql, kind, list_id, version)
  const before = await readList(sql, kind, list_id)
  if (held.published_at === null || held.withdrawn_at !== null)
    throw new Refusal('not_published', 'This list isn’t published.')
  const gone = held.was_shown ? sql`withdrawn_at = now()` : sql`published_at = null`
  await sql`
    update ${list} set ${firstShown(sql)}, ${gone}, changed_at = now(), version = version + 1 where ${id} = ${list_id}`
  return { before, after: await readList(sql, kind, list_id) }
}

/** Throws a list away that was never shown, and answers what it was. Refuses `unknown_list`, `conflict` and `already_published`. */
export async function removeList(sql: Sql, { kind, list_id, version }: Named): Promise<programming.WholeList> {
  const { list, id } = tablesOf(sql, kind)
  const held = await holdList(sql, kind, list_id, version)
  if (held.was_shown)
    throw wasPublished(
      'This list has been published, so it can’t be deleted. Unpublish it instead; you can republish it later.',
    )
  const before = await readList(sql, kind, list_id)
  await sql`delete from ${list} where ${id} = ${list_id}`
  return before
}

type Suggestion = ParsedInputOf<typeof programming.suggestList>

/** Suggests a spotlight, or no longer. Refuses `unknown_list` and `conflict`. */
export async function suggestList(
  sql: Sql,
  { list_id, version, suggested, suggested_from }: Suggestion,
): Promise<Change> {
  await holdList(sql, 'spotlight', list_id, version)
  const before = await readList(sql, 'spotlight', list_id)
  await sql`
    update curated_list set suggested = ${suggested}, suggested_from = ${suggested ? chosen(suggested_from) : null},
      changed_at = now(), version = version + 1
    where curated_list_id = ${list_id}`
  return { before, after: await readList(sql, 'spotlight', list_id) }
}
