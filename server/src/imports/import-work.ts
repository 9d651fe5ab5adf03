import type { Analyser } from '../audio/analyser.ts'
import { databaseIsAway, type Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { NotStoredError } from '../platform/storage.ts'
import type { World } from '../world.ts'
import { planImport } from './dry-run.ts'
import { type ImportOptions, importFolder } from './folder-import.ts'
import { type FoundFile, findAudio } from './folder-walk.ts'
import { readCorrections } from './import-corrections.ts'
import { clearStages, noteFound, noteSent, openJournal, skipDeadly } from './import-journal.ts'
import { openPlace } from './import-places.ts'
import { forgetOutcomes } from './import-runs.ts'
import { coversOfFolders } from './sent-covers.ts'
import { dropSent } from './sent-files.ts'
import { sentSheets } from './sent-sheets.ts'

/** Whoever works on an import says so this often; who has been silent for the second of these is taken to be gone. */
const SIGN_OF_LIFE_MS = 3000
const GONE_AFTER_SECONDS = 60

type Claimed = {
  import_run_id: number
  source: 'folder' | 'browser'
  folder: string
  song_section_id: 1 | 2
  genre: string
  pattern: string
  phase: 'plan' | 'import'
  turn: number
}

export type Workers = { analyser?: Analyser; jobs: number; childPath: string; signal: AbortSignal }

/**
 * Works on the import that has waited longest, or on one whose worker is gone. Answers false when none waits. Killed at any
 * line, what came in is in and written down, and another goes on with the rest.
 */
export async function workOnNext(world: World, workers: Workers): Promise<boolean> {
  await forgetSurvived(world)
  const claimed = await claim(world.sql)
  if (!claimed) return false
  await work(world, claimed, workers)
  return true
}

/** Runs of this process that the database was lost to. Their files were under way, but no worker died. */
const survivedRuns = new WeakMap<World, Set<number>>()

function rememberSurvived(world: World, runId: number): void {
  survivedRuns.set(world, new Set(survivedRuns.get(world)).add(runId))
}

async function forgetSurvived(world: World): Promise<void> {
  const runs = survivedRuns.get(world)
  if (!runs) return
  await clearStages(world.sql, [...runs])
  survivedRuns.delete(world)
}

/**
 * Takes the import that has waited longest, or one whose worker died. In the second case the same statement counts an
 * attempt for each file that the worker had under way, and for no other.
 */
async function claim(sql: Sql): Promise<Claimed | undefined> {
  const [claimed] = await sql<Claimed[]>`
    with chosen as (
      select import_run_id, state = 'running' as is_abandoned from import_run
      where state = 'waiting' or state = 'running' and touched_at < now() - make_interval(secs => ${GONE_AFTER_SECONDS})
      order by import_run_id limit 1 for update skip locked),
    counted as (
      update import_file f set stage = null, attempts = attempts + (stage = 'reading')::int,
        interruptions = interruptions + (stage = 'analysing')::int
      from chosen c where f.import_run_id = c.import_run_id and c.is_abandoned and f.stage is not null)
    update import_run r set state = 'running', turn = turn + 1, touched_at = now(), started_at = coalesce(started_at, now())
    from chosen c where r.import_run_id = c.import_run_id
    returning r.import_run_id, source, folder, song_section_id, genre, pattern, phase, turn`
  return claimed
}

type Ending = 'done' | 'stopped' | 'failed' | 'waiting'

/** False where another one has taken the import up meanwhile: it is not ours to end. */
async function end(sql: Sql, { import_run_id, turn }: Claimed, state: Ending, trouble = ''): Promise<boolean> {
  const ended = await sql`
    update import_run set state = ${state}, trouble = ${trouble}, is_stopping = false, touched_at = now(),
      ended_at = case when ${state} <> 'waiting' then now() end
    where import_run_id = ${import_run_id} and turn = ${turn} and state = 'running'`
  if (ended.count === 0) return false
  await clearStages(sql, [import_run_id])
  return true
}

async function work(world: World, claimed: Claimed, workers: Workers): Promise<void> {
  const { sql, log } = world
  const stopping = new AbortController()
  const alive = setInterval(() => {
    sendHeartbeat(sql, claimed).then(
      ({ isStopping }) => {
        if (isStopping) stopping.abort()
      },
      (error) => log.warn(error, 'Could not send the heartbeat of an import'),
    )
  }, SIGN_OF_LIFE_MS)
  try {
    const signal = AbortSignal.any([workers.signal, stopping.signal])
    await run(world, claimed, { ...workers, signal })
    const isLeft = signal.aborted
    const isEnded = await end(sql, claimed, !isLeft ? 'done' : stopping.signal.aborted ? 'stopped' : 'waiting')
    if (isEnded && !isLeft && claimed.phase === 'import') await dropSent(world, claimed.import_run_id)
  } catch (error) {
    // Away with the database nothing can be said: somebody takes it up when it is back.
    if (databaseIsAway(error)) {
      rememberSurvived(world, claimed.import_run_id)
      throw error
    }
    log.error({ err: error, import_run_id: claimed.import_run_id }, 'Import failed')
    await end(sql, claimed, 'failed', whyOf(error))
  } finally {
    clearInterval(alive)
  }
}

/** A worker that has lost its turn to another one must stop. */
async function sendHeartbeat(sql: Sql, { import_run_id, turn }: Claimed): Promise<{ isStopping: boolean }> {
  const [run] = await sql<{ is_stopping: boolean }[]>`
    update import_run set touched_at = now() where import_run_id = ${import_run_id} and turn = ${turn} and state = 'running'
    returning is_stopping`
  return { isStopping: run?.is_stopping ?? true }
}

function whyOf(error: unknown): string {
  if (error instanceof Refusal) return error.message
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full. Free up space, then continue.'
  if (code === 'STORE_AWAY') return 'Storage isn’t responding. Continue when it’s available again.'
  return 'The import stopped unexpectedly. Files already imported are kept. Continue the import; if it happens again, check the server log.'
}

async function run(world: World, claimed: Claimed, workers: Workers): Promise<void> {
  const { import_run_id: runId, phase, genre, pattern, song_section_id: section } = claimed
  // What was planned before does not stand without what was remembered while it was.
  if (phase === 'plan') await forgetOutcomes(world.sql, runId)
  await skipDeadly(world, runId)
  const { folder, ...files } =
    claimed.source === 'folder' ? await inFolder(world, claimed) : await sentBy(world, claimed)
  const options: ImportOptions = {
    ...{ folder, section, ...(genre ? { genre } : {}), ...(pattern ? { pattern } : {}), ...files },
    ...(await readCorrections(world.sql, runId)),
    ...{ jobs: workers.jobs, childPath: workers.childPath, signal: workers.signal },
    ...(workers.analyser ? { analyser: workers.analyser } : {}),
    journal: await openJournal(world.sql, runId, folder),
  }
  if (phase === 'plan') await planImport(world, options)
  else await importFolder(world, options)
}

type Files = Required<Pick<ImportOptions, 'folder' | 'files' | 'sheets'>> & Pick<ImportOptions, 'open' | 'folderCover'>

async function inFolder(world: World, { import_run_id: runId, folder: named }: Claimed): Promise<Files> {
  const { folder, within } = await openPlace(world, named)
  const found = await findAudio(folder, { within })
  return { folder, files: await noteFound(world.sql, { runId, folder }, found), sheets: found.sheets }
}

async function sentBy(world: World, { import_run_id: runId }: Claimed): Promise<Files> {
  const { sql, storage } = world
  const files = await noteSent(sql, runId)
  const contents = new Map(files.map(({ path, sha256 }) => [path, sha256]))
  const open = async ({ path }: FoundFile) => {
    const sha256 = contents.get(path)
    if (sha256 === undefined) throw new NotStoredError('audio', path)
    return storage.onDisk('audio', sha256)
  }
  return { folder: '', files, sheets: await sentSheets(sql, runId), open, folderCover: coversOfFolders(world, runId) }
}
