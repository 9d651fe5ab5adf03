import type { Pool, Sql } from '../platform/db.ts'
import { mostConfidentAnalysis } from './completion.ts'
import { editSongs } from './song-edits.ts'
import type { LockedSong, Values } from './song-values.ts'

/** The measurements of a file that are stored with each version that has it. */
export type NewMeasurements = { duration_seconds: number; loudness_lufs: number; wave: string; tag: object }

/** Stores the new measurements of a file with its versions. Part of the caller's transaction. */
export async function updateVersions(sql: Sql, fileId: number, measurements: NewMeasurements): Promise<void> {
  const { duration_seconds, loudness_lufs, wave, tag } = measurements
  await sql`
    update song_version set duration_seconds = ${duration_seconds}, loudness_lufs = ${loudness_lufs}, wave = ${wave},
      tag = ${sql.json(tag as never)}
    where file_id = ${fileId}`
}

/** A genre of the song that has this file, as a hint for its tempo. */
export async function genreOfFile(sql: Sql, fileId: number): Promise<string | undefined> {
  const [genre] = await sql<{ name: string }[]>`
    select g.name from song_version v join song_genre sg using (entity_id) join genre g using (genre_id)
    where v.file_id = ${fileId} and g.kind = 'genre' order by g.parent_id is null, g.position, g.genre_id limit 1`
  return genre?.name
}

/**
 * Sets the tempo and key of a file's songs from its new analysis, if their current values come only from an analysis.
 */
export async function applyReanalysis(pool: Pool, fileId: number, staffId: number | null): Promise<void> {
  const songs = await pool<{ entity_id: number }[]>`
    select distinct entity_id from song_version where file_id = ${fileId}`
  if (songs.length === 0) return
  await editSongs(pool, { kind: 'analysed', staff_id: staffId, songs, wanted: remeasuredValues })
}

async function remeasuredValues(sql: Sql, { entity_id, values }: LockedSong): Promise<Values> {
  const { bpm, song_key } = await mostConfidentAnalysis(sql, entity_id)
  const wanted: Values = {}
  if (bpm !== null && (values.bpm[2] ?? 'analysis') === 'analysis') wanted.bpm = [bpm, bpm, 'analysis']
  if (song_key !== null && (values.song_key[1] ?? 'analysis') === 'analysis') wanted.song_key = [song_key, 'analysis']
  return wanted
}
