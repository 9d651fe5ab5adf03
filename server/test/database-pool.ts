import { connect, type Pool } from '../src/platform/db.ts'
import { resetDatabase, type Snapshot } from './clean-database.ts'

/** A database that is cloned from the migrated template. */
export type TestDatabase = {
  /** Stops working once the database is returned: what a test left running cannot write into the next test's data. */
  sql: Pool
  /** Makes the database available to the next test, without anything that was written to it. */
  release(): Promise<void>
}

type ConnectedDatabase = { name: string; sql: Pool }

/** Enough for the tests that send many requests at once. */
const MAX_CONNECTIONS = 25

/** What idle databases may hold of the connections that PostgreSQL allows: few databases, with few connections each. */
const MAX_FREE_DATABASES = 2
const MAX_IDLE_CONNECTIONS = 5

const freeDatabases: ConnectedDatabase[] = []
let count = 0

/** Takes a database that an earlier test of this process has used, or creates one. Both are in the same state. */
export async function acquireDatabase(socketDir: string, snapshot: Snapshot): Promise<TestDatabase> {
  const database = freeDatabases.pop() ?? (await createDatabase(socketDir))
  const handle = await createHandle(database.sql, socketDir)
  return {
    sql: handle.sql,
    release: async () => {
      handle.close()
      // A connection that a test ended or blocked makes the database unusable, not the test wrong.
      const isClean = await resetDatabase(database.sql, snapshot).catch(() => false)
      if (isClean && freeDatabases.length < MAX_FREE_DATABASES)
        freeDatabases.push(await closeSurplus(database, socketDir))
      else await dropDatabase(database, socketDir)
    },
  }
}

async function createDatabase(socketDir: string): Promise<ConnectedDatabase> {
  const name = `pool_${process.pid}_${++count}_${Date.now()}`
  await runAsRoot(socketDir, `create database ${name} template template_pool`)
  return { name, sql: connectTo(name, socketDir) }
}

/** Connections cannot be closed one by one: if there are too many, all are opened again when they are needed. */
async function closeSurplus(database: ConnectedDatabase, socketDir: string): Promise<ConnectedDatabase> {
  const [found] = await database.sql<{ open: number }[]>`
    select count(*)::int as open from pg_stat_activity where datname = current_database()`
  if ((found?.open ?? 0) <= MAX_IDLE_CONNECTIONS) return database
  await database.sql.end()
  return { ...database, sql: connectTo(database.name, socketDir) }
}

const connectTo = (database: string, socketDir: string) => connect({ socketDir, database }, { max: MAX_CONNECTIONS })

async function dropDatabase({ name, sql }: ConnectedDatabase, socketDir: string): Promise<void> {
  await sql.end()
  await runAsRoot(socketDir, `drop database ${name} with (force)`)
}

async function runAsRoot(socketDir: string, statement: string): Promise<void> {
  const adminConnection = connect({ socketDir, database: 'postgres' }, { max: 1 })
  await adminConnection.unsafe(statement)
  await adminConnection.end()
}

/** The same connections under a function of its own, which behaves like ended connections after `close`. */
async function createHandle(shared: Pool, socketDir: string): Promise<{ sql: Pool; close(): void }> {
  const ended = connect({ socketDir, database: 'postgres' }, { max: 1 })
  await ended.end()
  let current = shared
  const close = () => {
    current = ended
  }
  const run = (...input: Parameters<Pool>) => current(...input)
  const methods = Object.keys(shared).map((key) => {
    const name = key as keyof Pool
    const value = shared[name] as unknown
    const isMethod = typeof value === 'function' && name !== 'PostgresError'
    return [name, isMethod ? (...input: never[]) => (current[name] as (...args: never[]) => unknown)(...input) : value]
  })
  const sql = Object.assign(run, Object.fromEntries(methods), { end: async () => close() }) as Pool
  return { sql, close }
}
