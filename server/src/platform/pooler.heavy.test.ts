import { expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../../test/free-port.ts'
import { openDatabaseProxy, openPooler } from '../../test/server-processes.ts'
import { describeConnectionError } from './database-url.ts'
import { connect, isDatabaseUnavailable, supportsTimeLimits } from './db.ts'

/** Returns the URL of the tests' database through PgBouncer; undefined if PgBouncer is not installed. */
async function openPooledUrl(): Promise<string | undefined> {
  const databaseProxy = await openDatabaseProxy(inject('socketDir'))
  onTestFinished(() => databaseProxy.close())
  return openUrlTo(databaseProxy.port)
}

async function openUrlTo(databasePort: number, additionalSettings: string[] = []): Promise<string | undefined> {
  const pooler = await openPooler(databasePort, additionalSettings)
  if (!pooler) return undefined
  onTestFinished(() => pooler.close())
  return `postgres://dubplate@127.0.0.1:${pooler.port}/postgres`
}

const NOT_INSTALLED = 'PgBouncer is not installed.'

test('statements sent at the same time through PgBouncer in transaction mode all get an answer', async ({ skip }) => {
  const url = await openPooledUrl()
  if (!url) return skip(NOT_INSTALLED)
  const sql = connect({ url }, { prepare: false, max: 4 })
  const other = connect({ url }, { prepare: false, max: 4 })
  onTestFinished(async () => {
    await Promise.all([sql.end({ timeout: 1 }), other.end({ timeout: 1 })])
  })
  const numbers = Array.from({ length: 400 }, (_, n) => n)
  // A statement without parameters is sent at once, one with parameters is described first.
  const ask = async (n: number) => {
    const pool = n % 3 === 0 ? other : sql
    const [row] =
      n % 2 === 0 ? await pool<{ n: number }[]>`select 0 as n` : await pool<{ n: number }[]>`select ${n}::int as n`
    return row?.n
  }
  expect(await Promise.all(numbers.map(ask))).toEqual(numbers.map((n) => (n % 2 === 0 ? 0 : n)))
}, 60_000)

test('PgBouncer does not support time limits of connections', async ({ skip }) => {
  const url = await openPooledUrl()
  if (!url) return skip(NOT_INSTALLED)
  expect(await supportsTimeLimits({ url })).toBe(false)
}, 60_000)

test('PgBouncer without a server means that the database is unavailable, which a start explains', async ({ skip }) => {
  const url = await openUrlTo(await freePort(), ['query_wait_timeout = 1'])
  if (!url) return skip(NOT_INSTALLED)
  const sql = connect({ url }, { prepare: false, max: 1 })
  onTestFinished(() => sql.end({ timeout: 1 }))
  const error = await sql`select 1`.catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: '08P01' })
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(describeConnectionError(url, error)?.message).toMatch(
    /^DATABASE_URL: PgBouncer at 127\.0\.0\.1:\d+ could not /,
  )
}, 60_000)

test('a start behind PgBouncer without a server fails, also if PgBouncer ignores time limits', async ({ skip }) => {
  const ignored = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout'
  const url = await openUrlTo(await freePort(), ['query_wait_timeout = 1', ignored])
  if (!url) return skip(NOT_INSTALLED)
  await expect(supportsTimeLimits({ url })).rejects.toMatchObject({ code: '08P01' })
}, 60_000)
