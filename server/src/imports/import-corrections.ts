import type { imports, ParsedInputOf } from '@dubplate/contract'
import { findSong, songKeyOf } from '../catalogue/artist-credit.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Correction, FoundDetails } from './file-details.ts'
import { leftOut, nameless } from './file-preparation.ts'
import { withdrawn } from './folder-import.ts'
import { holdImport, readFile, refuseBusy } from './import-runs.ts'
import { PLAIN_VERSION } from './song-entry.ts'
import { parseTitle } from './title.ts'

type CorrectionInput = ParsedInputOf<typeof imports.correctFile>

const FIELDS = ['artist', 'title', 'version_label', 'genre'] as const

/** What staff changed in the preview, by the paths of the files. */
export async function readCorrections(sql: Sql, runId: number) {
  const rows = await sql<{ path: string; correction: Correction | null; is_left_out: boolean }[]>`
    select path, correction, is_left_out from import_file
    where import_run_id = ${runId} and (correction is not null or is_left_out)`
  return {
    corrections: new Map(rows.flatMap(({ path, correction }) => (correction ? [[path, correction] as const] : []))),
    leftOut: new Set(rows.filter(({ is_left_out }) => is_left_out).map(({ path }) => path)),
  }
}

/**
 * Changes a file of a preview, and says what would become of it now. Part of the caller's transaction. Refuses `unknown_import`,
 * `import_in_progress`, `import_finished`, `unknown_file` and `not_editable`.
 */
export async function correctFile(sql: Sql, input: CorrectionInput): Promise<void> {
  const { import_run_id: runId, n } = input
  const run = await holdImport(sql, runId)
  refuseBusy(run)
  if (run.phase === 'import')
    throw new Refusal('import_finished', 'The import has begun. Change the song in the catalogue.')
  const file = await readFile(sql, runId, n)
  if (!file.can_edit || !file.found)
    throw new Refusal('not_editable', 'This file cannot be imported, so it cannot be changed.')
  const correction = correctionOf(file.found, { ...(input.reset ? {} : file.correction), ...chosen(input) })
  const isLeftOut = input.is_left_out ?? (input.reset ? false : file.is_left_out)
  await sql`
    update import_file set correction = ${correction && sql.json(correction)}, is_left_out = ${isLeftOut}
    where import_run_id = ${runId} and n = ${n}`
  await replan(sql, { runId, n, section: run.song_section_id }, { ...file.found, ...correction }, isLeftOut)
  await markNewSongs(sql, { runId, section: run.song_section_id }, [file, { ...file.found, ...correction }])
}

const chosen = (input: CorrectionInput): Correction =>
  Object.fromEntries(FIELDS.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field]]])))

/** What is the same as before, or was emptied and must not be empty, is no correction. */
function correctionOf(found: FoundDetails, changed: Correction): Correction | null {
  const kept = FIELDS.flatMap((field) => {
    const value = changed[field]
      ?.normalize('NFC')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
    const isKept = value !== undefined && value !== found[field] && (value !== '' || field === 'genre')
    return isKept ? [[field, value] as const] : []
  })
  return kept.length > 0 ? Object.fromEntries(kept) : null
}

type FilePlace = { runId: number; n: number; section: number }

async function replan(
  sql: Sql,
  { runId, n, section }: FilePlace,
  details: FoundDetails,
  isLeftOut: boolean,
): Promise<void> {
  const { artist, title, version_label } = details
  const skipped = isLeftOut
    ? leftOut('')
    : !artist || !title
      ? nameless('')
      : await withdrawnSong(sql, section, details)
  const outcome = skipped
    ? { outcome: 'skipped', reason: skipped.reason, detail: skipped.detail, artist: '', title: '', version_label: '' }
    : { outcome: 'added', reason: '', detail: '', artist, title, version_label: version_label || PLAIN_VERSION }
  await sql`
    update import_file set ${sql(outcome)}, note = '', is_new_song = false where import_run_id = ${runId} and n = ${n}`
}

const remixerOf = (title: string) => parseTitle(title).remixer ?? ''

async function withdrawnSong(sql: Sql, section: number, { artist, title }: FoundDetails) {
  const entityId = await findSong(sql, section, { artist, title, remixer: remixerOf(title) })
  if (entityId === undefined) return undefined
  const [song] = await sql<{ status: string }[]>`select status from song where entity_id = ${entityId}`
  return song?.status === 'published' ? undefined : withdrawn('')
}

type Named = { artist: string; title: string }

/** A song is new with the first of its files. Which file that is may have changed for the song before and after the correction. */
async function markNewSongs(
  sql: Sql,
  { runId, section }: Omit<FilePlace, 'n'>,
  changed: readonly Named[],
): Promise<void> {
  const rows = await sql<(Named & { n: number })[]>`
    select n, artist, title from import_file where import_run_id = ${runId} and outcome = 'added' order by n`
  for (const song of changed) {
    const same = rows.filter((row) => songKeyOf(row) === songKeyOf(song)).map(({ n }) => n)
    const known = await findSong(sql, section, { ...song, remixer: remixerOf(song.title) })
    await sql`
      update import_file set is_new_song = ${known === undefined} and n = ${same[0] ?? 0}
      where import_run_id = ${runId} and n = any(${same}::int[])`
  }
}
