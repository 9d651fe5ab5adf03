import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { downloadProfiles, downloads, type InputOf, playlists } from '@dubplate/contract'
import { expect } from 'vitest'
import { importFolder } from '../server/src/imports/folder-import.ts'
import type { Pool } from '../server/src/platform/db.ts'
import { aGenre, aMember } from '../server/test/makers.ts'
import type { TestPool } from '../server/test/pool.ts'
import { unzip } from '../server/test/unzip.ts'
import { inProcessAnalyser } from '../server/test/upload-makers.ts'
import { plainTitle } from './make-audio.ts'
import { ADDED_AT, GENRES, type KitSong, secondsOfBeat } from './songs.ts'

/** The ids that a song has in the test pool. */
type StoredVersion = { entity_id: number; song_version_id: number; file_id: number }

/** Imports the audio files, and then stores what the songs say about each. Returns the ids of the songs in their order. */
export async function fillPool({ ctx }: TestPool, folder: string, songs: readonly KitSong[]): Promise<number[]> {
  const { signal } = new AbortController()
  const options = { folder, section: 1 as const, jobs: 1, childPath: '', signal, analyser: inProcessAnalyser }
  const { skipped, songs_added } = await importFolder(ctx, options)
  expect([skipped, songs_added]).toEqual([[], songs.length])
  const genres = new Map<string, number>()
  for (const name of GENRES.toSorted()) genres.set(name, await aGenre(ctx, name))
  const ids: number[] = []
  for (const song of songs) {
    const [version] = await ctx.sql<StoredVersion[]>`
      select entity_id, song_version_id, file_id from song join song_version using (entity_id)
      where song.title = ${plainTitle(song.number)}`
    if (!version) throw new Error(`Song ${song.number} was not imported.`)
    const genreIds = song.genres.map((name) => genres.get(name)!)
    await storeValues(ctx.sql, version, song, genreIds)
    await storeGrid(ctx.sql, version, song)
    ids.push(version.entity_id)
  }
  return ids
}

/** As staff save them; written directly, because what forms accept is not what is compared here. */
async function storeValues(
  sql: Pool,
  { entity_id, song_version_id }: StoredVersion,
  { title, artist, album, label, isrc, remixer, year, bpm, song_key, version_label }: KitSong,
  genreIds: number[],
): Promise<void> {
  await sql`
    update song set ${sql({ title, artist, album, label, isrc, remixer, year, created_at: ADDED_AT })}
    where entity_id = ${entity_id}`
  await sql`
    update song_version set ${sql({ version_label, bpm, bpm_source: 'staff', song_key, key_source: 'staff' })}
    where song_version_id = ${song_version_id}`
  await sql`delete from song_genre where entity_id = ${entity_id}`
  await sql`insert into song_genre ${sql(genreIds.map((genre_id) => ({ entity_id, genre_id })))}`
}

/** A measured grid: its tempos are known from a later beat on, and its cues are in no order. */
async function storeGrid(sql: Pool, { file_id }: StoredVersion, song: KitSong): Promise<void> {
  const { rhythm, cues, energy } = song
  const { first_beat_seconds, beat_of_bar } = rhythm
  const [{ bpm }, ...changes] = rhythm.tempos
  const barSeconds = (4 * 60) / bpm
  const laterBars = changes.length > 0 ? 0 : song.number % 3
  const grid = {
    file_id,
    bpm,
    first_downbeat_seconds: first_beat_seconds + ((5 - beat_of_bar) % 4) * (60 / bpm) + laterBars * barSeconds,
    beat_confidence: 1,
    downbeat_confidence: 1,
    tempo_changes: sql.json(changes.length > 0 ? tempoChanges(song) : []),
    cues: sql.json(cues.toReversed().map(({ kind, seconds }) => ({ bar: 0, kind, at_seconds: seconds }))),
    energy,
  }
  await sql`delete from beat_grid where file_id = ${file_id}`
  await sql`insert into beat_grid ${sql(grid)}`
}

const MEASURED_FROM_BEAT = 3
/** Beats of a measurement are counted from any of them. */
const BEAT_NUMBER = 100

function tempoChanges({ rhythm: { first_beat_seconds, tempos } }: KitSong) {
  return tempos.map(({ from_beat, bpm }, n) => {
    const beat = n === 0 ? MEASURED_FROM_BEAT : from_beat
    return { beat: BEAT_NUMBER + beat, at_seconds: first_beat_seconds + secondsOfBeat(tempos, beat), bpm }
  })
}

export type KitProfile = {
  form: 'nfc' | 'nfd'
  key_notation: 'musical' | 'camelot'
  folder_template: string
}

/** One list with all songs in another order than that of the import. */
export const PLAYLIST_TITLE = 'Crate & <"Ä🔥"> %% #'

const COMMENT_TEMPLATE = '{camelot} - Energy {energy} & <more>'

export type KitFiles = Map<string, Buffer>

/** The programs whose kits are compared; Traktor's in both of its versions. */
export const KIT_KINDS = ['rekordbox', 'traktor', 'traktor4', 'serato', 'virtualdj', 'mixxx'] as const
export type KitKind = (typeof KIT_KINDS)[number]

/** Downloads the kit of a playlist with these songs for each program, as one member. */
export async function downloadKits(
  pool: TestPool,
  songIds: number[],
  { profile, musicFolder }: { profile: KitProfile; musicFolder: string },
): Promise<Record<KitKind, KitFiles>> {
  const { token } = await aMember(pool.ctx)
  const { playlist } = await pool.ask(playlists.savePlaylist, { title: PLAYLIST_TITLE, song_ids: songIds }, token)
  const source = { playlist_id: playlist.playlist_id }
  const kits: [KitKind, KitFiles][] = []
  for (const kind of KIT_KINDS) {
    const software = kind === 'traktor4' ? 'traktor' : kind
    const input: InputOf<typeof downloadProfiles.saveProfile> = {
      ...{ name: `For ${kind}`, system: 'linux', software, music_folder: musicFolder, rating: 'energy' },
      ...{ folder_template: profile.folder_template, unicode_form: profile.form, key_notation: profile.key_notation },
      ...{ comment_template: COMMENT_TEMPLATE, traktor_volume: '', traktor_version: kind === 'traktor4' ? 4 : 3 },
    }
    const { profile_id } = (await pool.ask(downloadProfiles.saveProfile, input, token)).profile
    const { url, files } = await pool.ask(downloads.downloadBoothKit, { software, source, profile_id }, token)
    expect(files).toBe(songIds.length)
    const { rawPayload, statusCode } = await pool.app.inject({ method: 'GET', url, remoteAddress: '203.0.113.7' })
    expect(statusCode).toBe(200)
    kits.push([kind, await unzip(rawPayload)])
  }
  return Object.fromEntries(kits) as Record<KitKind, KitFiles>
}

/** Unpacks the files of a kit into a folder. */
export function unpack(files: KitFiles, folder: string): void {
  for (const [name, bytes] of files) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
}
