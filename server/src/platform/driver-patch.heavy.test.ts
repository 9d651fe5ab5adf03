import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { connect, type Pool } from './db.ts'

/** Tests for patches/postgres+3.4.9.patch: see docs/decisions/0020-database-outages.md. */

let folder: string
/** Closes all connections at once, like a killed server. */
let cut: () => void
/** What the clients have sent. */
let sent: Buffer[]
let close: () => void
let sql: Pool

/** A pool of one connection through a socket that the test can close. */
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'dubplate-driver-'))
  const sockets = new Set<Socket>()
  sent = []
  const proxy = createServer((client) => {
    const server = connectSocket(path.join(inject('socketDir'), '.s.PGSQL.5432'))
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.on('data', (bytes: Buffer) => sent.push(bytes))
    client.pipe(server).pipe(client)
  })
  await new Promise<void>((resolve) => proxy.listen(path.join(folder, '.s.PGSQL.5432'), resolve))
  cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  close = () => proxy.close()
  sql = connect({ socketDir: folder, database: 'postgres' }, { max: 1 })
  await sql`drop table if exists driver_patch`
  await sql`create table driver_patch (n int)`
})

afterEach(async () => {
  await sql`drop table driver_patch`
  await sql.end({ timeout: 1 })
  close()
  rmSync(folder, { recursive: true, force: true })
})

test('rejects a statement in a transaction whose connection was closed, instead of ending the process', async () => {
  let later: Promise<unknown> | undefined
  const transaction = sql.begin(async (tx) => {
    await tx`insert into driver_patch values (1)`
    cut()
    await tx`select 1`.catch(() => {})
    later = new Promise((resolve) => setImmediate(resolve)).then(() => tx`insert into driver_patch values (2)`)
    await later
  })
  await expect(transaction).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  await expect(later).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(await sql`select n from driver_patch`).toEqual([])
})

test('sends nothing of a lost transaction on a connection that is used by others', async () => {
  let released = () => {}
  const until = new Promise<void>((resolve) => {
    released = resolve
  })
  let scope: Promise<unknown> | undefined
  const transaction = sql.begin((tx) => {
    scope = (async () => {
      await tx`select 1`
      cut()
      await until
      await tx`insert into driver_patch values (3)`
    })()
    return scope
  })
  await expect(transaction).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  await sql`select 1`
  released()
  await expect(scope).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(await sql`select n from driver_patch`).toEqual([])
})

test('rejects short transactions when the connection is cut at any moment, and works again afterwards', async () => {
  for (let round = 0; round < 30; round++) {
    const running = Array.from({ length: 4 }, () =>
      sql.begin(async (tx) => {
        await tx`insert into driver_patch values (${round})`
        await tx`select n from driver_patch where n = ${round}`
      }),
    )
    for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve))
    cut()
    await Promise.allSettled(running)
    await vi.waitFor(() => sql`select 1`)
  }
  expect(await sql`select 1 as n`).toEqual([{ n: 1 }])
})

/** Runs as many statements at once as the pool has connections, so that all of them are open. */
const openAll = (pool: Pool) => Promise.all(Array.from({ length: 3 }, () => pool`select pg_sleep(0.01)`))

test('sends a statement on the connection that was used last', async () => {
  const pool = connect({ socketDir: folder, database: 'postgres' }, { max: 3 })
  await openAll(pool)
  const used = new Set<number>()
  for (let n = 0; n < 6; n++) {
    const [row] = await pool<{ pid: number }[]>`select pg_backend_pid() as pid`
    used.add(row?.pid ?? 0)
  }
  expect(used.size).toBe(1)
  await pool.end()
})

test('reads the array types once for all connections', async () => {
  const pool = connect({ socketDir: folder, database: 'postgres' }, { max: 3 })
  await pool`select 1`
  await openAll(pool)
  const rows = await Promise.all(Array.from({ length: 3 }, () => pool`select ${[1, 2]}::int[] as numbers`))
  expect(rows.flat()).toEqual(Array.from({ length: 3 }, () => ({ numbers: [1, 2] })))
  const readings = Buffer.concat(sent).toString('latin1').split('typcategory').length - 1
  // One for the pool of the other tests.
  expect(readings).toBe(2)
  await pool.end()
})

test('reserves a new connection when the array types are known', async () => {
  const pool = connect({ socketDir: folder, database: 'postgres' }, { max: 3 })
  await pool`select 1`
  const reserved = await Promise.all([pool.reserve(), pool.reserve(), pool.reserve()])
  const pids = await Promise.all(reserved.map((connection) => connection`select pg_backend_pid() as pid`))
  expect(new Set(pids.map(([row]) => row?.pid)).size).toBe(3)
  for (const connection of reserved) connection.release()
  await pool.end()
})
