import { imports, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { EMPTY_QUEUE, type QueueLength } from '../platform/job-queue.ts'
import type { SkipReason } from './skipped-files.ts'

/** Imports of the back office as stored in the database; import-worker.ts processes them. */

type Run = imports.ImportRun
type RunRow = Omit<Run, 'started_by' | 'created_at' | 'started_at' | 'ended_at' | 'reasons' | 'sheets'> & {
  by_id: number | null
  by_name: string | null
  created_at: Date
  started_at: Date | null
  ended_at: Date | null
  reasons: Run['reasons'] | null
  sheets: Run['sheets'] | null
}

const RUNS_PER_PAGE = 20

/** Counts the imports that wait for a worker, run or failed. */
export async function measureImportQueue(sql: Sql): Promise<QueueLength> {
  const [length] = await sql<QueueLength[]>`
    select count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'running')::int as running,
      count(*) filter (where state = 'failed')::int as failed,
      min(updated_at) filter (where state = 'waiting') as waiting_since
    from import_run where state in ('waiting', 'running', 'failed')`
  return length ?? EMPTY_QUEUE
}

const findRuns = (sql: Sql, condition: ReturnType<Sql>) => sql<RunRow[]>`
  select r.import_run_id, r.source, r.folder, r.song_section_id, r.genre, r.pattern, r.tag_encoding, r.phase, r.state, r.error_message, r.created_at, r.started_at,
    r.ended_at, r.started_by as by_id, c.dj_name as by_name, f.files, f.bytes, f.files_uploaded, f.files_done, f.bytes_done,
    f.audio_seconds, f.audio_seconds_done,
    f.songs_added, f.versions_added, f.skipped, f.noted,
    (select json_agg(json_build_object('reason', reason, 'files', n) order by n desc, reason) from (
      select reason, count(*)::int as n from import_file i
      where i.import_run_id = r.import_run_id and outcome = 'skipped' group by reason) counted) as reasons,
    (select json_agg(json_build_object('path', path, 'files_described', files_described, 'problems', problems) order by path)
      from import_sheet s where s.import_run_id = r.import_run_id) as sheets
  from import_run r left join customer c on c.customer_id = r.started_by
  cross join lateral (
    select sum(audio_seconds) / nullif(sum(bytes), 0) as seconds_a_byte from import_file i
    where i.import_run_id = r.import_run_id and audio_seconds > 0) k
  cross join lateral (
    select count(*)::int as files, coalesce(sum(bytes), 0)::bigint as bytes,
      (count(*) filter (where held_sha256 is not null or outcome is not null))::int as files_uploaded,
      (count(*) filter (where outcome is not null))::int as files_done,
      coalesce(sum(bytes) filter (where outcome is not null), 0)::bigint as bytes_done,
      coalesce(sum(coalesce(i.audio_seconds, i.bytes * k.seconds_a_byte)), 0)::float as audio_seconds,
      coalesce(sum(coalesce(i.audio_seconds, i.bytes * k.seconds_a_byte)) filter (where outcome is not null), 0)::float
        as audio_seconds_done,
      (count(*) filter (where is_new_song))::int as songs_added,
      (count(*) filter (where outcome = 'added'))::int as versions_added,
      (count(*) filter (where outcome = 'skipped'))::int as skipped, (count(*) filter (where note <> ''))::int as noted
    from import_file i where i.import_run_id = r.import_run_id) f
  where r.import_run_id in (${condition}) order by r.import_run_id desc`

const toImportRun = ({ by_id, by_name, created_at, started_at, ended_at, reasons, sheets, ...run }: RunRow): Run => ({
  ...run,
  reasons: reasons ?? [],
  sheets: sheets ?? [],
  started_by: by_id === null ? null : { customer_id: by_id, dj_name: by_name ?? '' },
  created_at: created_at.toISOString(),
  started_at: started_at?.toISOString() ?? null,
  ended_at: ended_at?.toISOString() ?? null,
})

const unknownImportError = () => new ApiError('unknown_import', 'This import no longer exists.')

/** Throws `unknown_import`. */
export async function readImport(sql: Sql, runId: number): Promise<Run> {
  const [run] = await findRuns(sql, sql`select ${runId}::bigint`)
  if (!run) throw unknownImportError()
  return toImportRun(run)
}

export async function listImports(sql: Sql, page: number) {
  const [rows, [counted]] = await Promise.all([
    findRuns(
      sql,
      sql`select import_run_id from import_run order by import_run_id desc limit ${RUNS_PER_PAGE} offset ${(page - 1) * RUNS_PER_PAGE}`,
    ),
    sql<{ n: number }[]>`select count(*)::int as n from import_run`,
  ])
  return {
    imports: rows.map(toImportRun),
    pagination: { page, perPageLimit: RUNS_PER_PAGE, totalCount: counted?.n ?? 0 },
  }
}

type StartImportOptions = {
  source: 'folder' | 'browser'
  folder: string
  song_section_id: number
  genre: string
  pattern: string
  tag_encoding: imports.TagEncoding
  staff_id: number
}

/** Starts an import. A folder on the server is scanned at once, a folder sent by a browser after its upload. */
export async function startImport(
  sql: Sql,
  { source, folder, song_section_id, genre, pattern, tag_encoding, staff_id }: StartImportOptions,
): Promise<number> {
  const [run] = await sql<{ import_run_id: number }[]>`
    insert into import_run (source, folder, song_section_id, genre, pattern, tag_encoding, state, started_by)
    values (${source}, ${folder}, ${song_section_id}, ${genre}, ${pattern}, ${tag_encoding},
      ${source === 'folder' ? 'waiting' : 'uploading'}, ${staff_id})
    returning import_run_id`
  if (!run) throw new Error('Import insert returned no id')
  return run.import_run_id
}

export type LockedRun = Pick<Run, 'import_run_id' | 'source' | 'folder' | 'song_section_id' | 'phase' | 'state'>

/** Locks an import until the end of the transaction. Throws `unknown_import`. */
export async function lockImport(sql: Sql, runId: number): Promise<LockedRun> {
  const [run] = await sql<LockedRun[]>`
    select import_run_id, source, folder, song_section_id, phase, state from import_run
    where import_run_id = ${runId} for update`
  if (!run) throw unknownImportError()
  return run
}

/** Throws `import_in_progress` and `import_finished`. */
export function rejectBusy({ phase, state }: LockedRun): void {
  if (state === 'waiting' || state === 'running')
    throw new ApiError('import_in_progress', 'This import is still running. Wait until it finishes or stop it first.')
  if (phase === 'import' && state === 'done')
    throw new ApiError('import_finished', 'This import has already finished. Start a new one.')
}

/** Throws `import_finished` for an import that accepts no more files. */
export function rejectSent({ source, phase, state }: LockedRun): void {
  const isOpen =
    source === 'browser' && (state === 'uploading' || (phase === 'plan' && (state === 'done' || state === 'stopped')))
  if (!isOpen) throw new ApiError('import_finished', 'No more files can be added to this import. Start a new one.')
}

export type IncomingFile = { import_run_id: number; import_file: number }

/**
 * Checks before the upload whether a file belongs to an import, and returns its path. Throws `unknown_import`,
 * `import_finished` and `unexpected_file`.
 */
export async function rejectUnannounced(sql: Sql, { import_run_id, import_file }: IncomingFile): Promise<string> {
  const [run] = await sql<(LockedRun & { name: string | null })[]>`
    select r.import_run_id, r.source, r.folder, r.song_section_id, r.phase, r.state, i.path as name
    from import_run r left join import_file i on i.import_run_id = r.import_run_id and i.n = ${import_file}
    where r.import_run_id = ${import_run_id}`
  if (!run) throw unknownImportError()
  if (run.state !== 'uploading') rejectSent({ ...run, state: 'running' })
  if (run.name === null) throw new ApiError('unexpected_file', 'Unexpected file.')
  return run.name
}

/**
 * Queues an import for a new scan or for importing; one that was stopped while importing resumes. Runs in the caller's
 * transaction, which must have locked the import.
 */
export async function queueRun(sql: Sql, { import_run_id, phase }: LockedRun, next: 'plan' | 'import'): Promise<void> {
  const continuesImport = phase === 'import' && next === 'import'
  if (!continuesImport) await resetOutcomes(sql, import_run_id)
  if (next === 'plan') await deleteAttempts(sql, import_run_id)
  await sql`
    update import_run set phase = ${continuesImport ? 'import' : next}, state = 'waiting', is_stopping = false, error_message = '',
      started_at = case when ${continuesImport} then started_at end, ended_at = null, updated_at = now()
    where import_run_id = ${import_run_id}`
}

/** Changes how the tags are read, before a new scan. */
export const setTagEncoding = (sql: Sql, runId: number, encoding: imports.TagEncoding) => sql`
  update import_run set tag_encoding = ${encoding} where import_run_id = ${runId}`

/** Files that were in the catalogue before they were sent keep their outcome. */
export const resetOutcomes = (sql: Sql, runId: number) => sql`
  update import_file set outcome = null, reason = '', detail = '', title = '', artist = '', version_label = '', is_new_song = false,
    song_version_id = null, note = ''
  where import_run_id = ${runId} and outcome is not null
    and (held_sha256 is not null or reason = 'not uploaded' or (select source from import_run where import_run_id = ${runId}) = 'folder')`

const deleteAttempts = (sql: Sql, runId: number) => sql`
  update import_file set attempts = 0, interruptions = 0 where import_run_id = ${runId} and attempts + interruptions > 0`

/** Asks the worker to stop; without a worker it stops at once. Runs in the transaction that locked the import. */
export async function stopRun(sql: Sql, { import_run_id, state }: LockedRun): Promise<void> {
  if (state !== 'waiting' && state !== 'running')
    throw new ApiError('import_finished', 'This import is no longer running.')
  await sql`
    update import_run set is_stopping = state = 'running',
      state = case when state = 'waiting' then 'stopped' else state end,
      ended_at = case when state = 'waiting' then now() end
    where import_run_id = ${import_run_id}`
}

type ListFilesParams = ParsedInputOf<typeof imports.getImportFiles>

const filterCondition = (sql: Sql, { import_run_id, outcome, reason, search }: Omit<ListFilesParams, 'page'>) => {
  const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql`
    i.import_run_id = ${import_run_id}
    ${outcome === 'noted' ? sql`and i.note <> ''` : outcome === 'waiting' ? sql`and i.outcome is null` : outcome ? sql`and i.outcome = ${outcome}` : sql``}
    ${reason ? sql`and i.reason = ${reason}` : sql``}
    ${search ? sql`and (i.path ilike ${part} or i.title ilike ${part} or i.artist ilike ${part})` : sql``}`
}

/** A file skipped for one of these reasons can be imported once staff change its details. */
const EDITABLE_REASONS = ['missing artist or title', 'unpublished', 'left out'] as const satisfies SkipReason[]

const importFileColumns = (sql: Sql) => sql`
  i.n, i.path, i.bytes, i.outcome, i.reason, i.detail, i.title, i.artist, i.version_label, i.is_new_song, v.entity_id, i.note,
  i.found, i.correction, i.is_excluded, (r.phase = 'plan' and r.state in ('done', 'stopped', 'failed') and i.found is not null
    and (i.outcome = 'added' or i.reason = any(${[...EDITABLE_REASONS]}))) as can_edit`

/** One page of the files of an import, in the order of the folder. Throws `unknown_import`. */
export async function listFiles(sql: Sql, params: ListFilesParams): Promise<ReplyOf<typeof imports.getImportFiles>> {
  const limit = imports.IMPORT_FILES_PER_PAGE
  await readImport(sql, params.import_run_id)
  const [files, [counted]] = await Promise.all([
    sql<imports.ImportFile[]>`
      select ${importFileColumns(sql)} from import_file i join import_run r using (import_run_id) left join song_version v using (song_version_id)
      where ${filterCondition(sql, params)} order by i.n limit ${limit} offset ${(params.page - 1) * limit}`,
    sql<{ n: number }[]>`select count(*)::int as n from import_file i where ${filterCondition(sql, params)}`,
  ])
  return { files: [...files], pagination: { page: params.page, perPageLimit: limit, totalCount: counted?.n ?? 0 } }
}

/** One file of an import. Throws `unknown_file`. */
export async function readFile(sql: Sql, runId: number, n: number): Promise<imports.ImportFile> {
  const [file] = await sql<imports.ImportFile[]>`
    select ${importFileColumns(sql)} from import_file i join import_run r using (import_run_id) left join song_version v using (song_version_id)
    where i.import_run_id = ${runId} and i.n = ${n}`
  if (!file) throw new ApiError('unknown_file', 'This file is not part of the import.')
  return file
}

const BATCH_SIZE = 1000

/** Reads all files in batches, so that a slow client does not occupy a database connection. */
export async function* readFiles(sql: Sql, runId: number): AsyncGenerator<imports.ImportFile> {
  for (let after = 0; ; ) {
    const rows: imports.ImportFile[] = await sql<imports.ImportFile[]>`
      select ${importFileColumns(sql)} from import_file i join import_run r using (import_run_id) left join song_version v using (song_version_id)
      where i.import_run_id = ${runId} and i.n > ${after} order by i.n limit ${BATCH_SIZE}`
    yield* rows
    after = rows.at(-1)?.n ?? after
    if (rows.length < BATCH_SIZE) return
  }
}
