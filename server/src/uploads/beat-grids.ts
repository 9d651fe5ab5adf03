import { beatGrids } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { refreshSongsOfFile } from '../catalogue/version-values.ts'
import { removeGridCorrection, saveGridCorrection } from '../media/beat-grids.ts'
import type { Caller } from '../membership/caller.ts'
import { ApiError, fieldError, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import { createFileUrl } from './file-media.ts'

/** A file whose grid can be corrected; `locked` says why this caller cannot. */
type GridFile = { file_id: number; duration_seconds: number; locked: beatGrids.EditableGrid['locked'] }

/** Finds the file of a version, for staff. Throws `unknown_version` or `file_unavailable`. */
export async function findVersionFile(sql: Sql, songVersionId: number): Promise<GridFile & { entity_id: number }> {
  const [found] = await sql<{ entity_id: number; file_id: number | null; duration_seconds: number }[]>`
    select v.entity_id, v.file_id, coalesce(a.duration_seconds, v.duration_seconds) as duration_seconds
    from song_version v left join analysis a using (file_id) where v.song_version_id = ${songVersionId}`
  if (!found) throw new ApiError('unknown_version', 'Version not found.')
  const { file_id } = found
  if (file_id === null)
    throw new ApiError('file_unavailable', 'This version has no file yet. Play it once to create it.')
  return { ...found, file_id, locked: null }
}

/**
 * Finds the file of a member's upload. It is locked once staff have corrected its grid, and while a version that is not
 * from this member has the same file. Throws `unknown_upload`.
 */
export async function findOwnFile(sql: Sql, customerId: number, uploadId: number): Promise<GridFile> {
  const [found] = await sql<GridFile[]>`
    select u.file_id, a.duration_seconds,
      case when c.corrected_by_kind = 'staff' then 'staff'
        when exists (
          select 1 from song_version v left join upload_song s using (upload_song_id)
          where v.file_id = u.file_id and s.customer_id is distinct from u.customer_id) then 'shared' end as locked
    from upload u join analysis a using (file_id) left join beat_grid_correction c using (file_id)
    where u.upload_id = ${uploadId} and u.customer_id = ${customerId} and u.removed_at is null`
  if (!found) throw new ApiError('unknown_upload', 'File not found. It may have been deleted, or not analysed yet.')
  return found
}

type Measured = NonNullable<beatGrids.EditableGrid['measured']>
type StoredCorrection = NonNullable<beatGrids.EditableGrid['correction']>

/** Reads the measured grid of a file, however uncertain, and its correction. */
export async function readEditableGrid(
  ctx: AppContext,
  caller: Caller,
  { file_id, duration_seconds, locked }: GridFile,
  sql: Sql = ctx.sql,
): Promise<beatGrids.EditableGrid> {
  const [[measured], [correction]] = await Promise.all([
    sql<Measured[]>`
      select bpm, first_downbeat_seconds, beat_confidence, downbeat_confidence, tempo_changes <> '[]' as has_tempo_changes,
        coalesce((select jsonb_agg(cue - 'bar' order by n) from jsonb_array_elements(cues) with ordinality as c (cue, n)), '[]') as cues
      from beat_grid where file_id = ${file_id}`,
    sql<(Omit<StoredCorrection, 'at'> & { at: Date })[]>`
      select bpm, first_downbeat_seconds, cues, corrected_by_kind as by_kind, coalesce(dj_name, '') as by, corrected_at as at
      from beat_grid_correction left join customer on customer_id = corrected_by where file_id = ${file_id}`,
  ])
  return {
    ...{ duration_seconds, locked, measured: measured ?? null },
    correction: correction ? { ...correction, at: correction.at.toISOString() } : null,
    mp3: createFileUrl(ctx, caller, file_id, 'preview.mp3'),
    peaks: createFileUrl(ctx, caller, file_id, 'peaks.bin'),
  }
}

/** Throws errors for the fields of a correction that are outside of the file. Other fields may be invalid. */
export function rejectOutsideFile(
  { duration_seconds }: GridFile,
  rawInput: { first_downbeat_seconds?: unknown; cues?: unknown },
): Promise<void> {
  const { shape } = beatGrids.correctGrid.input
  return throwAllErrors([
    () => {
      if ((parsed(shape.first_downbeat_seconds, rawInput.first_downbeat_seconds) ?? 0) >= duration_seconds)
        throw fieldError(
          'invalid_request',
          'first_downbeat_seconds',
          'The first downbeat must be before the end of the file.',
        )
    },
    () => {
      if (parsed(shape.cues, rawInput.cues)?.some(({ at_seconds }) => at_seconds >= duration_seconds))
        throw fieldError('invalid_request', 'cues', 'Cue points must be before the end of the file.')
    },
  ])
}

/** The same for the input of a request of staff, which has not been parsed. */
export async function checkCorrection(
  sql: Sql,
  rawInput: { song_version_id?: unknown; first_downbeat_seconds?: unknown; cues?: unknown },
): Promise<void> {
  const versionId = parsed(beatGrids.correctGrid.input.shape.song_version_id, rawInput.song_version_id)
  if (versionId !== undefined) await rejectOutsideFile(await findVersionFile(sql, versionId), rawInput)
}

/** The same for that of a member. */
export async function checkOwnCorrection(
  sql: Sql,
  customerId: number,
  rawInput: { upload_id?: unknown; first_downbeat_seconds?: unknown; cues?: unknown },
): Promise<void> {
  const uploadId = parsed(beatGrids.correctOwnGrid.input.shape.upload_id, rawInput.upload_id)
  if (uploadId !== undefined) await rejectOutsideFile(await findOwnFile(sql, customerId, uploadId), rawInput)
}

const LOCKED = {
  staff: 'Staff have corrected this beat grid, so you can’t change it. Contact support if it’s wrong.',
  shared: 'This file is also in a song that isn’t yours, so you can’t change its beat grid.',
}

function rejectLocked({ locked }: GridFile): void {
  if (locked) throw new ApiError('not_editable', LOCKED[locked])
}

/** Saves a member's correction, in the caller's transaction. Throws `not_editable`, also when staff have saved theirs at the same moment. */
export async function correctOwnGrid(
  sql: Sql,
  customerId: number,
  { upload_id, ...correction }: beatGrids.Correction & { upload_id: number },
): Promise<void> {
  const file = await findOwnFile(sql, customerId, upload_id)
  rejectLocked(file)
  await rejectOutsideFile(file, correction)
  const isSaved = await saveGridCorrection(sql, file.file_id, correction, { kind: 'uploader', customer_id: customerId })
  if (!isSaved) rejectLocked({ ...file, locked: 'staff' })
  await refreshSongsOfFile(sql, file.file_id)
}

/** Removes a member's correction, in the caller's transaction. Throws `not_editable`. */
export async function removeOwnCorrection(sql: Sql, customerId: number, uploadId: number): Promise<void> {
  const file = await findOwnFile(sql, customerId, uploadId)
  rejectLocked(file)
  await removeGridCorrection(sql, file.file_id, { kind: 'uploader' })
  await refreshSongsOfFile(sql, file.file_id)
}
