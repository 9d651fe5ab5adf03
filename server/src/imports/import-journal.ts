import path from 'node:path'
import type { AppContext } from '../app-context.ts'
import type { Sql } from '../platform/db.ts'
import type { Journal } from './folder-import.ts'
import type { FoundFile } from './folder-walk.ts'
import type { Skipped } from './skipped-files.ts'
import type { SheetReport } from './song-sheet.ts'

/** The files of an import and their outcomes: rows of `import_file`, by path within the folder. */

const nameOf = (folder: string, file: string): string => path.relative(folder, file) || path.basename(file)

/** How many workers may crash while reading a file before it is skipped: its tags are read in the worker itself. */
const MAX_ATTEMPTS = 3
/**
 * A file is analysed in a separate process, whose crash the worker survives. When the worker dies during that time, the
 * server was most likely restarted, so this limit only prevents an endless import.
 */
const MAX_INTERRUPTIONS = 10

/** Records the progress and the outcomes of an import. */
export async function openJournal(sql: Sql, runId: number, folder: string): Promise<Journal> {
  const suspects = await sql<{ path: string }[]>`
    select path from import_file where import_run_id = ${runId} and outcome is null and attempts + interruptions > 0`
  const suspected = new Set(suspects.map((row) => row.path))
  return { ...createOutcomeRecorder(sql, runId, folder), isSuspect: (file) => suspected.has(nameOf(folder, file.path)) }
}

/** Clears the stages of the files of these runs, because they are no longer being processed. */
export async function clearStages(sql: Sql, runIds: readonly number[]): Promise<void> {
  await sql`update import_file set stage = null where import_run_id = any(${[...runIds]}::bigint[]) and stage is not null`
}

/** Skips and names the files during which workers died too often, so that the rest of the import continues. */
export async function skipCrashingFiles({ sql, log }: Pick<AppContext, 'sql' | 'log'>, runId: number): Promise<void> {
  const skipped = await sql<{ path: string }[]>`
    update import_file set outcome = 'skipped', reason = 'analysis failed',
      detail = 'The server stopped ' || greatest(attempts, interruptions) || ' times while working on this file. '
        || 'Check the file, then import it on its own.'
    where import_run_id = ${runId} and outcome is null
      and (attempts >= ${MAX_ATTEMPTS} or interruptions >= ${MAX_INTERRUPTIONS})
    returning path`
  for (const { path: file } of skipped)
    log.error({ import_run_id: runId, file }, 'An import skipped a file that stopped the server repeatedly.')
}

const createOutcomeRecorder = (sql: Sql, runId: number, folder: string): Omit<Journal, 'isSuspect'> => ({
  stage: async (file, stage) => {
    await sql`
      update import_file set stage = ${stage} where import_run_id = ${runId} and path = ${nameOf(folder, file.path)}`
  },
  added: async (sql, version) => {
    const {
      path: file,
      title,
      artist,
      version_label,
      is_new_song,
      note,
      song_version_id,
      found,
      audio_seconds,
    } = version
    await sql`
      update import_file set outcome = 'added', stage = null, reason = '', detail = '', title = ${title}, artist = ${artist},
        version_label = ${version_label}, is_new_song = ${is_new_song}, note = ${note}, song_version_id = ${song_version_id},
        found = coalesce(${found ? sql.json(found) : null}, found), audio_seconds = coalesce(${audio_seconds ?? null}, audio_seconds)
      where import_run_id = ${runId} and path = ${nameOf(folder, file)}`
  },
  skipped: async (skipped) => {
    const { found = null, audio_seconds = null } = skipped
    await recordSkippedFiles(sql, runId, [{ ...skipped, path: nameOf(folder, skipped.path) }])
    await sql`
      update import_file set found = coalesce(${found && sql.json(found)}, found),
        audio_seconds = coalesce(${audio_seconds}::real, audio_seconds, 0)
      where import_run_id = ${runId} and path = ${nameOf(folder, skipped.path)}`
  },
  sheets: async (reports) => recordSheetReports(sql, runId, reports),
})

/** Paths are relative to the folder. */
async function recordSkippedFiles(sql: Sql, runId: number, skipped: readonly Skipped[]): Promise<void> {
  await sql`
    update import_file i set outcome = 'skipped', stage = null, reason = s.reason, detail = s.detail
    from unnest(${skipped.map((item) => item.path)}::text[], ${skipped.map(({ reason }) => reason)}::text[],
      ${skipped.map(({ detail }) => detail)}::text[]) s (path, reason, detail)
    where i.import_run_id = ${runId} and i.path = s.path`
}

const BATCH_SIZE = 2000

const batches = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / BATCH_SIZE) }, (_, n) => all.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE))

/**
 * Records the current content of a folder: new files are added at the end, and missing files without an outcome are
 * skipped. Returns the files without an outcome.
 */
export async function recordFoundFiles(
  sql: Sql,
  { runId, folder }: { runId: number; folder: string },
  found: { files: readonly FoundFile[]; skipped: readonly Skipped[] },
): Promise<FoundFile[]> {
  const skipped = found.skipped.map((item) => ({ ...item, path: nameOf(folder, item.path) }))
  const rows = [
    ...found.files.map(({ path: file, bytes }) => ({ path: nameOf(folder, file), bytes })),
    ...skipped.map((item) => ({ path: item.path, bytes: 0 })),
  ]
  for (const batch of batches(rows)) await recordFileRows(sql, runId, batch)
  for (const batch of batches(skipped)) await recordSkippedFiles(sql, runId, batch)
  const waiting = await listWaitingFiles(sql, runId)
  const existing = new Set(rows.map((row) => row.path))
  const missingFiles = waiting.filter((name) => !existing.has(name))
  for (const batch of batches(missingFiles.map(missingFileSkip))) await recordSkippedFiles(sql, runId, batch)
  const pending = new Set(waiting)
  return found.files.filter(({ path: file }) => pending.has(nameOf(folder, file)))
}

const missingFileSkip = (file: string): Skipped => ({
  path: file,
  reason: 'unreadable',
  detail: 'The file no longer exists.',
})

const recordFileRows = (sql: Sql, runId: number, rows: readonly { path: string; bytes: number }[]) => sql`
  insert into import_file (import_run_id, n, path, bytes)
  select ${runId}, coalesce((select max(n) from import_file where import_run_id = ${runId}), 0) + f.n, f.path, f.bytes
  from unnest(${rows.map((row) => row.path)}::text[], ${rows.map(({ bytes }) => bytes)}::bigint[]) with ordinality f (path, bytes, n)
  on conflict (import_run_id, path) do update set bytes = excluded.bytes`

async function listWaitingFiles(sql: Sql, runId: number): Promise<string[]> {
  const rows = await sql<{ path: string }[]>`
    select path from import_file where import_run_id = ${runId} and outcome is null order by n`
  return rows.map((row) => row.path)
}

export type SentFile = FoundFile & { sha256: string }

/** Returns the files sent by a browser that have no outcome yet; files that were not sent are skipped. */
export async function recordSentFiles(sql: Sql, runId: number): Promise<SentFile[]> {
  await sql`
    update import_file set outcome = 'skipped', reason = 'not uploaded', detail = 'The upload wasn’t completed. Choose the folder again to resume it.'
    where import_run_id = ${runId} and outcome is null and held_sha256 is null`
  return sql<SentFile[]>`
    select path, bytes, encode(held_sha256, 'hex') as sha256 from import_file
    where import_run_id = ${runId} and outcome is null order by n`
}

const MAX_PROBLEMS = 500

/** Records the reports of the sheets next to the files; those of missing sheets are deleted. */
async function recordSheetReports(sql: Sql, runId: number, reports: readonly SheetReport[]): Promise<void> {
  const paths = reports.map((report) => report.path)
  await sql`delete from import_sheet where import_run_id = ${runId} and path <> all(${paths}::text[])`
  for (const { path, files_described, problems } of reports)
    await sql`
      insert into import_sheet (import_run_id, path, files_described, problems)
      values (${runId}, ${path}, ${files_described}, ${sql.json(problems.slice(0, MAX_PROBLEMS))})
      on conflict (import_run_id, path) do update set files_described = excluded.files_described, problems = excluded.problems`
}
