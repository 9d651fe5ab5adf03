import type { beatGrids } from '@dubplate/contract'
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

/** Who corrects a grid. */
export type Corrector = { kind: 'uploader' | 'staff'; customer_id: number }

/**
 * Stores a correction of a file's grid in place of an earlier one. Returns false if it is an uploader's and staff have
 * corrected the grid.
 */
export async function saveGridCorrection(
  sql: Sql,
  fileId: number,
  { bpm, first_downbeat_seconds, cues }: beatGrids.Correction,
  { kind, customer_id }: Corrector,
): Promise<boolean> {
  const inOrder = cues.toSorted((a, b) => a.at_seconds - b.at_seconds)
  const { count } = await sql`
    insert into beat_grid_correction as c (file_id, bpm, first_downbeat_seconds, cues, corrected_by_kind, corrected_by)
    values (${fileId}, ${bpm}, ${first_downbeat_seconds}, ${sql.json(inOrder)}, ${kind}, ${customer_id})
    on conflict (file_id) do update set bpm = excluded.bpm, first_downbeat_seconds = excluded.first_downbeat_seconds,
      cues = excluded.cues, corrected_by_kind = excluded.corrected_by_kind, corrected_by = excluded.corrected_by, corrected_at = now()
    where c.corrected_by_kind = 'uploader' or excluded.corrected_by_kind = 'staff'`
  return count > 0
}

/** Removes the correction of a file's grid; an uploader cannot remove that of staff. */
export const removeGridCorrection = (sql: Sql, fileId: number, { kind }: Pick<Corrector, 'kind'>) =>
  sql`delete from beat_grid_correction where file_id = ${fileId} and (corrected_by_kind = 'uploader' or ${kind} = 'staff')`
