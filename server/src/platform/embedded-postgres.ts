import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { findBinaries, moveUnlessThere, reachableBinaries } from './embedded-binaries.ts'
import {
  type Account,
  openWay,
  ownFolder,
  refuseForeign,
  socketFolder,
  unprivilegedAccount,
} from './embedded-folders.ts'
import type { Log } from './log.ts'
import { repeat } from './repeat.ts'

/** PostgreSQL as a child of ours, on a Unix socket only. */
export type EmbeddedPostgres = {
  socketDir: string
  /** True when an earlier run's server was found still serving and taken over. */
  adopted: boolean
  /** Ends the server, unless another process of ours is still using it. */
  stop(): Promise<void>
}

const WATCH_EVERY_MS = 2000
/** A cluster in the making this old belongs to a run that was killed. */
const ABANDONED_MS = 600_000

const SETTINGS = [
  'shared_buffers=256MB',
  'max_connections=60',
  'jit=off',
  'unix_socket_permissions=0700',
  'timezone=UTC',
]

/**
 * Starts (or takes over) the database of a data folder. Closes the hazards a plain spawn has: root, unreadable binaries,
 * missing symlinks, a killed initdb, a server orphaned by a killed run. Throws an Error that says what to do.
 */
export async function startEmbeddedPostgres(dataDir: string, log: Log): Promise<EmbeddedPostgres> {
  const account = unprivilegedAccount()
  const home = path.join(dataDir, 'postgres')
  const cluster = path.join(home, 'cluster')
  const socketDir = socketFolder(home)
  if (path.dirname(socketDir) !== home) refuseForeign(socketDir, account)
  for (const folder of [home, socketDir]) ownFolder(folder, account)
  openWay(home, account)
  const native = reachableBinaries(findBinaries(), home, account, log)
  if (!existsSync(path.join(cluster, 'PG_VERSION'))) initCluster(native, home, cluster, account)

  const start = async (): Promise<boolean> => {
    if (await answers(socketDir)) return true
    try {
      await spawnServer(native, cluster, socketDir, account, log)
      return false
    } catch (error) {
      // Another start of ours may have been quicker: its server is as good.
      if (await answersSoon(socketDir)) return true
      throw error
    }
  }
  const adopted = await start()
  const watch = repeat(WATCH_EVERY_MS, log, async () => {
    if (await answers(socketDir)) return
    log.error('The embedded database does not answer; starting it again.')
    await start()
  })
  return {
    socketDir,
    adopted,
    stop: async () => {
      await watch.stop()
      if (await usedByOthers(socketDir)) return
      await endServer(cluster)
    },
  }
}

/** Whether it answers within ten seconds. */
async function answersSoon(socketDir: string): Promise<boolean> {
  for (let n = 0; n < 100; n++) {
    if (await answers(socketDir)) return true
    await pause(100)
  }
  return false
}

/** Into a name of its own, then renamed: a run killed in the middle leaves no half cluster. */
function initCluster(native: string, home: string, cluster: string, account: Account): void {
  const fresh = `${cluster}.new-${process.pid}-${Date.now()}`
  const options =
    '-U dubplate -A trust --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C --no-instructions'
  const made = spawnSync(path.join(native, 'bin', 'initdb'), ['-D', fresh, ...options.split(' ')], {
    ...account,
    encoding: 'utf8',
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  })
  if (made.status !== 0)
    throw new Error(`The database could not be set up in ${home}: ${made.stderr || made.error?.message}`)
  // Another start may have set it up in the meantime, and be serving it.
  if (!moveUnlessThere(fresh, cluster)) rmSync(fresh, { recursive: true, force: true })
  for (const name of readdirSync(home).filter((entry) => entry.startsWith('cluster.new-'))) {
    const left = path.join(home, name)
    if (Date.now() - statSync(left).mtimeMs > ABANDONED_MS) rmSync(left, { recursive: true, force: true })
  }
}

async function spawnServer(
  native: string,
  cluster: string,
  socketDir: string,
  account: Account,
  log: Log,
): Promise<void> {
  const settings = ['listen_addresses=', ...SETTINGS].flatMap((setting) => ['-c', setting])
  const child = spawn(path.join(native, 'bin', 'postgres'), ['-D', cluster, '-k', socketDir, ...settings], {
    ...account,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    // A group of its own: Ctrl+C in a terminal reaches us alone, and we end it when nobody needs it any more.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  let ended = false
  const lastWords = () => said.trim().split('\n').slice(-3).join(' ')
  child.stderr?.on('data', (bytes: Buffer) => {
    said = (said + bytes).slice(-4000)
  })
  child.once('error', (error) => {
    ended = true
    said += error.message
  })
  child.once('exit', (code, signal) => {
    ended = true
    if (code !== 0) log.warn({ code, signal, said: lastWords() }, 'The embedded database ended.')
  })
  const deadline = Date.now() + 30_000
  while (!(await answers(socketDir))) {
    if (ended) throw new Error(`The embedded database did not start: ${lastWords()}`)
    if (Date.now() > deadline) {
      child.kill('SIGINT')
      throw new Error(`The embedded database did not answer within 30 s: ${lastWords()}`)
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

async function answers(socketDir: string): Promise<boolean> {
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

async function usedByOthers(socketDir: string): Promise<boolean> {
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
async function endServer(cluster: string): Promise<void> {
  const pidFile = path.join(cluster, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  const alive = (): boolean => {
    try {
      process.kill(pid, 0)
      return existsSync(pidFile)
    } catch {
      return false
    }
  }
  if (!alive()) return
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + 15_000
  while (alive() && Date.now() < deadline) await pause(15)
}
