import path from 'node:path'
import pg from 'pg'
import postgres from 'postgres'
import type { DatabaseSockets } from './database-sockets.ts'

/** postgres.js's tag, of the pool or of a transaction: a function cannot tell and need not. */
export type Sql = postgres.ISql<Record<string, never>>
export type Pool = postgres.Sql<Record<string, never>>

/** Where the database is: a server's address, or the socket folder of the embedded one. */
export type DatabaseLocation = { url: string } | { socketDir: string; database: string }

const application = `dubplate:${process.pid}`

export type ConnectOptions = {
  max?: number
  prepare?: boolean
  sockets?: DatabaseSockets
  /** Sets the time limits of requests; PgBouncer may refuse them, see `acceptsTimeLimits`. */
  hasTimeLimits?: boolean
}

/** Longer than any call may take, shorter than anyone waits: what runs into it is stopped by PostgreSQL (SQLSTATE 57014). */
const STATEMENT_TIMEOUT_MS = 60_000
/** A transaction that a lost process or a provider that never answers leaves open gives its locks back after this. */
const IDLE_IN_TRANSACTION_MS = 120_000

const TIME_LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
}

/** A pool of connections. bigint and numeric come as numbers: ids stay below 2^53, money is integers. */
export function connect(location: DatabaseLocation, options: ConnectOptions = {}): Pool {
  const common: postgres.Options<Record<string, never>> & { socket?: unknown } = {
    max: options.max ?? 10,
    prepare: options.prepare ?? true,
    idle_timeout: 0,
    connect_timeout: 5,
    backoff: (attempt: number) => Math.min(0.1 * 2 ** attempt, 2),
    onnotice: () => {},
    connection: {
      application_name: application,
      TimeZone: 'UTC',
      ...(options.hasTimeLimits ? TIME_LIMITS : {}),
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
 * Whether connections may be opened with time limits. PgBouncer refuses parameters it does not know (SQLSTATE 08P01);
 * then the limits belong to the role. Throws when the database cannot be reached.
 */
export async function supportsTimeLimits(location: DatabaseLocation): Promise<boolean> {
  const probe = connect(location, { max: 1, prepare: false, hasTimeLimits: true })
  try {
    await probe`select 1`
    return true
  } catch (error) {
    if ((error as { code?: string }).code === '08P01') return false
    throw error
  } finally {
    await probe.end({ timeout: 1 })
  }
}

/** The job queue speaks through the `pg` driver, on connections of its own. */
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

/** node-postgres, which the job queue uses, gives these errors no code. */
const LOST_JOB_CONNECTION = /^(Connection terminated|Client has encountered a connection error)/

/** True for an error that says the database is away, not that the statement is wrong. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  return AWAY.has(code ?? '') || (code === 'ENOENT' && syscall === 'connect') || LOST_JOB_CONNECTION.test(error.message)
}

/**
 * True for an error that says the database has no room to write: disk_full (53100), or read_only_sql_transaction (25006),
 * which the embedded database answers while its disk is nearly full. Reading goes on.
 */
export const isDatabaseFull = (error: unknown): boolean =>
  ['53100', '25006'].includes((error as { code?: string } | null)?.code ?? '')

/** PostgreSQL 57014: a statement ran into its time limit. */
export const isStatementTimeout = (error: unknown): boolean => (error as { code?: string } | null)?.code === '57014'
