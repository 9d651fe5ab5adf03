import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from './config.ts'
import { DatabaseSockets } from './database-sockets.ts'
import { checkEncoding, describeConnectionError } from './database-url.ts'
import { watchDatabase } from './database-watch.ts'
import {
  connect,
  connectForJobs,
  type DatabaseLocation,
  isDatabaseFull,
  type Pool,
  setReadOnlyMeaning,
  supportsTimeLimits,
} from './db.ts'
import { DiskFullError } from './disk-guard.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import type { Log } from './log.ts'
import { migrate } from './migrate.ts'
import { outages } from './outage.ts'
import { followReplica, type Replica } from './replica.ts'

/** The database of a running process: the embedded one, or the server in DATABASE_URL. */
export type Database = {
  /** For commands and background work, whose statements may take long. */
  sql: Pool
  /** For requests: PostgreSQL stops statements and transactions that take too long. */
  webSql: Pool
  /** Undefined if DATABASE_READ_URL is not set. */
  replica: Replica | undefined
  jobs: pg.Pool
  isEmbedded: boolean
  /** Its location, for code that needs another database on the same server. */
  where: DatabaseLocation
  close(): Promise<void>
}

/** Starts or connects to the database and applies pending migrations. */
export async function openDatabase(config: Config, log: Log): Promise<Database> {
  const database = await connectDatabase(config, log)
  try {
    const applied = await migrate(database.sql)
    if (applied.length > 0) log.info({ migrations: applied.length }, 'Database migrations are up to date')
    return database
  } catch (error) {
    await database.close()
    if (isDatabaseFull(error)) throw new DiskFullError('The database’s disk is full. Free up space and start again.')
    throw (config.databaseUrl !== undefined && describeConnectionError(config.databaseUrl, error)) || error
  }
}

/** Starts or connects to the database without migrating it. */
export async function connectDatabase(config: Config, log: Log): Promise<Database> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres(config.dataDir, log)
  const location: DatabaseLocation = embedded
    ? { socketDir: embedded.socketDir, database: 'postgres' }
    : { url: config.databaseUrl ?? '' }
  setReadOnlyMeaning(embedded ? 'disk full' : 'standby')
  const sockets = new DatabaseSockets()
  const { prepare } = config
  const hasTimeLimits = await testConnection(location, config, log).catch(async (error) => {
    await embedded?.stop()
    throw error
  })
  const sql = connect(location, { prepare, sockets })
  const webSql = connect(location, { prepare, sockets, hasTimeLimits })
  const jobs = connectForJobs(location, sockets)
  const watch = watchDatabase(connect(location, { prepare: false, sockets, max: 1 }), sockets, log)
  const onConnectionLost = (error: Error) => outages.database.failed(log, error)
  jobs.on('error', onConnectionLost).on('connect', (client) => client.on('error', onConnectionLost))
  const replica = config.databaseReadUrl
    ? followReplica(sql, connect({ url: config.databaseReadUrl }, { prepare: config.prepare }), log)
    : undefined
  const closeAll = async () => {
    await replica?.close()
    await watch.stop()
    await close([sql, webSql], jobs, embedded)
  }
  return { sql, webSql, replica, jobs, isEmbedded: embedded !== undefined, where: location, close: closeAll }
}

/**
 * Returns whether the database accepts time limits. Throws ConfigError with a sentence if DATABASE_URL cannot be used.
 */
async function testConnection(location: DatabaseLocation, { databaseUrl }: Config, log: Log): Promise<boolean> {
  if (databaseUrl === undefined) return true
  const check = async () => {
    const accepted = await supportsTimeLimits(location)
    await checkEncoding(location, databaseUrl)
    return accepted
  }
  const hasTimeLimits = await check().catch((error) => {
    throw describeConnectionError(databaseUrl, error) ?? error
  })
  if (!hasTimeLimits)
    log.warn(
      "The connection pooler in DATABASE_URL does not support timeouts. Set them for the role: ALTER ROLE … SET statement_timeout = '60s'.",
    )
  return hasTimeLimits
}

async function close(pools: Pool[], jobs: pg.Pool, embedded: EmbeddedPostgres | undefined): Promise<void> {
  // A queue client that was never released must not keep the process running.
  const closed = Promise.all([...pools.map((pool) => pool.end({ timeout: 5 })), jobs.end()])
  await Promise.race([closed, pause(6000)]).finally(() => embedded?.stop())
}
