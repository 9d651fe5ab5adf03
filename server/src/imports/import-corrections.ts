import type { imports, ParsedInputOf } from '@dubplate/contract'
import { findSong, songKeyOf } from '../catalogue/artist-credit.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { Correction, DetectedDetails } from './file-details.ts'
import { excluded, unnamedSkip } from './file-preparation.ts'
import { unpublishedSkip } from './folder-import.ts'
import { lockImport, readFile, rejectBusy } from './import-runs.ts'
import { PLAIN_VERSION } from './song-entry.ts'
import { parseTitle } from './title-parser.ts'

type CorrectionInput = ParsedInputOf<typeof imports.correctFile>

const FIELDS = ['artist', 'title', 'version_label', 'genre'] as const

/** Returns the changes by staff in the preview, by file path. */
export async function readCorrections(sql: Sql, runId: number) {
  const rows = await sql<{ path: string; correction: Correction | null; is_excluded: boolean }[]>`
    select path, correction, is_excluded from import_file
    where import_run_id = ${runId} and (correction is not null or is_excluded)`
  return {
    corrections: new Map(rows.flatMap(({ path, correction }) => (correction ? [[path, correction] as const] : []))),
    excluded: new Set(rows.filter(({ is_excluded }) => is_excluded).map(({ path }) => path)),
  }
}

/**
 * Changes a file of a preview and updates its outcome, in the caller's transaction. Throws `unknown_import`,
 * `import_in_progress`, `import_finished`, `unknown_file` and `not_editable`.
 */
export async function correctFile(sql: Sql, input: CorrectionInput): Promise<void> {
  const { import_run_id: runId, n } = input
  const run = await lockImport(sql, runId)
  rejectBusy(run)
  if (run.phase === 'import')
    throw new ApiError('import_finished', 'The import has already started. Edit the song in the catalogue.')
  const file = await readFile(sql, runId, n)
  if (!file.can_edit || !file.found)
    throw new ApiError('not_editable', 'This file can’t be imported, so it can’t be edited.')
  const correction = diffCorrection(file.found, { ...(input.reset ? {} : file.correction), ...pickCorrection(input) })
  const isExcluded = input.is_excluded ?? (input.reset ? false : file.is_excluded)
  await sql`
    update import_file set correction = ${correction && sql.json(correction)}, is_excluded = ${isExcluded}
    where import_run_id = ${runId} and n = ${n}`
  await resetPlan(sql, { runId, n, section: run.song_section_id }, { ...file.found, ...correction }, isExcluded)
  await flagNewSongs(sql, { runId, section: run.song_section_id }, [file, { ...file.found, ...correction }])
}

const pickCorrection = (input: CorrectionInput): Correction =>
  Object.fromEntries(FIELDS.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field]]])))

/** A value that did not change, or an empty one for a required field, is not a correction. */
function diffCorrection(detected: DetectedDetails, changed: Correction): Correction | null {
  const changedFields = FIELDS.flatMap((field) => {
    const value = changed[field]
      ?.normalize('NFC')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
    const isStored = value !== undefined && value !== detected[field] && (value !== '' || field === 'genre')
    return isStored ? [[field, value] as const] : []
  })
  return changedFields.length > 0 ? Object.fromEntries(changedFields) : null
}

type ImportFileRef = { runId: number; n: number; section: number }

async function resetPlan(
  sql: Sql,
  { runId, n, section }: ImportFileRef,
  details: DetectedDetails,
  isExcluded: boolean,
): Promise<void> {
  const { artist, title, version_label } = details
  const skippedOutcome = isExcluded
    ? excluded('')
    : !artist || !title
      ? unnamedSkip('')
      : await findUnpublishedSong(sql, section, details)
  const outcome = skippedOutcome
    ? {
        outcome: 'skipped',
        reason: skippedOutcome.reason,
        detail: skippedOutcome.detail,
        artist: '',
        title: '',
        version_label: '',
      }
    : { outcome: 'added', reason: '', detail: '', artist, title, version_label: version_label || PLAIN_VERSION }
  await sql`
    update import_file set ${sql(outcome)}, note = '', is_new_song = false where import_run_id = ${runId} and n = ${n}`
}

const parseRemixer = (title: string) => parseTitle(title).remixer ?? ''

async function findUnpublishedSong(sql: Sql, section: number, { artist, title }: DetectedDetails) {
  const entityId = await findSong(sql, section, { artist, title, remixer: parseRemixer(title) })
  if (entityId === undefined) return undefined
  const [song] = await sql<{ status: string }[]>`select status from song where entity_id = ${entityId}`
  return song?.status === 'published' ? undefined : unpublishedSkip('')
}

type ArtistAndTitle = { artist: string; title: string }

/** The first file of a song makes it new. Which file that is can change for the song before and after a correction. */
async function flagNewSongs(
  sql: Sql,
  { runId, section }: Omit<ImportFileRef, 'n'>,
  changed: readonly ArtistAndTitle[],
): Promise<void> {
  const rows = await sql<(ArtistAndTitle & { n: number })[]>`
    select n, artist, title from import_file where import_run_id = ${runId} and outcome = 'added' order by n`
  for (const song of changed) {
    const same = rows.filter((row) => songKeyOf(row) === songKeyOf(song)).map(({ n }) => n)
    const known = await findSong(sql, section, { ...song, remixer: parseRemixer(song.title) })
    await sql`
      update import_file set is_new_song = ${known === undefined} and n = ${same[0] ?? 0}
      where import_run_id = ${runId} and n = any(${same}::int[])`
  }
}
