import { quality } from '@dubplate/contract'
import { type QualityFacts, sealOf } from '../analysis/quality-seal.ts'
import { currentSong } from '../catalogue/merged-songs.ts'
import type { Route } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { listComparisons } from '../song-details/comparisons.ts'
import { findVersionSpectrum } from '../song-details/spectrum.ts'
import { staffRead } from './audit.ts'

type SealRow = QualityFacts & { song_version_id: number }

/** Reads the seals of a song's versions in any state. Throws `unknown_song`. */
async function listSeals(sql: Sql, entityId: number) {
  const [song] = await sql`select from song where entity_id = ${entityId}`
  if (!song) throw new ApiError('unknown_song', 'Song not found.')
  const rows = await sql<SealRow[]>`
    select v.song_version_id, f.format, a.analyser_version, a.bitrate_kbps, a.sample_rate, a.bit_depth, a.faults
    from song_version v left join file f using (file_id) left join analysis a using (file_id)
    where v.entity_id = ${entityId} order by v.position, v.song_version_id`
  return rows.map(({ song_version_id, ...facts }) => ({ song_version_id, seal: sealOf(facts) }))
}

/** The quality of files, as staff see it. */
export const qualityRoutes: Route[] = [
  staffRead(quality.getSongQuality, async ({ input, sql }) => {
    const entityId = await currentSong(sql, input.entity_id)
    return { seals: await listSeals(sql, entityId), comparisons: await listComparisons(sql, entityId, 'all') }
  }),
  staffRead(quality.getStaffSpectrum, async ({ input, sql }) => ({
    spectrum: await findVersionSpectrum(sql, input.song_version_id, 'all'),
  })),
]
