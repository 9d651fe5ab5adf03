import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import { memoryEnvironment, nodeFlags } from '../scripts/node-flags.mjs'
import { openSession } from '../server/src/membership/session.ts'
import { connect, type DatabaseLocation, type Pool } from '../server/src/platform/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/src/platform/embedded-postgres.ts'
import { createLog } from '../server/src/platform/log.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { projectRoot } from '../server/src/platform/project-root.ts'
import type { Storage } from '../server/src/platform/storage.ts'
import { createDiskStorage } from '../server/src/platform/storage-disk.ts'
import { freePort } from '../server/test/free-port.ts'
import { closeAtExit } from './close-at-exit.ts'
import { fillCatalogue } from './generator.ts'
import { builtPath, createStop, type ServerProcess, untilReady } from './processes.ts'

/** A separate pool for benchmarks: a data folder with an embedded database and a catalogue of a given size. */
export type BenchPool = {
  dataDir: string
  sql: Pool
  storage: Storage
  songs: number
  serverVersion: string
  location: DatabaseLocation
  /** The folder it is kept in for the next run; undefined if it is temporary. */
  keptIn: string | undefined
  /** Token of a member who may download. */
  token: string
  startServer(settings?: Record<string, string>, options?: ServerOptions): Promise<Server>
  close(): Promise<void>
}

export type ServerOptions = {
  /** Web alone, or with the worker as `npm start` runs them. */
  program?: 'web' | 'start'
  /** Whether `memoryUsage` can be called. */
  reportsMemory?: boolean
}

/** The real web process, started the same way as in production. */
export type Server = ServerProcess & {
  /** Its `process.memoryUsage()`. */
  memoryUsage(): Promise<NodeJS.MemoryUsage>
  callApi<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<ReplyOf<E>>
  /** Process ids of the database backends that serve it. */
  backends(): Promise<number[]>
}

/** BENCH_SERVER can name another build of the server, to compare two builds. */
const programFile = (name: string) => path.resolve(projectRoot, process.env.BENCH_SERVER ?? 'server/dist', `${name}.js`)

/**
 * Opens a pool with the given number of songs. With `dataFolder`, the pool is stored there and reused by the next run;
 * otherwise it uses a temporary folder, which is deleted when the pool is closed.
 */
export async function openBenchPool(songs: number, dataFolder: string | undefined): Promise<BenchPool> {
  const dataDir = dataFolder ? path.resolve(dataFolder) : mkdtempSync(path.join(tmpdir(), 'dubplate-bench-'))
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, 0o755)
  const database = await startEmbeddedPostgres(dataDir, createLog('error'))
  const location = { socketDir: database.socketDir, database: 'postgres' }
  const sql = connect(location, { max: 4 })
  const close = closeAtExit(() => closePool(sql, database, dataFolder ? undefined : dataDir))
  await migrate(sql)
  const loaded = await countSongs(sql)
  if (loaded === 0) await fillWithProgress(sql, songs)
  const token = await openMember(sql)
  const [version] = await sql<{ server_version: string }[]>`show server_version`
  const common = { dataDir, sql, storage: createDiskStorage(dataDir), songs: loaded || songs, token }
  return {
    ...common,
    serverVersion: version?.server_version ?? '',
    location,
    keptIn: dataFolder,
    startServer: (settings = {}, options = {}) => startServer(sql, { dataDir, token, settings, ...options }),
    close,
  }
}

async function countSongs(sql: Pool): Promise<number> {
  const [countRow] = await sql<{ n: number }[]>`select count(*)::int as n from song_search`
  return countRow?.n ?? 0
}

async function fillWithProgress(sql: Pool, songs: number): Promise<void> {
  const start = performance.now()
  await fillCatalogue(sql, songs)
  console.log(`Created a catalogue of ${songs} songs in ${((performance.now() - start) / 1000).toFixed(0)} s.`)
}

async function openMember(sql: Pool): Promise<string> {
  const [member] = await sql<{ customer_id: number }[]>`
    insert into customer (email, dj_name, password_hash, group_id, payment_profile_status)
    values (${`bench-${Date.now()}@example.test`}, 'Bench', '!', 2, 'paid') returning customer_id`
  if (!member) throw new Error('Member insert returned no row')
  await sql`insert into dj_application (customer_id, state) values (${member.customer_id}, 'approved')`
  return openSession(sql, member.customer_id, 'member', { ip: '127.0.0.1', userAgent: 'bench' })
}

type StartOptions = ServerOptions & { dataDir: string; token: string; settings: Record<string, string> }

async function startServer(sql: Pool, options: StartOptions) {
  const { dataDir, token, settings, program: name = 'web', reportsMemory = false } = options
  const program = programFile(name)
  if (!existsSync(program))
    throw new Error(`Server build not found at ${program}. Start the benchmarks with npm run bench.`)
  const port = await freePort()
  const nodeArguments = [
    ...(process.env.BENCH_NODE_OPTIONS?.split(' ') ?? []),
    ...nodeFlags,
    ...(reportsMemory ? ['--import', pathToFileURL(builtPath('report-memory')).href] : []),
  ]
  const child = spawn(process.execPath, [...nodeArguments, program], {
    stdio: ['ignore', 'inherit', 'inherit', ...(reportsMemory ? ['ipc' as const] : [])],
    env: {
      ...{
        PATH: process.env.PATH,
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        DEMO: 'off',
      },
      ...memoryEnvironment,
      ...{ LOG_LEVEL: 'warn', DOWNLOAD_LIMIT: '20', ...settings },
    },
  })
  const stop = createStop(child)
  await untilReady(`http://127.0.0.1:${port}/readyz`, child)
  const pid = child.pid ?? 0
  const server: Server = {
    port,
    pid,
    stop,
    memoryUsage: async () => {
      const [usage] = await Promise.all([once(child, 'message'), child.send({})])
      return usage[0] as NodeJS.MemoryUsage
    },
    callApi: (endpoint, input) => callApi(`http://127.0.0.1:${port}`, token, endpoint, input),
    backends: async () => {
      const rows = await sql<{ pid: number }[]>`
        select pid from pg_stat_activity where application_name = ${`dubplate:${pid}`}`
      return rows.map((row) => row.pid)
    },
  }
  return server
}

async function callApi<E extends Endpoint>(
  origin: string,
  token: string,
  endpoint: E,
  input: InputOf<E>,
): Promise<ReplyOf<E>> {
  const reply = await fetch(`${origin}/api/${endpoint.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(input),
  })
  const { data, message } = (await reply.json()) as { data: ReplyOf<E>; message?: string }
  if (!reply.ok) throw new Error(`${endpoint.path} failed: ${message}`)
  return data
}

async function closePool(sql: Pool, database: EmbeddedPostgres, remove: string | undefined): Promise<void> {
  await sql.end({ timeout: 5 })
  await database.stop()
  if (remove) rmSync(remove, { recursive: true, force: true })
}
