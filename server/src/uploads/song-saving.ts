import { type Day, type ParsedInputOf, parseKey, readTempo, uploadedSongs } from '@dubplate/contract'
import * as z from 'zod/mini'
import { letGoOfUploaded, relistUploaded, withdrawUploaded } from '../catalogue/publication.ts'
import { beginningOf } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parsed.ts'
import { Refusal, refuseTogether } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { differencesOf } from './differences.ts'
import { noSuchSong } from './own-songs.ts'
import { stateOf } from './song-state.ts'
import { type Sources, sourcesOf, type Told, type Values } from './value-sources.ts'
import { checkSlots, NEW_SONG, saveSlots, type WantedSlot } from './version-slots.ts'

const DAY_MS = 24 * 3600 * 1000

type SongData = ParsedInputOf<typeof uploadedSongs.createSong>['songData']
type Saved = { entity_id: number; status: uploadedSongs.SongState }
type Tools = Pick<World, 'sql' | 'now' | 'settings'>

export type OwnSong = Values & {
  upload_song_id: number
  customer_id: number
  entity_id: number | null
  song_section_id: number
  sources: Sources
  review: 'open' | 'published' | 'refused'
  version: number
  expires_at: Date
  expires_picked: boolean
  /** When its days were over; null while it stands in the pool, and where staff took it out. */
  left_at: Date | null
}

/** Locks a song until the end of the transaction. Refuses `unknown_song`; with `customerId` also one of somebody else. */
export async function lockSong(sql: Sql, uploadSongId: number, customerId?: number): Promise<OwnSong> {
  const [song] = await sql<OwnSong[]>`${songQuery(sql, uploadSongId, customerId)} for update`
  if (!song) throw noSuchSong()
  return song
}

/** A song as it is now, not locked; with `customerId` only one of this member. */
export async function findSong(sql: Sql, uploadSongId: number, customerId?: number): Promise<OwnSong | undefined> {
  const [song] = await sql<OwnSong[]>`${songQuery(sql, uploadSongId, customerId)}`
  return song
}

const songQuery = (sql: Sql, uploadSongId: number, customerId: number | undefined) => sql`
  select upload_song_id, customer_id, entity_id, song_section_id, title, artist, year, song_key, min_bpm, max_bpm, genres, sources,
    review, version, expires_at, expires_picked, left_at
  from upload_song where upload_song_id = ${uploadSongId} and deleted_at is null
    and (${customerId ?? null}::bigint is null or customer_id = ${customerId ?? null})`

/** Refuses `conflict` when somebody saved it since it was read. */
export function refuseStale({ version }: Pick<OwnSong, 'version'>, read: number | undefined): void {
  if (read === undefined || read === version) return
  throw new Refusal(
    'conflict',
    'Someone else changed this song while you were editing. Reload to see the changes; your text is still in the form.',
  )
}

/** The values of a form that its call has found good. */
export function valuesOf(data: SongData): Values {
  const tempo = readTempo(data.bpm)
  const key = parseKey(data.song_key)
  if (!tempo || !key) throw new Refusal('invalid_request', 'Enter a valid BPM and key.')
  const genres = [...new Set(data.genres)].sort((a, b) => a - b)
  return { title: data.title, artist: data.artist, year: Number(data.year), song_key: key, ...tempo, genres }
}

/** Refuses `unknown_genre`. */
export async function refuseUnknownGenres(sql: Sql, genres: readonly number[]): Promise<void> {
  const known = await sql`select 1 from genre where genre_id = any(${[...genres]}::int[]) and kind = 'genre'`
  if (known.length === genres.length) return
  const sentence = 'One of these genres no longer exists. Choose again.'
  throw new Refusal('unknown_genre', sentence, { fields: { 'songData.genres': sentence } })
}

type Expiry = { expires_at: Date; expires_picked: boolean }

type Days = Pick<World, 'now' | 'settings'>

const usualEnd = ({ now, settings }: Days): Date => new Date(now().getTime() + settings.uploadDays * DAY_MS)
const isSameDay = (a: Date, b: Date): boolean => a.toISOString().slice(0, 10) === b.toISOString().slice(0, 10)

/**
 * When a song leaves the pool: the picked day; the usual days from now where none is picked; as it was where nothing is
 * said, also where the usual days have changed since.
 * Refuses `date_in_past`.
 */
export function expiryOf(world: Days, picked: Day | null | undefined, before: Expiry | undefined): Expiry {
  if (picked === undefined && before) return { expires_at: before.expires_at, expires_picked: before.expires_picked }
  const usual = before && !before.expires_picked ? before.expires_at : usualEnd(world)
  if (!picked) return { expires_at: usual, expires_picked: false }
  const expires_at = beginningOf(picked)
  // The form shows the usual day; leaving it there picks nothing.
  if (isSameDay(expires_at, usual)) return { expires_at: usual, expires_picked: false }
  if (before && isSameDay(expires_at, before.expires_at)) return before
  if (expires_at > world.now()) return { expires_at, expires_picked: true }
  const sentence = 'This date is in the past. Choose a later date.'
  throw new Refusal('date_in_past', sentence, { fields: { 'songData.expire_date': sentence } })
}

type Given = { entity_id?: unknown; songData?: unknown; versions?: unknown }

/**
 * The checks of a new song, or of a change of one's own, while other fields of it are blank or wrong. Refuses as
 * `createSong` and `updateSong`.
 */
export async function checkSong({ sql, ...world }: Tools, customer_id: number, given: Given): Promise<void> {
  const { genres, expire_date } = uploadedSongs.songData.shape
  const id = parsed(uploadedSongs.updateSong.input.shape.entity_id, given.entity_id)
  const before = id === undefined ? undefined : await findSong(sql, id, customer_id)
  const data = (given.songData ?? {}) as Record<string, unknown>
  const chosen = parsed(genres, data.genres)
  const day = expire_date.safeParse(data.expire_date)
  const slots = parsed(z.array(z.unknown()), given.versions) ?? []
  const owner = { upload_song_id: before?.upload_song_id ?? NEW_SONG, customer_id }
  await refuseTogether([
    () => chosen && refuseUnknownGenres(sql, [...new Set(chosen)]),
    () => day.success && expiryOf(world, day.data, before),
    () =>
      checkSlots(
        sql,
        owner,
        slots.slice(0, MOST_SLOTS).map((slot) => parsed(uploadedSongs.slotInput, slot)),
      ),
  ])
}

/** As many versions as the contract takes; of more, the others are not looked at. */
const MOST_SLOTS = 30

/** What the files of these slots say. */
async function toldBy(sql: Sql, slots: readonly WantedSlot[]): Promise<Told[]> {
  return sql<Told[]>`
    select u.tag, a.bpm, a.song_key from upload u left join analysis a using (file_id)
    where u.upload_id = any(${slots.map(({ song }) => song)}::bigint[])`
}

/** Makes a song of a member's files. Refuses what `createSong` of the contract names. */
export async function createSong(
  world: Tools,
  customerId: number,
  input: ParsedInputOf<typeof uploadedSongs.createSong>,
): Promise<Saved> {
  const values = valuesOf(input.songData)
  return world.sql.begin(async (sql) => {
    await refuseTogether([
      () => refuseUnknownGenres(sql, values.genres),
      () => expiryOf(world, input.songData.expire_date, undefined),
      () => checkSlots(sql, { upload_song_id: NEW_SONG, customer_id: customerId }, input.versions),
    ])
    const sources = sourcesOf(values, await toldBy(sql, input.versions), 'uploader', undefined)
    const { expires_at, expires_picked } = expiryOf(world, input.songData.expire_date, undefined)
    const [added] = await sql<{ upload_song_id: number }[]>`
      insert into upload_song (customer_id, title, artist, year, song_key, min_bpm, max_bpm, genres, sources, expires_at,
        expires_picked, submitted_at)
      values (${customerId}, ${values.title}, ${values.artist}, ${values.year}, ${values.song_key}, ${values.min_bpm},
        ${values.max_bpm}, ${[...values.genres]}::int[], ${sql.json(sources)}, ${expires_at}, ${expires_picked}, now())
      returning upload_song_id`
    if (!added) throw new Error('Song insert returned no id')
    await saveSlots(sql, { upload_song_id: added.upload_song_id, customer_id: customerId }, input.versions)
    return savedAs(sql, added.upload_song_id, world.now())
  })
}

/** Changes one's own song. Refuses what `updateSong` of the contract names. */
export async function updateSong(
  world: Tools,
  customerId: number,
  input: ParsedInputOf<typeof uploadedSongs.updateSong>,
): Promise<Saved> {
  const values = valuesOf(input.songData)
  return world.sql.begin(async (sql) => {
    const before = await lockSong(sql, input.entity_id, customerId)
    refuseStale(before, input.version)
    await refuseTogether([
      () => refuseUnknownGenres(sql, values.genres),
      () => expiryOf(world, input.songData.expire_date, before),
      () => checkSlots(sql, before, input.versions),
    ])
    const sources = sourcesOf(values, await toldBy(sql, input.versions), 'uploader', {
      values: before,
      sources: before.sources,
    })
    const expiry = expiryOf(world, input.songData.expire_date, before)
    await writeValues(sql, before.upload_song_id, values, sources, expiry)
    if (expiry.expires_at > world.now()) await comeBack(sql, before)
    await saveSlots(sql, before, input.versions)
    await submit(sql, before.upload_song_id)
    return savedAs(sql, before.upload_song_id, world.now())
  })
}

/** Writes what a song is to be; its number goes up. */
export async function writeValues(
  sql: Sql,
  uploadSongId: number,
  values: Values,
  sources: Sources,
  { expires_at, expires_picked }: Expiry,
): Promise<void> {
  await sql`
    update upload_song set title = ${values.title}, artist = ${values.artist}, year = ${values.year},
      song_key = ${values.song_key}, min_bpm = ${values.min_bpm}, max_bpm = ${values.max_bpm},
      genres = ${[...values.genres]}::int[], sources = ${sql.json(sources)}, version = version + 1,
      reminded_at = case when expires_at = ${expires_at} then reminded_at end,
      expires_at = ${expires_at}, expires_picked = ${expires_picked}
    where upload_song_id = ${uploadSongId}`
}

/** A song that is not as it stands in the pool waits for staff; one that is again as it stands there waits for nobody. */
export async function submit(sql: Sql, uploadSongId: number): Promise<void> {
  const differs = (await differencesOf(sql, uploadSongId)).length > 0
  await sql`
    update upload_song set reason = '',
      submitted_at = case when review = 'open' and ${differs} then submitted_at when ${differs} then now() end,
      review = case when ${differs} or entity_id is null then 'open' else 'published' end
    where upload_song_id = ${uploadSongId}`
}

async function savedAs(sql: Sql, uploadSongId: number, now: Date): Promise<Saved> {
  const [saved] = await sql<Saved[]>`
    select s.upload_song_id as entity_id, ${stateOf(sql, now)} as status from upload_song s
    where s.upload_song_id = ${uploadSongId}`
  if (!saved) throw new Error('Song disappeared while it was saved')
  return saved
}

/** Takes a slot out of one's song; its file is in the container again. Refuses `unknown_song`, `unknown_version`. */
export async function removeVersion(
  { sql: pool }: Tools,
  customerId: number,
  { entity_id, song_version_id }: { entity_id: number; song_version_id: number },
): Promise<void> {
  await pool.begin(async (sql) => {
    const song = await lockSong(sql, entity_id, customerId)
    const removed = await sql`
      delete from upload_version where upload_song_id = ${entity_id} and song_version_id = ${song_version_id} returning 1`
    if (removed.length === 0) throw new Refusal('unknown_version', 'This song no longer has that version.')
    await sql`update upload_song set version = version + 1 where upload_song_id = ${song.upload_song_id}`
    await submit(sql, song.upload_song_id)
  })
}

/**
 * Its days again from today; an expired song is in the pool again at once. Refuses `unknown_song`, and `song_unpublished`
 * where staff took it out of the pool.
 */
export async function renewSong(
  world: Tools,
  customerId: number,
  uploadSongId: number,
): Promise<{ expire_date: string; status: uploadedSongs.SongState }> {
  return world.sql.begin(async (sql) => {
    const song = await lockSong(sql, uploadSongId, customerId)
    const expires_at = usualEnd(world)
    await comeBack(sql, song)
    await refuseWithdrawn(sql, song)
    await sql`
      update upload_song set expires_at = ${expires_at}, expires_picked = false, reminded_at = null, version = version + 1
      where upload_song_id = ${uploadSongId}`
    const { status } = await savedAs(sql, uploadSongId, world.now())
    return { expire_date: expires_at.toISOString(), status }
  })
}

/** A song whose days were over and that has new ones stands in the pool again, as it stood there. */
export async function comeBack(sql: Sql, { upload_song_id, entity_id, left_at }: OwnSong): Promise<void> {
  if (entity_id === null || left_at === null) return
  await relistUploaded(sql, { entityId: entity_id, uploadSongId: upload_song_id, at: left_at })
  await sql`update upload_song set left_at = null where upload_song_id = ${upload_song_id}`
}

async function refuseWithdrawn(sql: Sql, { entity_id }: OwnSong): Promise<void> {
  if (entity_id === null) return
  const [gone] = await sql`select 1 from song where entity_id = ${entity_id} and status = 'withdrawn'`
  if (gone) throw new Refusal('song_unpublished', 'Our staff unpublished this song. Contact support for details.')
}

/**
 * Deletes one's song: it leaves the pool at once and for good, with its files. What members downloaded stays in their
 * histories. Refuses `unknown_song`.
 */
export async function deleteSong({ sql: pool, now }: Tools, customerId: number, uploadSongId: number): Promise<void> {
  await pool.begin(async (sql) => {
    const song = await lockSong(sql, uploadSongId, customerId)
    if (song.entity_id !== null) {
      const own = { entityId: song.entity_id, uploadSongId }
      await withdrawUploaded(sql, { ...own, at: now() })
      await letGoOfUploaded(sql, own)
    }
    await sql`
      update upload set removed_at = now()
      where upload_id in (select upload_id from upload_version where upload_song_id = ${uploadSongId})`
    await sql`delete from upload_version where upload_song_id = ${uploadSongId}`
    await sql`update upload_song set deleted_at = now(), version = version + 1 where upload_song_id = ${uploadSongId}`
  })
}
