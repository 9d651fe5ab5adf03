import { curation, type ParsedInputOf } from '@dubplate/contract'
import * as z from 'zod/mini'
import { ApiError, fieldError, throwAllErrors, throwCombined } from '../platform/api-error.ts'
import { parseDate } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import { readList, tableNames, unknownList } from './composed-lists.ts'

/** Saves spotlights and top 20s: each function is part of the caller's transaction. */

type Kind = curation.Kind
type SaveListParams = ParsedInputOf<typeof curation.saveList>
type PublicationTimes = { published_at: Date | null; ended_at: Date | null; unpublished_at: Date | null }
type LockedList = PublicationTimes & { version: number; was_published: boolean; now: Date }

/** A list before and after a change. */
export type ListChange = { before: curation.ListDetails | undefined; after: curation.ListDetails }

/**
 * Saves a list with its songs. Throws `unknown_list`, `conflict`, `unknown_song`, `duplicate_song`, `unknown_genre`,
 * `unknown_cover`, `wrong_song_count` if it is published without them, `already_published` if it was published and
 * would become a draft, or `invalid_date_range`.
 */
export async function saveList(sql: Sql, params: SaveListParams): Promise<ListChange> {
  const lockedList =
    params.list_id === undefined ? undefined : await lockList(sql, params.kind, params.list_id, params.version)
  const before = params.list_id === undefined ? undefined : await readList(sql, params.kind, params.list_id)
  const times = await checkList(sql, params, lockedList ?? (await createLocked(sql)))
  const listId = await writeListRow(sql, { ...params, ...times }).catch(inWords)
  await writeSongs(sql, params.kind, listId, params.entity_ids)
  return { before, after: await readList(sql, params.kind, listId) }
}

/** Returns the times of a list after this change. Throws the field errors of `saveList`, all of them at once. */
async function checkList(sql: Sql, params: SaveListParams, lockedList: LockedList): Promise<PublicationTimes> {
  const times = publicationTimes(params, lockedList)
  await throwAllErrors([
    () => rejectSongs(sql, params, times),
    () => rejectTimes(params, lockedList, times),
    () => rejectUnknownParts(sql, params),
  ])
  return times
}

async function rejectSongs(
  sql: Sql,
  params: Pick<SaveListParams, 'kind' | 'entity_ids' | 'publication'>,
  times: PublicationTimes,
): Promise<void> {
  rejectTwice(params.entity_ids)
  rejectIncomplete(params, times, await findSongs(sql, params.entity_ids))
}

/** Throws `unknown_genre` or `unknown_cover`. */
async function rejectUnknownParts(
  sql: Sql,
  { curated_genre_id, artwork_id }: Partial<Pick<SaveListParams, 'curated_genre_id' | 'artwork_id'>>,
): Promise<void> {
  const [known] = await sql<{ genre: boolean; cover: boolean }[]>`
    select exists (select 1 from curated_genre where curated_genre_id = ${curated_genre_id ?? 0}) as genre,
      exists (select 1 from artwork where artwork_id = ${artwork_id ?? 0}) as cover`
  throwCombined([
    ...(curated_genre_id && !known?.genre ? [unknownGenre()] : []),
    ...(artwork_id && !known?.cover ? [unknownCoverError()] : []),
  ])
}

const unknownGenre = () =>
  fieldError('unknown_genre', 'curated_genre_id', 'This curated genre no longer exists. Choose another one.')
const unknownCoverError = () =>
  fieldError('unknown_cover', 'artwork_id', 'This cover no longer exists. Upload the picture again.')

/** Checks a list while other fields are blank or invalid. Throws the errors of `saveList`. */
export async function checkRawList(sql: Sql, rawInput: { [name in keyof SaveListParams]?: unknown }): Promise<void> {
  const shape = curation.saveList.input.shape
  const kind = parsed(shape.kind, rawInput.kind)
  const listId = parsed(shape.list_id, rawInput.list_id)
  const found =
    kind === undefined || listId === undefined ? undefined : await findLocked(sql, { kind, list_id: listId })
  const lockedList = found ?? (await createLocked(sql))
  const timing = parsed(timingInput, rawInput)
  const times = timing && publicationTimes(timing, lockedList)
  const songs = parsed(shape.entity_ids, rawInput.entity_ids)
  await throwAllErrors([
    () =>
      rejectUnknownParts(sql, {
        curated_genre_id: parsed(shape.curated_genre_id, rawInput.curated_genre_id) ?? null,
        artwork_id: parsed(shape.artwork_id, rawInput.artwork_id) ?? null,
      }),
    () => timing && times && rejectTimes(timing, lockedList, times),
    () => kind && songs && timing && times && rejectSongs(sql, { kind, entity_ids: songs, ...timing }, times),
  ])
}

const timingInput = z.pick(curation.saveList.input, { publication: true, published_at: true, ended_at: true })
type TimingInput = Pick<SaveListParams, 'publication' | 'published_at' | 'ended_at'>

const createLocked = async (sql: Sql): Promise<LockedList> => {
  const [clock] = await sql<[{ now: Date }]>`select now() as now`
  return { published_at: null, ended_at: null, unpublished_at: null, version: 1, was_published: false, now: clock.now }
}

/** Locks a list for the caller's transaction. Throws `unknown_list`, and `conflict` if it has another version. */
async function lockList(sql: Sql, kind: Kind, listId: number, version: number | undefined): Promise<LockedList> {
  const { list, id } = tableNames(sql, kind)
  await sql`select 1 from ${list} where ${id} = ${listId} for update`
  const lockedList = await findLocked(sql, { kind, list_id: listId })
  if (!lockedList) throw unknownList(kind)
  if (lockedList.version !== version)
    throw new ApiError('conflict', 'Someone else changed this list. Reload to see the changes.')
  return lockedList
}

async function findLocked(
  sql: Sql,
  { kind, list_id }: Pick<ListRef, 'kind' | 'list_id'>,
): Promise<LockedList | undefined> {
  const { list, id } = tableNames(sql, kind)
  const [lockedList] = await sql<LockedList[]>`
    select published_at, ended_at, unpublished_at, version, now() as now,
      first_shown_at is not null or coalesce(published_at <= now(), false) as was_published
    from ${list} where ${id} = ${list_id}`
  return lockedList
}

function rejectTwice(entityIds: readonly number[]): void {
  const duplicateId = entityIds.find((id, n) => entityIds.indexOf(id) !== n)
  if (duplicateId === undefined) return
  const [first, second] = [
    entityIds.indexOf(duplicateId) + 1,
    entityIds.indexOf(duplicateId, entityIds.indexOf(duplicateId) + 1) + 1,
  ]
  throw fieldError(
    'duplicate_song',
    'entity_ids',
    `The song at position ${second} is already in the list at position ${first}.`,
  )
}

type FoundSong = { entity_id: number; title: string; status: string }

/** Throws `unknown_song`. An unpublished song may stay, and is not shown. */
async function findSongs(sql: Sql, entityIds: readonly number[]): Promise<FoundSong[]> {
  const found = await sql<FoundSong[]>`
    select entity_id, title, status from song where entity_id = any(${[...entityIds]}::bigint[])`
  const missing = entityIds.find((id) => !found.some(({ entity_id }) => entity_id === id))
  if (missing !== undefined)
    throw fieldError('unknown_song', 'entity_ids', `Song ${missing} isn’t published. Remove it from the list.`)
  return found
}

/** The times of a list after this change. */
const publicationTimes = (params: TimingInput, lockedList: LockedList): PublicationTimes => ({
  published_at: publishedAt(params, lockedList),
  ended_at: params.ended_at === undefined ? lockedList.ended_at : chosen(params.ended_at),
  unpublished_at: params.publication === 'unchanged' ? lockedList.unpublished_at : null,
})

const chosen = (ended_at: string | null): Date | null => (ended_at === null ? null : parseDate(ended_at))

function publishedAt({ publication, published_at }: TimingInput, lockedList: LockedList): Date | null {
  if (publication === 'unchanged') return lockedList.published_at
  if (publication === 'now') return lockedList.now
  return publication === 'at' && published_at !== undefined ? parseDate(published_at) : null
}

/** Throws `invalid_request` without a publication time, `already_published` or `invalid_date_range`. */
function rejectTimes(params: TimingInput, lockedList: LockedList, { published_at, ended_at }: PublicationTimes): void {
  throwCombined([
    ...(params.publication === 'at' && params.published_at === undefined
      ? [fieldError('invalid_request', 'published_at', 'Choose when to publish this list.')]
      : []),
    ...(params.publication === 'draft' && lockedList.was_published
      ? [
          fieldError(
            'already_published',
            'publication',
            'This list has already been published. Unpublish it to remove it from the site.',
          ),
        ]
      : []),
    ...(published_at && ended_at && ended_at <= published_at
      ? [fieldError('invalid_date_range', 'ended_at', 'The end must be after the start. Choose a later end.')]
      : []),
  ])
}

const alreadyPublishedError = (sentence: string) => new ApiError('already_published', sentence)

const { TOP20_LENGTH } = curation

/**
 * A published list needs its songs: a spotlight at least one visible song, a top 20 all twenty. A list that is already
 * published may keep a song that was unpublished since.
 */
function rejectIncomplete(
  { kind, publication }: Pick<SaveListParams, 'kind' | 'publication'>,
  { published_at }: PublicationTimes,
  songs: readonly FoundSong[],
): void {
  if (kind === 'top20' && songs.length > TOP20_LENGTH)
    throw fieldError(
      'wrong_song_count',
      'entity_ids',
      `A top 20 has ${TOP20_LENGTH} songs. Remove ${songs.length - TOP20_LENGTH}.`,
    )
  if (published_at === null) return
  const counted = publication === 'unchanged' ? songs : songs.filter(({ status }) => status === 'published')
  const wanted = kind === 'top20' ? TOP20_LENGTH : 1
  const missing = wanted - counted.length
  if (missing <= 0) return
  const unpublished = songs.find(({ status }) => status !== 'published')
  const reason =
    unpublished && counted.length < songs.length ? ` “${unpublished.title}” is unpublished and doesn’t count.` : ''
  throw fieldError(
    'wrong_song_count',
    'entity_ids',
    kind === 'top20'
      ? `A top 20 needs ${TOP20_LENGTH} songs before you can publish it: ${missing} ${missing === 1 ? 'is' : 'are'} missing.${reason}`
      : `Add at least one song before you publish this spotlight.${reason}`,
  )
}

type ListValues = Omit<SaveListParams, keyof PublicationTimes> & PublicationTimes

const writeListRow = (sql: Sql, params: ListValues): Promise<number> =>
  params.list_id === undefined ? addList(sql, params) : changeList(sql, params, params.list_id)

async function addList(sql: Sql, params: ListValues): Promise<number> {
  const { list, id } = tableNames(sql, params.kind)
  const isSpotlight = params.kind === 'spotlight'
  const [added] = await sql<{ id: number }[]>`
    insert into ${list} (title, description, cover_seed, artwork_id, published_at, ended_at
      ${isSpotlight ? sql`, created_by, curated_genre_id` : sql``})
    values (${params.title}, ${params.description ?? ''}, ${params.cover_seed}, ${params.artwork_id}, ${params.published_at}, ${params.ended_at}
      ${isSpotlight ? sql`, ${params.created_by}, ${params.curated_genre_id}` : sql``})
    returning ${id} as id`
  if (!added) throw new Error('List insert returned no id')
  return added.id
}

async function changeList(sql: Sql, params: ListValues, listId: number): Promise<number> {
  const { list, id } = tableNames(sql, params.kind)
  const own =
    params.kind === 'spotlight'
      ? sql`created_by = ${params.created_by}, curated_genre_id = ${params.curated_genre_id},`
      : sql``
  await sql`
    update ${list} set ${firstVisible(sql)}, title = ${params.title},
      description = coalesce(${params.description ?? null}, description), cover_seed = ${params.cover_seed},
      artwork_id = ${params.artwork_id}, published_at = ${params.published_at}, ended_at = ${params.ended_at},
      unpublished_at = ${params.unpublished_at}, ${own} changed_at = now(), version = version + 1
    where ${id} = ${listId}`
  return listId
}

/** Records that the list may have been seen before the change, because that depends on the times that are replaced. */
const firstVisible = (sql: Sql) =>
  sql`first_shown_at = case when published_at <= now() then coalesce(first_shown_at, published_at) else first_shown_at end`

function inWords(error: unknown): never {
  const { constraint_name: name = '' } = error as { constraint_name?: string }
  if (name.endsWith('curated_genre_id_fkey')) throw unknownGenre()
  if (name.endsWith('artwork_id_fkey')) throw unknownCoverError()
  throw error
}

async function writeSongs(sql: Sql, kind: Kind, listId: number, entityIds: readonly number[]): Promise<void> {
  if (kind === 'spotlight') return writeSpotlightSongs(sql, listId, entityIds)
  await sql`delete from top20_song where top20_track_id = ${listId}`
  await sql`
    insert into top20_song (top20_track_id, rank, entity_id)
    select ${listId}, n, entity_id from unnest(${[...entityIds]}::bigint[]) with ordinality songs (entity_id, n)`
}

/** Replaces the songs of a spotlight. Those that it already had keep the date on which they were added. */
async function writeSpotlightSongs(sql: Sql, listId: number, entityIds: readonly number[]): Promise<void> {
  // Sorted, so that all old rows are deleted before the first new one is inserted.
  await sql`
    with old as (delete from curated_list_song where curated_list_id = ${listId} returning entity_id, added_at)
    insert into curated_list_song (curated_list_id, position, entity_id, added_at)
    select ${listId}, n, entity_id, case when old.entity_id is null then now() else old.added_at end
    from unnest(${[...entityIds]}::bigint[]) with ordinality songs (entity_id, n) left join old using (entity_id)
    order by n`
}

type ListRef = { kind: Kind; list_id: number; version: number }

/**
 * Unpublishes a list now; a scheduled one that was never shown becomes a draft again. Throws `unknown_list`, `conflict`
 * or `not_published`.
 */
export async function unpublishList(sql: Sql, { kind, list_id, version }: ListRef): Promise<ListChange> {
  const { list, id } = tableNames(sql, kind)
  const lockedList = await lockList(sql, kind, list_id, version)
  const before = await readList(sql, kind, list_id)
  if (lockedList.published_at === null || lockedList.unpublished_at !== null)
    throw new ApiError('not_published', 'This list isn’t published.')
  const unpublishFields = lockedList.was_published ? sql`unpublished_at = now()` : sql`published_at = null`
  await sql`
    update ${list} set ${firstVisible(sql)}, ${unpublishFields}, changed_at = now(), version = version + 1 where ${id} = ${list_id}`
  return { before, after: await readList(sql, kind, list_id) }
}

/**
 * Deletes a list that was never shown, and returns its previous values. Throws `unknown_list`, `conflict` or
 * `already_published`.
 */
export async function removeList(sql: Sql, { kind, list_id, version }: ListRef): Promise<curation.ListDetails> {
  const { list, id } = tableNames(sql, kind)
  const lockedList = await lockList(sql, kind, list_id, version)
  if (lockedList.was_published)
    throw alreadyPublishedError(
      'This list has been published, so it can’t be deleted. Unpublish it instead; you can republish it later.',
    )
  const before = await readList(sql, kind, list_id)
  await sql`delete from ${list} where ${id} = ${list_id}`
  return before
}

type SuggestParams = ParsedInputOf<typeof curation.suggestList>

/** Suggests a spotlight, or stops suggesting it. Throws `unknown_list` or `conflict`. */
export async function suggestList(
  sql: Sql,
  { list_id, version, suggested, suggested_from }: SuggestParams,
): Promise<ListChange> {
  await lockList(sql, 'spotlight', list_id, version)
  const before = await readList(sql, 'spotlight', list_id)
  await sql`
    update curated_list set suggested = ${suggested}, suggested_from = ${suggested ? chosen(suggested_from) : null},
      changed_at = now(), version = version + 1
    where curated_list_id = ${list_id}`
  return { before, after: await readList(sql, 'spotlight', list_id) }
}
