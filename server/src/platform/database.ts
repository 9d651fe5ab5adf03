import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from './config.ts'
import { connect, connectForJobs, type Pool, type Where } from './db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import type { Log } from './log.ts'
import { migrate } from './migrate.ts'
import { followReplica, type Replica } from './replica.ts'

/** The database of a running process: the embedded one, or the server DATABASE_URL names. */
export type Database = {
  sql: Pool
  /** Undefined where DATABASE_READ_URL names none. */
  replica: Replica | undefined
  jobs: pg.Pool
  isEmbedded: boolean
  /** Where it is, for those who need another database beside it. */
  where: Where
  close(): Promise<void>
}

/** Starts or reaches the database and brings it to the newest migration. */
export async function openDatabase(config: Config, log: Log): Promise<Database> {
  const database = await reachDatabase(config, log)
  try {
    const applied = await migrate(database.sql)
    if (applied.length > 0) log.info({ migrations: applied.length }, 'The database is at the newest migration.')
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Starts or reaches the database and leaves it as it is, whatever its migration. */
export async function reachDatabase(config: Config, log: Log): Promise<Database> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres(config.dataDir, log)
  const where: Where = embedded
    ? { socketDir: embedded.socketDir, database: 'postgres' }
    : { url: config.databaseUrl ?? '' }
  const sql = connect(where, { prepare: config.prepare })
  const jobs = connectForJobs(where)
  const lost = (error: Error) => log.warn(error, 'A connection of the job queue was lost.')
  jobs.on('error', lost).on('connect', (client) => client.on('error', lost))
  const replica = config.databaseReadUrl
    ? followReplica(sql, connect({ url: config.databaseReadUrl }, { prepare: config.prepare }), log)
    : undefined
  const shut = async () => {
    await replica?.close()
    await close(sql, jobs, embedded)
  }
  return { sql, replica, jobs, isEmbedded: embedded !== undefined, where, close: shut }
}

async function close(sql: Pool, jobs: pg.Pool, embedded: EmbeddedPostgres | undefined): Promise<void> {
  // A client of the queue that was never handed back must not keep the process.
  const closed = Promise.all([sql.end({ timeout: 5 }), jobs.end()])
  await Promise.race([closed, pause(6000)]).finally(() => embedded?.stop())
}
