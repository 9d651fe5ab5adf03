import type { Analyser } from '../analysis/analyser.ts'
import type { AppContext } from '../app-context.ts'
import type { TagEncoding } from '../audio-files/text-encoding.ts'
import { ApiError } from '../platform/api-error.ts'
import { isDatabaseUnavailable, type Sql } from '../platform/db.ts'
import { NotStoredError } from '../platform/storage.ts'
import { planImport } from './dry-run.ts'
import { type ImportOptions, importFolder } from './folder-import.ts'
import { type FoundFile, findAudio } from './folder-walk.ts'
import { readCorrections } from './import-corrections.ts'
import { openPlace } from './import-folders.ts'
import { clearStages, openJournal, recordFoundFiles, recordSentFiles, skipCrashingFiles } from './import-journal.ts'
import { resetOutcomes } from './import-runs.ts'
import { createFolderCovers } from './uploaded-covers.ts'
import { deleteSentFiles } from './uploaded-files.ts'
import { listSentSheets } from './uploaded-sheets.ts'

/** How often a worker sends a heartbeat for its import; after the second interval without one it is considered dead. */
const HEARTBEAT_INTERVAL_MS = 3000
const CLAIM_TIMEOUT_SECONDS = 60

type Claimed = {
  import_run_id: number
  source: 'folder' | 'browser'
  folder: string
  song_section_id: 1 | 2
  genre: string
  pattern: string
  tag_encoding: TagEncoding
  phase: 'plan' | 'import'
  turn: number
}

export type Workers = { analyser?: Analyser; jobs: number; childPath: string; signal: AbortSignal }

/**
 * Processes the import that has waited longest, or one whose worker died. Returns false when there is none. If the
 * process is killed at any point, imported files are stored and recorded, and another worker continues with the rest.
 */
export async function processNextRun(ctx: AppContext, workers: Workers): Promise<boolean> {
  await clearSurvivedRuns(ctx)
  const claimed = await claim(ctx.sql)
  if (!claimed) return false
  await runClaimed(ctx, claimed, workers)
  return true
}

/** Runs of this process that lost the database connection. Their files were in progress, but no worker died. */
const survivedRuns = new WeakMap<AppContext, Set<number>>()

function markRunSurvived(ctx: AppContext, runId: number): void {
  survivedRuns.set(ctx, new Set(survivedRuns.get(ctx)).add(runId))
}

async function clearSurvivedRuns(ctx: AppContext): Promise<void> {
  const runs = survivedRuns.get(ctx)
  if (!runs) return
  await clearStages(ctx.sql, [...runs])
  survivedRuns.delete(ctx)
}

/**
 * Claims the import that has waited longest, or one whose worker died. In the second case the same statement counts an
 * attempt for each file that the worker was processing, and for no other.
 */
async function claim(sql: Sql): Promise<Claimed | undefined> {
  const [claimed] = await sql<Claimed[]>`
    with chosen as (
      select import_run_id, state = 'running' as is_abandoned from import_run
      where state = 'waiting' or state = 'running' and updated_at < now() - make_interval(secs => ${CLAIM_TIMEOUT_SECONDS})
      order by import_run_id limit 1 for update skip locked),
    counted as (
      update import_file f set stage = null, attempts = attempts + (stage = 'reading')::int,
        interruptions = interruptions + (stage = 'analysing')::int
      from chosen c where f.import_run_id = c.import_run_id and c.is_abandoned and f.stage is not null)
    update import_run r set state = 'running', turn = turn + 1, updated_at = now(), started_at = coalesce(started_at, now())
    from chosen c where r.import_run_id = c.import_run_id
    returning r.import_run_id, source, folder, song_section_id, genre, pattern, tag_encoding, phase, turn`
  return claimed
}

type RunOutcome = 'done' | 'stopped' | 'failed' | 'waiting'

/** Returns false if another worker has claimed the import since; then this one must not end it. */
async function finishRun(
  sql: Sql,
  { import_run_id, turn }: Claimed,
  state: RunOutcome,
  failureReason = '',
): Promise<boolean> {
  const finished = await sql`
    update import_run set state = ${state}, error_message = ${failureReason}, is_stopping = false, updated_at = now(),
      ended_at = case when ${state} <> 'waiting' then now() end
    where import_run_id = ${import_run_id} and turn = ${turn} and state = 'running'`
  if (finished.count === 0) return false
  await clearStages(sql, [import_run_id])
  return true
}

async function runClaimed(ctx: AppContext, claimed: Claimed, workers: Workers): Promise<void> {
  const { sql, log } = ctx
  const stopping = new AbortController()
  const heartbeatTimer = setInterval(() => {
    sendHeartbeat(sql, claimed).then(
      ({ isStopping }) => {
        if (isStopping) stopping.abort()
      },
      (error) => log.warn(error, 'Could not send the heartbeat of an import'),
    )
  }, HEARTBEAT_INTERVAL_MS)
  try {
    const signal = AbortSignal.any([workers.signal, stopping.signal])
    await run(ctx, claimed, { ...workers, signal })
    const wasAborted = signal.aborted
    const isFinished = await finishRun(
      sql,
      claimed,
      !wasAborted ? 'done' : stopping.signal.aborted ? 'stopped' : 'waiting',
    )
    if (isFinished && !wasAborted && claimed.phase === 'import') await deleteSentFiles(ctx, claimed.import_run_id)
  } catch (error) {
    // While the database is unavailable, nothing can be recorded: a worker continues later.
    if (isDatabaseUnavailable(error)) {
      markRunSurvived(ctx, claimed.import_run_id)
      throw error
    }
    log.error({ err: error, import_run_id: claimed.import_run_id }, 'Import failed')
    await finishRun(sql, claimed, 'failed', failureMessage(error))
  } finally {
    clearInterval(heartbeatTimer)
  }
}

/** A worker whose import was claimed by another one must stop. */
async function sendHeartbeat(sql: Sql, { import_run_id, turn }: Claimed): Promise<{ isStopping: boolean }> {
  const [run] = await sql<{ is_stopping: boolean }[]>`
    update import_run set updated_at = now() where import_run_id = ${import_run_id} and turn = ${turn} and state = 'running'
    returning is_stopping`
  return { isStopping: run?.is_stopping ?? true }
}

function failureMessage(error: unknown): string {
  if (error instanceof ApiError) return error.message
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full. Free up space, then continue.'
  if (code === 'STORE_AWAY') return 'Storage isn’t responding. Continue when it’s available again.'
  return 'The import stopped unexpectedly. Files already imported are kept. Continue the import; if it happens again, check the server log.'
}

async function run(ctx: AppContext, claimed: Claimed, workers: Workers): Promise<void> {
  const { import_run_id: runId, phase, genre, pattern, song_section_id: section } = claimed
  // An earlier plan depends on state that was kept in memory, so planning starts again.
  if (phase === 'plan') await resetOutcomes(ctx.sql, runId)
  await skipCrashingFiles(ctx, runId)
  const { folder, ...files } =
    claimed.source === 'folder' ? await readFolderSource(ctx, claimed) : await readSentSource(ctx, claimed)
  const options: ImportOptions = {
    ...{ folder, section, ...(genre ? { genre } : {}), ...(pattern ? { pattern } : {}), ...files },
    ...(await readCorrections(ctx.sql, runId)),
    encoding: claimed.tag_encoding,
    ...{ jobs: workers.jobs, childPath: workers.childPath, signal: workers.signal },
    ...(workers.analyser ? { analyser: workers.analyser } : {}),
    journal: await openJournal(ctx.sql, runId, folder),
  }
  if (phase === 'plan') await planImport(ctx, options)
  else await importFolder(ctx, options)
}

type ImportSource = Required<Pick<ImportOptions, 'folder' | 'files' | 'sheets'>> &
  Pick<ImportOptions, 'open' | 'folderCover'>

async function readFolderSource(
  ctx: AppContext,
  { import_run_id: runId, folder: named }: Claimed,
): Promise<ImportSource> {
  const { folder, within } = await openPlace(ctx, named)
  const foundAudio = await findAudio(folder, { within })
  return { folder, files: await recordFoundFiles(ctx.sql, { runId, folder }, foundAudio), sheets: foundAudio.sheets }
}

async function readSentSource(ctx: AppContext, { import_run_id: runId }: Claimed): Promise<ImportSource> {
  const { sql, storage } = ctx
  const files = await recordSentFiles(sql, runId)
  const contents = new Map(files.map(({ path, sha256 }) => [path, sha256]))
  const open = async ({ path }: FoundFile) => {
    const sha256 = contents.get(path)
    if (sha256 === undefined) throw new NotStoredError('audio', path)
    return storage.onDisk('audio', sha256)
  }
  return {
    folder: '',
    files,
    sheets: await listSentSheets(sql, runId),
    open,
    folderCover: createFolderCovers(ctx, runId),
  }
}
