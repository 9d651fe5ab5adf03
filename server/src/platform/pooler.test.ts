import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabaseProxy, openPooler } from '../../test/server-processes.ts'
import { connect } from './db.ts'

test('statements sent at the same time through PgBouncer in transaction mode all get an answer', async ({ skip }) => {
  const databaseProxy = await openDatabaseProxy(inject('socketDir'))
  onTestFinished(() => databaseProxy.close())
  const pooler = await openPooler(databaseProxy.port)
  if (!pooler) return skip('PgBouncer is not installed.')
  onTestFinished(() => pooler.close())
  const url = `postgres://dubplate@127.0.0.1:${pooler.port}/postgres`
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
