import type { Pool, Sql } from '../platform/db.ts'
import { withDerived } from './derived-values.ts'
import { editSongs } from './song-edits.ts'
import { refreshTempoAndKey } from './version-values.ts'

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
 * Sets the tempo and key of a file's versions from its new analysis, as far as they come from one, and those of other
 * versions that depend on them.
 */
export async function applyReanalysis(pool: Pool, fileId: number, staffId: number | null): Promise<void> {
  const songs = await pool<{ entity_id: number }[]>`
    select distinct entity_id from song_version where file_id = ${fileId}`
  if (songs.length === 0) return
  await editSongs(pool, { kind: 'analysed', staff_id: staffId, songs, wanted: (_sql, song) => withDerived(song, {}) })
  // A new confidence alone is not an edit.
  for (const { entity_id } of songs) await pool.begin((sql) => refreshTempoAndKey(sql, entity_id))
}
