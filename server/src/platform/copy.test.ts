import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { copyIn, copyOut } from './copy.ts'
import { connectForJobs } from './db.ts'

let pool: pg.Pool
let client: pg.PoolClient
beforeAll(async () => {
  pool = connectForJobs({ socketDir: inject('socketDir'), database: 'postgres' })
  client = await pool.connect()
  await client.query(`
    create temporary table artist (artist_id int primary key, name text);
    create temporary table tune (tune_id int primary key, artist_id int references artist)`)
})
afterAll(async () => {
  client.release(true)
  await pool.end()
})

const count = async (table: string) => (await client.query(`select count(*)::int as n from ${table}`)).rows[0].n

test('returns all rows, even to a slow reader, and the connection stays usable', async () => {
  const out = copyOut(
    client,
    `copy (select n, repeat(chr(65 + n % 26), 40) from generate_series(1, 100000) n) to stdout`,
  )
  let text = ''
  for await (const chunk of out) {
    text += String(chunk)
    await turn()
  }
  const expected = Array.from(
    { length: 100_000 },
    (_, n) => `${n + 1}\t${String.fromCharCode(65 + ((n + 1) % 26)).repeat(40)}\n`,
  )
  expect(text === expected.join('')).toBe(true)
  expect(await count('artist')).toBe(0)
})

test('inserts many rows and returns their number', async () => {
  const rows = function* () {
    for (let n = 0; n < 500; n += 1)
      yield Buffer.from(Array.from({ length: 100 }, (_, at) => `${n * 100 + at}\tMara\n`).join(''))
  }
  expect(await copyIn(client, 'copy artist from stdin', Readable.from(rows()))).toBe(50_000)
  expect(await count('artist')).toBe(50_000)
})

test('rejects with an error that only occurs at the end, and the connection stays usable', async () => {
  const rows = Readable.from([Buffer.from('1\t7\n2\t-7\n')])
  await expect(copyIn(client, 'copy tune from stdin', rows)).rejects.toThrow(/violates foreign key constraint/)
  expect(await count('tune')).toBe(0)
})

test('inserts nothing and reports the reason if the source fails', async () => {
  const rows = async function* () {
    yield Buffer.from('1\t7\n')
    throw new Error('The disk is gone.')
  }
  await expect(copyIn(client, 'copy tune from stdin', rows())).rejects.toThrow('The disk is gone.')
  expect(await count('tune')).toBe(0)
})

test('rejects an invalid statement in both directions', async () => {
  await expect(copyIn(client, 'copy nowhere from stdin', Readable.from([]))).rejects.toThrow('does not exist')
  await expect(copyOut(client, 'copy nowhere to stdout').toArray()).rejects.toThrow('does not exist')
  expect(await count('tune')).toBe(0)
})
