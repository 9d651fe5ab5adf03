import { beatGrids } from '@dubplate/contract'
import { refreshSongsOfFile } from '../catalogue/version-values.ts'
import { removeGridCorrection, saveGridCorrection } from '../media/beat-grids.ts'
import type { Route } from '../membership/caller.ts'
import { checkCorrection, findVersionFile, readEditableGrid, rejectOutsideFile } from '../uploads/beat-grids.ts'
import { staffRead, staffWrite } from './audit.ts'

/** The parts of a grid that the audit log names. */
const toEntry = (correction: beatGrids.EditableGrid['correction']) =>
  correction
    ? { bpm: correction.bpm, first_downbeat_seconds: correction.first_downbeat_seconds, cues: correction.cues.length }
    : {}

const kind = 'staff'

/** Corrections of beat grids by staff. */
export const beatGridRoutes: Route[] = [
  staffRead(beatGrids.getGrid, async ({ input, ctx, member, sql }) => ({
    grid: await readEditableGrid(ctx, member, await findVersionFile(sql, input.song_version_id)),
  })),
  staffWrite(
    beatGrids.correctGrid,
    { action: 'beat grid corrected' },
    async ({ input: { song_version_id, ...correction }, ctx, member, staff_id, sql }) => {
      const file = await findVersionFile(sql, song_version_id)
      await rejectOutsideFile(file, correction)
      const before = await readEditableGrid(ctx, member, file, sql)
      await saveGridCorrection(sql, file.file_id, correction, { kind, customer_id: staff_id })
      await refreshSongsOfFile(sql, file.file_id)
      const grid = await readEditableGrid(ctx, member, file, sql)
      return {
        ...{ reply: { grid }, subject: `song ${file.entity_id}`, before: toEntry(before.correction) },
        after: { ...toEntry(grid.correction), song_version_id },
      }
    },
    { alsoCheck: (given, { sql }) => checkCorrection(sql, given) },
  ),
  staffWrite(
    beatGrids.removeCorrection,
    { action: 'beat grid correction removed' },
    async ({ input: { song_version_id }, ctx, member, sql }) => {
      const file = await findVersionFile(sql, song_version_id)
      const before = await readEditableGrid(ctx, member, file, sql)
      await removeGridCorrection(sql, file.file_id, { kind })
      await refreshSongsOfFile(sql, file.file_id)
      return {
        ...{ reply: { grid: { ...before, correction: null } }, subject: `song ${file.entity_id}` },
        ...{ before: toEntry(before.correction), after: { song_version_id } },
      }
    },
  ),
]
