import { type Day, type ParsedInputOf, parseKey, parseTempo, uploadedSongs } from '@dubplate/contract'
import * as z from 'zod/mini'
import type { AppContext } from '../app-context.ts'
import { detachUploaded, relistUploaded, unpublishUploaded } from '../catalogue/publication.ts'
import { ApiError, throwAllErrors } from '../platform/api-error.ts'
import { startOfDay } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import { findDifferences } from './differences.ts'
import { unknownSongError } from './own-songs.ts'
import { stateOf } from './song-state.ts'
import { type FileValues, resolveSources, type Sources, type Values } from './value-sources.ts'
import { checkSlots, NEW_SONG_ID, saveVersionSlots, type WantedSlot } from './version-slots.ts'

const DAY_MS = 24 * 3600 * 1000

type SongData = ParsedInputOf<typeof uploadedSongs.createSong>['songData']
type Saved = { entity_id: number; status: uploadedSongs.SongState }
type UploadContext = Pick<AppContext, 'sql' | 'now' | 'settings'>

export type OwnSong = Values & {
  upload_song_id: number
  customer_id: number
  entity_id: number | null
  song_section_id: number
  sources: Sources
  review: 'open' | 'published' | 'declined'
  version: number
  expires_at: Date
  has_custom_expiry: boolean
  /** When it expired; null while it is in the pool, and if staff unpublished it. */
  expired_at: Date | null
}

/** Locks a song until the end of the transaction. Throws `unknown_song`; with `customerId` also for someone else's. */
export async function lockSong(sql: Sql, uploadSongId: number, customerId?: number): Promise<OwnSong> {
  const [song] = await sql<OwnSong[]>`${songQuery(sql, uploadSongId, customerId)} for update`
  if (!song) throw unknownSongError()
  return song
}

/** Returns a song without locking it; with `customerId` only one of this member. */
export async function findSong(sql: Sql, uploadSongId: number, customerId?: number): Promise<OwnSong | undefined> {
  const [song] = await sql<OwnSong[]>`${songQuery(sql, uploadSongId, customerId)}`
  return song
}

const songQuery = (sql: Sql, uploadSongId: number, customerId: number | undefined) => sql`
  select upload_song_id, customer_id, entity_id, song_section_id, title, artist, year, song_key, min_bpm, max_bpm, genres, sources,
    review, version, expires_at, has_custom_expiry, expired_at
  from upload_song where upload_song_id = ${uploadSongId} and deleted_at is null
    and (${customerId ?? null}::bigint is null or customer_id = ${customerId ?? null})`

/** Throws `conflict` if someone saved it since it was read. */
export function rejectStale({ version }: Pick<OwnSong, 'version'>, expectedVersion: number | undefined): void {
  if (expectedVersion === undefined || expectedVersion === version) return
  throw new ApiError(
    'conflict',
    'Someone else changed this song while you were editing. Reload to see the changes; your text is still in the form.',
  )
}

/** Converts validated form values. */
export function toValues(data: SongData): Values {
  const tempo = parseTempo(data.bpm)
  const key = parseKey(data.song_key)
  if (!tempo || !key) throw new ApiError('invalid_request', 'Enter a valid BPM and key.')
  const genres = [...new Set(data.genres)].sort((a, b) => a - b)
  return { title: data.title, artist: data.artist, year: Number(data.year), song_key: key, ...tempo, genres }
}

/** Throws `unknown_genre`. */
export async function rejectUnknownGenres(sql: Sql, genres: readonly number[]): Promise<void> {
  const known = await sql`select 1 from genre where genre_id = any(${[...genres]}::int[]) and kind = 'genre'`
  if (known.length === genres.length) return
  const sentence = 'One of these genres no longer exists. Choose again.'
  throw new ApiError('unknown_genre', sentence, { fields: { 'songData.genres': sentence } })
}

type Expiry = { expires_at: Date; has_custom_expiry: boolean }

type ExpiryContext = Pick<AppContext, 'now' | 'settings'>

const defaultExpiry = ({ now, settings }: ExpiryContext): Date =>
  new Date(now().getTime() + settings.uploadDays * DAY_MS)
const isSameDay = (a: Date, b: Date): boolean => a.toISOString().slice(0, 10) === b.toISOString().slice(0, 10)

/**
 * Returns when a song expires: the chosen day; the default number of days from now if null; unchanged if undefined,
 * also if the default has changed since. Throws `date_in_past`.
 */
export function resolveExpiry(ctx: ExpiryContext, picked: Day | null | undefined, before: Expiry | undefined): Expiry {
  if (picked === undefined && before)
    return { expires_at: before.expires_at, has_custom_expiry: before.has_custom_expiry }
  const defaultDate = before && !before.has_custom_expiry ? before.expires_at : defaultExpiry(ctx)
  if (!picked) return { expires_at: defaultDate, has_custom_expiry: false }
  const expires_at = startOfDay(picked)
  // The form shows the default day; submitting it unchanged chooses nothing.
  if (isSameDay(expires_at, defaultDate)) return { expires_at: defaultDate, has_custom_expiry: false }
  if (before && isSameDay(expires_at, before.expires_at)) return before
  if (expires_at > ctx.now()) return { expires_at, has_custom_expiry: true }
  const sentence = 'This date is in the past. Choose a later date.'
  throw new ApiError('date_in_past', sentence, { fields: { 'songData.expire_date': sentence } })
}

type SongInput = { entity_id?: unknown; songData?: unknown; versions?: unknown }

/**
 * Runs the checks of creating or changing a song that are possible while other fields are invalid. Throws as
 * `createSong` and `updateSong`.
 */
export async function checkSong(
  { sql, ...ctx }: UploadContext,
  customer_id: number,
  rawInput: SongInput,
): Promise<void> {
  const { genres, expire_date } = uploadedSongs.songData.shape
  const id = parsed(uploadedSongs.updateSong.input.shape.entity_id, rawInput.entity_id)
  const before = id === undefined ? undefined : await findSong(sql, id, customer_id)
  const data = (rawInput.songData ?? {}) as Record<string, unknown>
  const chosen = parsed(genres, data.genres)
  const day = expire_date.safeParse(data.expire_date)
  const slots = parsed(z.array(z.unknown()), rawInput.versions) ?? []
  const owner = { upload_song_id: before?.upload_song_id ?? NEW_SONG_ID, customer_id }
  await throwAllErrors([
    () => chosen && rejectUnknownGenres(sql, [...new Set(chosen)]),
    () => day.success && resolveExpiry(ctx, day.data, before),
    () =>
      checkSlots(
        sql,
        owner,
        slots.slice(0, MAX_SLOTS).map((slot) => parsed(uploadedSongs.slotInput, slot)),
      ),
  ])
}

/** The most versions the contract accepts; further ones are not checked. */
const MAX_SLOTS = 30

/** Returns the values that the files of these slots contain. */
async function findFileValues(sql: Sql, slots: readonly WantedSlot[]): Promise<FileValues[]> {
  return sql<FileValues[]>`
    select u.tag, a.bpm, a.song_key from upload u left join analysis a using (file_id)
    where u.upload_id = any(${slots.map(({ song }) => song)}::bigint[])`
}

/** Creates a song from a member's files. Throws the errors of `createSong` in the contract. */
export async function createSong(
  ctx: UploadContext,
  customerId: number,
  input: ParsedInputOf<typeof uploadedSongs.createSong>,
): Promise<Saved> {
  const values = toValues(input.songData)
  return ctx.sql.begin(async (sql) => {
    await throwAllErrors([
      () => rejectUnknownGenres(sql, values.genres),
      () => resolveExpiry(ctx, input.songData.expire_date, undefined),
      () => checkSlots(sql, { upload_song_id: NEW_SONG_ID, customer_id: customerId }, input.versions),
    ])
    const sources = resolveSources(values, await findFileValues(sql, input.versions), 'uploader', undefined)
    const { expires_at, has_custom_expiry } = resolveExpiry(ctx, input.songData.expire_date, undefined)
    const [added] = await sql<{ upload_song_id: number }[]>`
      insert into upload_song (customer_id, title, artist, year, song_key, min_bpm, max_bpm, genres, sources, expires_at,
        has_custom_expiry, submitted_at)
      values (${customerId}, ${values.title}, ${values.artist}, ${values.year}, ${values.song_key}, ${values.min_bpm},
        ${values.max_bpm}, ${[...values.genres]}::int[], ${sql.json(sources)}, ${expires_at}, ${has_custom_expiry}, now())
      returning upload_song_id`
    if (!added) throw new Error('Song insert returned no id')
    await saveVersionSlots(sql, { upload_song_id: added.upload_song_id, customer_id: customerId }, input.versions)
    return toSaved(sql, added.upload_song_id, ctx.now())
  })
}

/** Changes the member's own song. Throws the errors of `updateSong` in the contract. */
export async function updateSong(
  ctx: UploadContext,
  customerId: number,
  input: ParsedInputOf<typeof uploadedSongs.updateSong>,
): Promise<Saved> {
  const values = toValues(input.songData)
  return ctx.sql.begin(async (sql) => {
    const before = await lockSong(sql, input.entity_id, customerId)
    rejectStale(before, input.version)
    await throwAllErrors([
      () => rejectUnknownGenres(sql, values.genres),
      () => resolveExpiry(ctx, input.songData.expire_date, before),
      () => checkSlots(sql, before, input.versions),
    ])
    const sources = resolveSources(values, await findFileValues(sql, input.versions), 'uploader', {
      values: before,
      sources: before.sources,
    })
    const expiry = resolveExpiry(ctx, input.songData.expire_date, before)
    await updateValues(sql, before.upload_song_id, values, sources, expiry)
    if (expiry.expires_at > ctx.now()) await republish(sql, before)
    await saveVersionSlots(sql, before, input.versions)
    await submit(sql, before.upload_song_id)
    return toSaved(sql, before.upload_song_id, ctx.now())
  })
}

/** Saves the values of a song and increases its version. */
export async function updateValues(
  sql: Sql,
  uploadSongId: number,
  values: Values,
  sources: Sources,
  { expires_at, has_custom_expiry }: Expiry,
): Promise<void> {
  await sql`
    update upload_song set title = ${values.title}, artist = ${values.artist}, year = ${values.year},
      song_key = ${values.song_key}, min_bpm = ${values.min_bpm}, max_bpm = ${values.max_bpm},
      genres = ${[...values.genres]}::int[], sources = ${sql.json(sources)}, version = version + 1,
      reminded_at = case when expires_at = ${expires_at} then reminded_at end,
      expires_at = ${expires_at}, has_custom_expiry = ${has_custom_expiry}
    where upload_song_id = ${uploadSongId}`
}

/** A song that differs from the published one goes into review; one that is the same again leaves review. */
export async function submit(sql: Sql, uploadSongId: number): Promise<void> {
  const differs = (await findDifferences(sql, uploadSongId)).length > 0
  await sql`
    update upload_song set reason = '',
      submitted_at = case when review = 'open' and ${differs} then submitted_at when ${differs} then now() end,
      review = case when ${differs} or entity_id is null then 'open' else 'published' end
    where upload_song_id = ${uploadSongId}`
}

async function toSaved(sql: Sql, uploadSongId: number, now: Date): Promise<Saved> {
  const [saved] = await sql<Saved[]>`
    select s.upload_song_id as entity_id, ${stateOf(sql, now)} as status from upload_song s
    where s.upload_song_id = ${uploadSongId}`
  if (!saved) throw new Error('Song disappeared while it was saved')
  return saved
}

/**
 * Removes a slot from the member's song; its file returns to the container. Throws `unknown_song`, `unknown_version`.
 */
export async function removeVersion(
  { sql: pool }: UploadContext,
  customerId: number,
  { entity_id, song_version_id }: { entity_id: number; song_version_id: number },
): Promise<void> {
  await pool.begin(async (sql) => {
    const song = await lockSong(sql, entity_id, customerId)
    const removed = await sql`
      delete from upload_version where upload_song_id = ${entity_id} and song_version_id = ${song_version_id} returning 1`
    if (removed.length === 0) throw new ApiError('unknown_version', 'This song no longer has that version.')
    await sql`update upload_song set version = version + 1 where upload_song_id = ${song.upload_song_id}`
    await submit(sql, song.upload_song_id)
  })
}

/**
 * Resets the expiry date to the default; an expired song is republished immediately. Throws `unknown_song`, and
 * `song_unpublished` if staff unpublished it.
 */
export async function renewSong(
  ctx: UploadContext,
  customerId: number,
  uploadSongId: number,
): Promise<{ expire_date: string; status: uploadedSongs.SongState }> {
  return ctx.sql.begin(async (sql) => {
    const song = await lockSong(sql, uploadSongId, customerId)
    const expires_at = defaultExpiry(ctx)
    await republish(sql, song)
    await rejectUnpublished(sql, song)
    await sql`
      update upload_song set expires_at = ${expires_at}, has_custom_expiry = false, reminded_at = null, version = version + 1
      where upload_song_id = ${uploadSongId}`
    const { status } = await toSaved(sql, uploadSongId, ctx.now())
    return { expire_date: expires_at.toISOString(), status }
  })
}

/** Republishes an expired song that has a new expiry date, as it was. */
export async function republish(sql: Sql, { upload_song_id, entity_id, expired_at }: OwnSong): Promise<void> {
  if (entity_id === null || expired_at === null) return
  await relistUploaded(sql, { entityId: entity_id, uploadSongId: upload_song_id, at: expired_at })
  await sql`update upload_song set expired_at = null where upload_song_id = ${upload_song_id}`
}

async function rejectUnpublished(sql: Sql, { entity_id }: OwnSong): Promise<void> {
  if (entity_id === null) return
  const [unpublished] = await sql`select 1 from song where entity_id = ${entity_id} and status = 'unpublished'`
  if (unpublished)
    throw new ApiError('song_unpublished', 'Our staff unpublished this song. Contact support for details.')
}

/**
 * Deletes the member's song: it is removed from the pool immediately and permanently, with its files. Members' download
 * histories do not change. Throws `unknown_song`.
 */
export async function deleteSong(
  { sql: pool, now }: UploadContext,
  customerId: number,
  uploadSongId: number,
): Promise<void> {
  await pool.begin(async (sql) => {
    const song = await lockSong(sql, uploadSongId, customerId)
    if (song.entity_id !== null) {
      const songRef = { entityId: song.entity_id, uploadSongId }
      await unpublishUploaded(sql, { ...songRef, at: now() })
      await detachUploaded(sql, songRef)
    }
    await sql`
      update upload set removed_at = now()
      where upload_id in (select upload_id from upload_version where upload_song_id = ${uploadSongId})`
    await sql`delete from upload_version where upload_song_id = ${uploadSongId}`
    await sql`update upload_song set deleted_at = now(), version = version + 1 where upload_song_id = ${uploadSongId}`
  })
}
