import path from 'node:path'
import type { Sql } from '../platform/db.ts'
import type { World } from '../world.ts'
import type { Journal } from './folder-import.ts'
import type { FoundFile } from './folder-walk.ts'
import type { Skipped } from './skipped.ts'
import type { SheetReport } from './song-sheet.ts'

/** The files of an import and what becomes of each: rows of `import_file`, by their paths below the folder. */

const nameOf = (folder: string, file: string): string => path.relative(folder, file) || path.basename(file)

/** A file is skipped once so many workers died while they read it: its tags are read in the worker itself. */
const MOST_ATTEMPTS = 3
/**
 * A file that is being analysed is in a process of its own, whose end the worker survives. When the worker dies then, the
 * server was most likely restarted, so this limit only keeps an import from going on for ever.
 */
const MOST_INTERRUPTIONS = 10

/** Writes an import's progress and outcomes down. */
export async function openJournal(sql: Sql, runId: number, folder: string): Promise<Journal> {
  const suspects = await sql<{ path: string }[]>`
    select path from import_file where import_run_id = ${runId} and outcome is null and attempts + interruptions > 0`
  const suspected = new Set(suspects.map((row) => row.path))
  return { ...outcomesOf(sql, runId, folder), isSuspect: (file) => suspected.has(nameOf(folder, file.path)) }
}

/** Nothing is being done with the files of these runs. */
export async function clearStages(sql: Sql, runIds: readonly number[]): Promise<void> {
  await sql`update import_file set stage = null where import_run_id = any(${[...runIds]}::bigint[]) and stage is not null`
}

/** Skips and names the files that workers died over too often, so that the rest of the import goes on. */
export async function skipDeadly({ sql, log }: Pick<World, 'sql' | 'log'>, runId: number): Promise<void> {
  const skipped = await sql<{ path: string }[]>`
    update import_file set outcome = 'skipped', reason = 'analysis failed',
      detail = 'The server stopped ' || greatest(attempts, interruptions) || ' times while working on this file. '
        || 'Check the file, then import it on its own.'
    where import_run_id = ${runId} and outcome is null
      and (attempts >= ${MOST_ATTEMPTS} or interruptions >= ${MOST_INTERRUPTIONS})
    returning path`
  for (const { path: file } of skipped)
    log.error({ import_run_id: runId, file }, 'An import skipped a file that stopped the server repeatedly.')
}

const outcomesOf = (sql: Sql, runId: number, folder: string): Omit<Journal, 'isSuspect'> => ({
  stage: async (file, stage) => {
    await sql`
      update import_file set stage = ${stage} where import_run_id = ${runId} and path = ${nameOf(folder, file.path)}`
  },
  added: async (sql, added) => {
    const { path: file, title, artist, version_label, is_new_song, note, song_version_id, found, audio_seconds } = added
    await sql`
      update import_file set outcome = 'added', stage = null, reason = '', detail = '', title = ${title}, artist = ${artist},
        version_label = ${version_label}, is_new_song = ${is_new_song}, note = ${note}, song_version_id = ${song_version_id},
        found = coalesce(${found ? sql.json(found) : null}, found), audio_seconds = coalesce(${audio_seconds ?? null}, audio_seconds)
      where import_run_id = ${runId} and path = ${nameOf(folder, file)}`
  },
  skipped: async (skipped) => {
    const { found = null, audio_seconds = null } = skipped
    await noteSkipped(sql, runId, [{ ...skipped, path: nameOf(folder, skipped.path) }])
    await sql`
      update import_file set found = coalesce(${found && sql.json(found)}, found),
        audio_seconds = coalesce(${audio_seconds}::real, audio_seconds, 0)
      where import_run_id = ${runId} and path = ${nameOf(folder, skipped.path)}`
  },
  sheets: async (reports) => noteSheets(sql, runId, reports),
})

/** Paths are those below the folder. */
async function noteSkipped(sql: Sql, runId: number, skipped: readonly Skipped[]): Promise<void> {
  await sql`
    update import_file i set outcome = 'skipped', stage = null, reason = s.reason, detail = s.detail
    from unnest(${skipped.map((each) => each.path)}::text[], ${skipped.map(({ reason }) => reason)}::text[],
      ${skipped.map(({ detail }) => detail)}::text[]) s (path, reason, detail)
    where i.import_run_id = ${runId} and i.path = s.path`
}

const A_BATCH = 2000

const batches = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / A_BATCH) }, (_, n) => all.slice(n * A_BATCH, (n + 1) * A_BATCH))

/**
 * Notes what lies in a folder now: files that are new come last, those that are gone and were waited for are told. Answers
 * those of which nothing has become yet.
 */
export async function noteFound(
  sql: Sql,
  { runId, folder }: { runId: number; folder: string },
  found: { files: readonly FoundFile[]; skipped: readonly Skipped[] },
): Promise<FoundFile[]> {
  const skipped = found.skipped.map((each) => ({ ...each, path: nameOf(folder, each.path) }))
  const rows = [
    ...found.files.map(({ path: file, bytes }) => ({ path: nameOf(folder, file), bytes })),
    ...skipped.map((each) => ({ path: each.path, bytes: 0 })),
  ]
  for (const batch of batches(rows)) await noteRows(sql, runId, batch)
  for (const batch of batches(skipped)) await noteSkipped(sql, runId, batch)
  const waiting = await waitingOf(sql, runId)
  const there = new Set(rows.map((row) => row.path))
  const gone = waiting.filter((name) => !there.has(name))
  for (const batch of batches(gone.map(lost))) await noteSkipped(sql, runId, batch)
  const due = new Set(waiting)
  return found.files.filter(({ path: file }) => due.has(nameOf(folder, file)))
}

const lost = (file: string): Skipped => ({
  path: file,
  reason: 'unreadable',
  detail: 'The file no longer exists.',
})

const noteRows = (sql: Sql, runId: number, rows: readonly { path: string; bytes: number }[]) => sql`
  insert into import_file (import_run_id, n, path, bytes)
  select ${runId}, coalesce((select max(n) from import_file where import_run_id = ${runId}), 0) + f.n, f.path, f.bytes
  from unnest(${rows.map((row) => row.path)}::text[], ${rows.map(({ bytes }) => bytes)}::bigint[]) with ordinality f (path, bytes, n)
  on conflict (import_run_id, path) do update set bytes = excluded.bytes`

async function waitingOf(sql: Sql, runId: number): Promise<string[]> {
  const rows = await sql<{ path: string }[]>`
    select path from import_file where import_run_id = ${runId} and outcome is null order by n`
  return rows.map((row) => row.path)
}

export type SentFile = FoundFile & { sha256: string }

/** What a browser has sent of which nothing has become yet; what has not come is told. */
export async function noteSent(sql: Sql, runId: number): Promise<SentFile[]> {
  await sql`
    update import_file set outcome = 'skipped', reason = 'not uploaded', detail = 'The upload wasn’t completed. Choose the folder again to resume it.'
    where import_run_id = ${runId} and outcome is null and held_sha256 is null`
  return sql<SentFile[]>`
    select path, bytes, encode(held_sha256, 'hex') as sha256 from import_file
    where import_run_id = ${runId} and outcome is null order by n`
}

const MOST_PROBLEMS = 500

/** What was found in the sheets beside the files; those that are no longer there are forgotten. */
async function noteSheets(sql: Sql, runId: number, reports: readonly SheetReport[]): Promise<void> {
  const paths = reports.map((report) => report.path)
  await sql`delete from import_sheet where import_run_id = ${runId} and path <> all(${paths}::text[])`
  for (const { path, files_described, problems } of reports)
    await sql`
      insert into import_sheet (import_run_id, path, files_described, problems)
      values (${runId}, ${path}, ${files_described}, ${sql.json(problems.slice(0, MOST_PROBLEMS))})
      on conflict (import_run_id, path) do update set files_described = excluded.files_described, problems = excluded.problems`
}
