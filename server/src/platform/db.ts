import path from 'node:path'
import pg from 'pg'
import postgres from 'postgres'

/** postgres.js's tag, of the pool or of a transaction: a function cannot tell and need not. */
export type Sql = postgres.ISql<Record<string, never>>
export type Pool = postgres.Sql<Record<string, never>>

/** Where the database is: a server's address, or the socket folder of the embedded one. */
export type Where = { url: string } | { socketDir: string; database: string }

const application = `dubplate:${process.pid}`

/** A pool of connections. bigint and numeric come as numbers: ids stay below 2^53, money is integers. */
export function connect(where: Where, options: { max?: number; prepare?: boolean } = {}): Pool {
  const common: postgres.Options<Record<string, never>> = {
    max: options.max ?? 10,
    prepare: options.prepare ?? true,
    idle_timeout: 0,
    connect_timeout: 5,
    backoff: (attempt: number) => Math.min(0.1 * 2 ** attempt, 2),
    onnotice: () => {},
    connection: { application_name: application, TimeZone: 'UTC' },
    types: {
      bigint: {
        to: 20,
        from: [20, 1700],
        parse: (text: string) => Number(text),
        serialize: (value: unknown) => String(value),
      },
    } as never,
  }
  if ('url' in where) return postgres(where.url, common) as unknown as Pool
  const socket = { path: path.join(where.socketDir, '.s.PGSQL.5432'), user: 'dubplate', database: where.database }
  return postgres({ ...common, ...socket }) as unknown as Pool
}

/** The job queue speaks through the `pg` driver, on connections of its own. */
export function connectForJobs(where: Where): pg.Pool {
  const common = { max: 6, application_name: application }
  if ('url' in where) return new pg.Pool({ ...common, connectionString: where.url })
  return new pg.Pool({ ...common, host: where.socketDir, user: 'dubplate', database: where.database })
}

const AWAY = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

/** True for an error that says the database is away, not that the statement is wrong. */
export const databaseIsAway = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  return AWAY.has(code ?? '') || (code === 'ENOENT' && syscall === 'connect')
}
