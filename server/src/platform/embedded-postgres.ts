import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import type { Pool } from './db.ts'
import { DiskFullError, DiskGuard } from './disk-guard.ts'
import { findBinaries, moveIfMissing, reachableBinaries } from './embedded-binaries.ts'
import {
  claimFolder,
  makeTraversable,
  rejectForeign,
  type SystemAccount,
  socketFolder,
  unprivilegedAccount,
} from './embedded-folders.ts'
import { databaseSettings, readMachine } from './embedded-settings.ts'
import { ErrorOutput } from './error-output.ts'
import type { Log } from './log.ts'
import { outages } from './outage.ts'
import { findPostmaster, removeStaleLocks } from './postmaster.ts'
import { repeatEvery } from './repeat-every.ts'

/** PostgreSQL as a child process, on a Unix socket only. */
export type EmbeddedPostgres = {
  socketDir: string
  /** True if a server started by an earlier run was still running and is now used. */
  isAdopted: boolean
  /** Ends the server, unless another process of this pool is still using it. */
  stop(): Promise<void>
}

const WATCH_INTERVAL_MS = 2000
/** Crash recovery on a busy machine takes a while. */
const START_TIMEOUT_MS = 90_000
/** An incomplete cluster this old belongs to a run that was killed. */
const ABANDONED_AFTER_MS = 600_000

/**
 * Starts (or adopts) the database of a data folder. Handles what a plain spawn does not: root, unreadable binaries,
 * missing symlinks, a killed initdb, a server orphaned by a killed run. Throws an Error that says what to do.
 */
export async function startEmbeddedPostgres(dataDir: string, log: Log): Promise<EmbeddedPostgres> {
  const account = unprivilegedAccount()
  const home = path.join(dataDir, 'postgres')
  const cluster = path.join(home, 'cluster')
  const socketDir = socketFolder(home)
  if (path.dirname(socketDir) !== home) rejectForeign(socketDir, account)
  for (const folder of [home, socketDir]) claimFolder(folder, account)
  makeTraversable(home, account)
  const guard = new DiskGuard(home, log)
  const binariesFolder = reachableBinaries(findBinaries(), home, account, log)
  if (!existsSync(path.join(cluster, 'PG_VERSION'))) {
    guard.checkRoom()
    initCluster(binariesFolder, home, cluster, account)
  }

  const start = async (): Promise<boolean> => {
    if (await isAcceptingConnections(socketDir)) return true
    guard.checkRoom()
    return startServer(binariesFolder, { cluster, socketDir, account, log })
  }
  const isAdopted = await start()
  const sql = postgres({ ...socketOptions(socketDir), connect_timeout: 10, idle_timeout: 30 }) as unknown as Pool
  const watch = repeatEvery(WATCH_INTERVAL_MS, log, async () => {
    // A server that runs but responds slowly is busy, or was suspended by someone: a second one could not start, and
    // must not.
    try {
      if (findPostmaster(cluster) === undefined) {
        outages.database.failed(log, new Error('The embedded database stopped; restarting it'))
        await start()
      }
      await guard.look(sql)
    } catch (error) {
      if (!(error instanceof DiskFullError)) throw error
      outages.disk.failed(log, error)
    }
  })
  return {
    socketDir,
    isAdopted,
    stop: async () => {
      await watch.stop()
      await sql.end({ timeout: 1 })
      if (await hasOtherConnections(socketDir)) return
      await stopServer(cluster)
    },
  }
}

type ServerParams = { cluster: string; socketDir: string; account: SystemAccount; log: Log }

/** Start errors that occur while the processes of a killed server still end, or while another start is in progress. */
const TRANSIENT_START_ERROR =
  /pre-existing shared memory block|lock file .* (?:already exists|is empty)|is still in use|another .*postmaster/i

/**
 * Starts the server, or waits for one that another process starts. Returns true if another process started it. Throws
 * an Error that says why it does not start.
 */
async function startServer(binariesFolder: string, serverParams: ServerParams): Promise<boolean> {
  const { cluster, socketDir, log } = serverParams
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    if (findPostmaster(cluster) !== undefined && (await waitUntilReady(deadline, serverParams))) return true
    for (const file of removeStaleLocks(cluster, socketDir))
      log.warn({ file }, 'Removed a database lock file that a power cut has left; no database runs with it.')
    try {
      await spawnServer(binariesFolder, serverParams, deadline)
      return false
    } catch (error) {
      const isTransient = error instanceof Error && TRANSIENT_START_ERROR.test(error.message)
      if (!isTransient || Date.now() > deadline) throw error
      await pause(250)
    }
  }
}

/**
 * Waits for a running server, which may be recovering or slow on a busy machine. Returns false if it has ended; throws
 * after the deadline.
 */
async function waitUntilReady(deadline: number, { cluster, socketDir }: ServerParams): Promise<boolean> {
  for (;;) {
    if (await isAcceptingConnections(socketDir)) return true
    const pid = findPostmaster(cluster)
    if (pid === undefined) return false
    if (Date.now() > deadline)
      throw new Error(
        `The embedded database (process ${pid}) is running but did not respond within ${START_TIMEOUT_MS / 1000} s.`,
      )
    await pause(100)
  }
}

/** Initialises under a temporary name and then renames, so that a killed run leaves no incomplete cluster. */
function initCluster(binariesFolder: string, home: string, cluster: string, account: SystemAccount): void {
  const fresh = `${cluster}.new-${process.pid}-${Date.now()}`
  const options =
    '-U dubplate -A trust --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C --no-instructions'
  const initResult = spawnSync(path.join(binariesFolder, 'bin', 'initdb'), ['-D', fresh, ...options.split(' ')], {
    ...account,
    encoding: 'utf8',
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  })
  if (initResult.status !== 0)
    throw new Error(`Could not initialise the database in ${home}: ${initResult.stderr || initResult.error?.message}`)
  // Another start may have created it in the meantime and be serving it.
  if (!moveIfMissing(fresh, cluster)) rmSync(fresh, { recursive: true, force: true })
  for (const name of readdirSync(home).filter((entry) => entry.startsWith('cluster.new-'))) {
    const left = path.join(home, name)
    if (Date.now() - statSync(left).mtimeMs > ABANDONED_AFTER_MS) rmSync(left, { recursive: true, force: true })
  }
}

async function spawnServer(
  binariesFolder: string,
  { cluster, socketDir, account, log }: ServerParams,
  deadline: number,
): Promise<void> {
  const settings = ['listen_addresses=', ...databaseSettings(readMachine())].flatMap((setting) => ['-c', setting])
  const child = spawn(path.join(binariesFolder, 'bin', 'postgres'), ['-D', cluster, '-k', socketDir, ...settings], {
    ...account,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    // In its own process group: Ctrl+C in a terminal only reaches this process, which stops the server when it is no
    // longer needed.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const output = new ErrorOutput(child)
  child.once('close', (code, signal) => {
    if (code !== 0) log.warn({ code, signal, said: output.lastLines }, 'The embedded database stopped')
  })
  while (!(await isAcceptingConnections(socketDir))) {
    if (output.isComplete) throw new Error(`The embedded database failed to start: ${output.lastLines}`)
    if (Date.now() > deadline) {
      child.kill('SIGINT')
      throw new Error(`The embedded database did not respond within ${START_TIMEOUT_MS / 1000} s: ${output.lastLines}`)
    }
    await pause(15)
  }
}

const socketOptions = (socketDir: string) => ({
  path: path.join(socketDir, '.s.PGSQL.5432'),
  user: 'dubplate',
  database: 'postgres',
  max: 1,
  onnotice: () => {},
  connection: { application_name: 'dubplate-supervisor' },
})

async function isAcceptingConnections(socketDir: string): Promise<boolean> {
  if (!existsSync(path.join(socketDir, '.s.PGSQL.5432'))) return false
  const sql = postgres({ ...socketOptions(socketDir), connect_timeout: 2 })
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function hasOtherConnections(socketDir: string): Promise<boolean> {
  const sql = postgres({ ...socketOptions(socketDir), connect_timeout: 2 })
  try {
    const [found] = await sql`
      select count(*)::int as others from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name like 'dubplate:%'
        and application_name <> ${`dubplate:${process.pid}`}`
    return (found?.others ?? 0) > 0
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** A fast shutdown: sessions are ended, everything committed is on disk. */
async function stopServer(cluster: string): Promise<void> {
  const pid = findPostmaster(cluster)
  if (pid === undefined) return
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + 15_000
  while (findPostmaster(cluster) === pid && Date.now() < deadline) await pause(15)
}
