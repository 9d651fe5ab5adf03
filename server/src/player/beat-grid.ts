import type { beatGrids, player } from '@dubplate/contract'
import { RELIABLE } from '../analysis/confidence.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

type MeasuredGrid = Omit<player.BeatGrid, 'first_downbeat_seconds' | 'first_beat_seconds'> & {
  first_downbeat_seconds: number
  beat_confidence: number
  downbeat_confidence: number
}
/** All values are null without a measured grid, or without a correction. */
type GridRow = (MeasuredGrid | Record<keyof MeasuredGrid, null>) & { correction: beatGrids.Correction | null }

/** The columns of a {@link GridRow}, with `g` for the measured grid and `c` for its correction. */
const gridColumns = (sql: Sql) => sql`
  g.bpm, g.first_downbeat_seconds, g.beat_confidence, g.downbeat_confidence, g.tempo_changes, g.sections, g.cues, g.energy,
  case when c.file_id is not null then
    jsonb_build_object('bpm', c.bpm, 'first_downbeat_seconds', c.first_downbeat_seconds, 'cues', c.cues) end as correction`

/** Reads the grid of a published version: see {@link reliableGrid}. Throws `unknown_version`. */
export async function findBeatGrid(sql: Sql, songVersionId: number): Promise<player.BeatGrid | null> {
  const [row] = await sql<GridRow[]>`
    select ${gridColumns(sql)} from song_version v join song s using (entity_id) left join beat_grid g using (file_id)
      left join beat_grid_correction c using (file_id)
    where v.song_version_id = ${songVersionId} and v.status = 'published' and s.status = 'published'`
  if (!row) throw new ApiError('unknown_version', 'Version not found. The song may have changed; reload the page.')
  return reliableGrid(row)
}

/** Reads the grids of files, without those that are null: see {@link reliableGrid}. */
export async function findBeatGrids(sql: Sql, fileIds: readonly number[]): Promise<Map<number, player.BeatGrid>> {
  const rows = await sql<(GridRow & { file_id: number })[]>`
    select f.file_id, ${gridColumns(sql)} from file f left join beat_grid g using (file_id)
      left join beat_grid_correction c using (file_id)
    where f.file_id = any(${[...fileIds]}::bigint[])`
  return new Map(
    rows.flatMap(({ file_id, ...row }) => {
      const grid = reliableGrid(row)
      return grid ? [[file_id, grid]] : []
    }),
  )
}

/**
 * The beats, bars, sections and cue points of a file. A correction is used as it is. Of a measured grid only what is
 * right in nine of ten files is returned: without reliable bars the beats alone, without reliable beats null.
 */
function reliableGrid({ correction, ...measured }: GridRow): player.BeatGrid | null {
  if (correction) return correctedGrid(correction, measured.bpm === null ? undefined : measured)
  if (measured.bpm === null || measured.beat_confidence < RELIABLE) return null
  const { beat_confidence, downbeat_confidence, first_downbeat_seconds, ...grid } = measured
  const hasBars = downbeat_confidence >= RELIABLE
  return {
    ...grid,
    first_downbeat_seconds: hasBars ? first_downbeat_seconds : null,
    first_beat_seconds: first_downbeat_seconds % (60 / grid.bpm),
    sections: hasBars ? grid.sections : [],
    cues: hasBars ? grid.cues : [],
  }
}

/** Tempos that differ by less have the same bars, only at other times. */
const SAME_TEMPO = 0.01
const BEATS_PER_BAR = 4

/** The grid of a correction, with the measured sections at its nearest bar lines if the tempo is the same. */
function correctedGrid(
  { bpm, first_downbeat_seconds, cues }: beatGrids.Correction,
  measured: MeasuredGrid | undefined,
): player.BeatGrid {
  const bar_seconds = (BEATS_PER_BAR * 60) / bpm
  const nearestBar = (seconds: number) => Math.round((seconds - first_downbeat_seconds) / bar_seconds)
  const hasSameTempo = measured !== undefined && Math.abs(measured.bpm / bpm - 1) <= SAME_TEMPO
  const moved = (hasSameTempo ? measured.sections : []).map((section) => ({
    ...section,
    bar: nearestBar(section.start_seconds),
  }))
  return {
    ...{ bpm, first_downbeat_seconds, tempo_changes: [] },
    first_beat_seconds: first_downbeat_seconds % (60 / bpm),
    sections: moved.flatMap((section, i) => {
      const bars = (moved[i + 1]?.bar ?? section.bar + section.bars) - section.bar
      const start_seconds = Math.max(0, first_downbeat_seconds + section.bar * bar_seconds)
      return bars > 0 ? [{ ...section, bars, start_seconds }] : []
    }),
    cues: cues.map(({ kind, at_seconds }) => ({ bar: nearestBar(at_seconds), kind, at_seconds })),
    energy: measured?.energy ?? null,
  }
}
