import type { Analysis } from '../analysis/analysis.ts'
import type { Sql } from '../platform/db.ts'

/** Stores the beats, bars, sections and cue points of a file. A file without a beat has no grid. */
export async function saveBeatGrid(
  sql: Sql,
  fileId: number,
  { structure, energy }: Pick<Analysis, 'structure' | 'energy'>,
): Promise<void> {
  if (!structure) return
  const { grid, sections, cues } = structure
  await sql`
    insert into beat_grid (file_id, bpm, first_downbeat_seconds, beat_confidence, downbeat_confidence, tempo_changes, sections, cues,
      energy)
    values (${fileId}, ${grid.bpm}, ${grid.first_downbeat_seconds}, ${grid.beat_confidence}, ${grid.downbeat_confidence},
      ${sql.json(grid.tempo_changes)}, ${sql.json(sections)}, ${sql.json(cues)}, ${energy})`
}
