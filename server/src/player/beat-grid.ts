import type { player } from '@dubplate/contract'
import { RELIABLE } from '../analysis/confidence.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

type GridRow = Omit<player.BeatGrid, 'first_downbeat_seconds' | 'first_beat_seconds'> & {
  first_downbeat_seconds: number
  beat_confidence: number
  downbeat_confidence: number
}
/** A version whose file has no grid. */
type WithoutGrid = { [column in keyof GridRow]: null }

/**
 * Reads the beats, bars, sections and cue points of a published version. Only what is right in nine of ten files is
 * returned: without reliable bars the beats alone, without reliable beats null. Throws `unknown_version`.
 */
export async function findBeatGrid(sql: Sql, songVersionId: number): Promise<player.BeatGrid | null> {
  const [row] = await sql<(GridRow | WithoutGrid)[]>`
    select g.bpm, g.first_downbeat_seconds, g.beat_confidence, g.downbeat_confidence, g.tempo_changes, g.sections, g.cues, g.energy
    from song_version v join song s using (entity_id) left join beat_grid g using (file_id)
    where v.song_version_id = ${songVersionId} and v.status = 'published' and s.status = 'published'`
  if (!row) throw new ApiError('unknown_version', 'Version not found. The song may have changed; reload the page.')
  if (row.bpm === null || row.beat_confidence < RELIABLE) return null
  const { beat_confidence, downbeat_confidence, first_downbeat_seconds, ...grid } = row
  const hasBars = downbeat_confidence >= RELIABLE
  return {
    ...grid,
    first_downbeat_seconds: hasBars ? first_downbeat_seconds : null,
    first_beat_seconds: first_downbeat_seconds % (60 / grid.bpm),
    sections: hasBars ? grid.sections : [],
    cues: hasBars ? grid.cues : [],
  }
}
