import { addVersion, countNewSong, findOrAddSong, listSong, type NewSong } from '../src/catalogue/additions.ts'
import type { Pool } from '../src/platform/db.ts'

export type PlainSong = NewSong & { genres?: number[]; versions?: string[] }

/**
 * Adds published songs whose versions have no files, in the given order, for tests with many songs and no playback.
 * Returns their ids.
 */
export const addPlainSongs = (pool: Pool, songs: readonly PlainSong[]): Promise<number[]> =>
  pool.begin(async (sql) => {
    const ids: number[] = []
    for (const { genres = [], versions = [], ...song } of songs) {
      const { entity_id } = await findOrAddSong(sql, song)
      for (const [position, label] of versions.entries())
        await addVersion(sql, entity_id, {
          label,
          position,
          recipe: { seed: position },
          recipe_bytes: 1,
          duration_seconds: 1,
        })
      await countNewSong(sql, song.song_section_id ?? 1)
      await listSong(sql, entity_id, genres)
      ids.push(entity_id)
    }
    return ids
  })
