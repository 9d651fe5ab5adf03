import path from 'node:path'
import pg from 'pg'
import postgres from 'postgres'
import type { DatabaseSockets } from './database-sockets.ts'

/** The tag of postgres.js, for a pool or a transaction: functions work with both. */
export type Sql = postgres.ISql<Record<string, never>>
export type Pool = postgres.Sql<Record<string, never>>
/**
 * A part of a statement, or a whole one. It is run when it is awaited: an async function returns it in an object.
 */
export type SqlFragment = postgres.PendingQuery<postgres.Row[]>

/** Location of the database: a server's URL, or the socket folder of the embedded one. */
export type DatabaseLocation = { url: string } | { socketDir: string; database: string }

const application = `dubplate:${process.pid}`

export type ConnectOptions = {
  max?: number
  prepare?: boolean
  sockets?: DatabaseSockets
  /** Sets the time limits for requests; PgBouncer may reject them, see `supportsTimeLimits`. */
  hasTimeLimits?: boolean
  /** Server settings of these connections. */
  parameters?: Record<string, string>
  onNotice?: (message: string) => void
}

/** Longer than any request should take: PostgreSQL stops slower statements (SQLSTATE 57014). */
const STATEMENT_TIMEOUT_MS = 60_000
/**
 * PostgreSQL ends transactions left open by a lost process or a hanging provider after this time, which releases their
 * locks.
 */
const IDLE_IN_TRANSACTION_MS = 120_000

const TIME_LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
}

/**
 * Creates a pool of connections. bigint and numeric are returned as numbers: ids stay below 2^53, money is stored as
 * integers.
 */
export function connect(location: DatabaseLocation, options: ConnectOptions = {}): Pool {
  const prepare = options.prepare ?? true
  const common: postgres.Options<Record<string, never>> & { socket?: unknown; max_pipeline?: number } = {
    max: options.max ?? 10,
    prepare,
    // PgBouncer before 1.21 gives a connection to the next client when a statement ends, although the description of a
    // second one was requested: that statement would never get an answer. So each is sent after the one before.
    ...(prepare ? {} : { max_pipeline: 0 }),
    idle_timeout: 0,
    connect_timeout: 5,
    backoff: (attempt: number) => Math.min(0.1 * 2 ** attempt, 2),
    onnotice: (notice) => options.onNotice?.(notice.message ?? ''),
    connection: {
      application_name: application,
      TimeZone: 'UTC',
      ...(options.hasTimeLimits ? TIME_LIMITS : {}),
      ...options.parameters,
    },
    types: {
      bigint: {
        to: 20,
        from: [20, 1700],
        parse: (text: string) => Number(text),
        serialize: (value: unknown) => String(value),
      },
    } as never,
    ...(options.sockets ? { socket: options.sockets.open } : {}),
  }
  if ('url' in location) return postgres(location.url, common) as unknown as Pool
  const socket = { path: path.join(location.socketDir, '.s.PGSQL.5432'), user: 'dubplate', database: location.database }
  return postgres({ ...common, ...socket }) as unknown as Pool
}

/**
 * Returns whether connections accept time limits. PgBouncer rejects parameters it does not know ("unsupported startup
 * parameter", SQLSTATE 08P01); the limits must then be set for the role. Throws if the database cannot be reached.
 */
export async function supportsTimeLimits(location: DatabaseLocation): Promise<boolean> {
  const probe = connect(location, { max: 1, prepare: false, hasTimeLimits: true })
  try {
    await probe`select 1`
    return true
  } catch (error) {
    if (isPoolerError(error) && String(error).includes('unsupported startup parameter')) return false
    throw error
  } finally {
    await probe.end({ timeout: 1 })
  }
}

/** Creates connections for the job queue, which uses the `pg` driver. */
export function connectForJobs(location: DatabaseLocation, sockets?: DatabaseSockets): pg.Pool {
  const common = { max: 6, application_name: application, ...(sockets ? { stream: sockets.create } : {}) }
  if ('url' in location) return new pg.Pool({ ...common, connectionString: location.url })
  return new pg.Pool({ ...common, host: location.socketDir, user: 'dubplate', database: location.database })
}

const AWAY = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // PostgreSQL, appendix A: connection exceptions, idle_in_transaction_session_timeout, too_many_connections,
  // out_of_memory, admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout.
  '08001',
  '08003',
  '08006',
  '25P03',
  '53300',
  '53200',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
])

/**
 * What SQLSTATE 25006 (read_only_sql_transaction) means in this process. The embedded database is only read-only while its
 * disk is nearly full. Behind DATABASE_URL, a failover has left the connection with a standby.
 */
let readOnlyMeans: 'disk full' | 'standby' = 'disk full'

/** Called once the kind of database is known. */
export const setReadOnlyMeaning = (meaning: typeof readOnlyMeans): void => {
  readOnlyMeans = meaning
}

const READ_ONLY = '25006'

/**
 * PgBouncer ends connections with a fatal 08P01 (protocol_violation) for all of its own errors: no server to connect to, a
 * lost server, query_wait_timeout. PostgreSQL uses the code for invalid messages, which are not fatal. PgBouncer sends only
 * the severity that PostgreSQL translates, which postgres.js calls severity_local.
 */
export const isPoolerError = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { code, severity, severity_local } = error as { code?: string; severity?: string; severity_local?: string }
  return code === '08P01' && (severity ?? severity_local) === 'FATAL'
}

/** node-postgres, which the job queue uses, gives these errors no code. */
const LOST_JOB_CONNECTION = /^(Connection terminated|Client has encountered a connection error)/

/** Returns true if the database is unavailable, as opposed to an invalid statement. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === READ_ONLY) return readOnlyMeans === 'standby'
  return (
    AWAY.has(code ?? '') ||
    isPoolerError(error) ||
    (code === 'ENOENT' && syscall === 'connect') ||
    LOST_JOB_CONNECTION.test(error.message)
  )
}

/**
 * Returns true if the database cannot write for lack of space: disk_full (53100), or the embedded database is read-only.
 * Reading still works.
 */
export const isDatabaseFull = (error: unknown): boolean => {
  const { code } = (error ?? {}) as { code?: string }
  return code === '53100' || (code === READ_ONLY && readOnlyMeans === 'disk full')
}

/** PostgreSQL 57014: a statement ran into its time limit. */
export const isStatementTimeout = (error: unknown): boolean => (error as { code?: string } | null)?.code === '57014'
