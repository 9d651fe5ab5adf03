import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connect } from './db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { createLog } from './log.ts'
import { findPostmaster } from './postmaster.ts'

let folder: string
let started: EmbeddedPostgres[]
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dubplate-pg-'))
  chmodSync(folder, 0o755)
  started = []
})
afterEach(async () => {
  for (const postgres of started) await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

const start = async () => {
  const postgres = await startEmbeddedPostgres(folder, createLog('silent'))
  started.push(postgres)
  return postgres
}
const open = (socketDir: string) => connect({ socketDir, database: 'postgres' }, { max: 1 })
const postmaster = () =>
  Number(readFileSync(path.join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])

test('two first starts at once in one folder share one database, and no data is lost', async () => {
  const [one, two] = await Promise.all([start(), start()])
  const first = open(one.socketDir)
  await first`create table kept (n int)`
  await first`insert into kept values (7)`
  const second = open(two.socketDir)
  expect(await second`select n from kept`).toEqual([{ n: 7 }])
  await Promise.all([first.end(), second.end()])
})

test('a killed database restarts by itself, whether adopted or not', async () => {
  await start()
  const { socketDir, isAdopted: adopted } = await start()
  expect(adopted).toBe(true)
  const killed = postmaster()
  process.kill(killed, 'SIGKILL')
  const sql = open(socketDir)
  const isServerBack = () => sql`select 1`.then(() => postmaster() !== killed).catch(() => false)
  await vi.waitUntil(isServerBack, { timeout: 60_000, interval: 100 })
  await sql.end()
})

test('removes a lock file left by a power cut if its process id belongs to another program', async () => {
  const { socketDir, stop } = await start()
  await stop()
  const lock = path.join(folder, 'postgres', 'cluster', 'postmaster.pid')
  const socketLock = path.join(socketDir, '.s.PGSQL.5432.lock')
  for (const file of [lock, socketLock]) writeFileSync(file, `${process.pid}\n/elsewhere\n1\n5432\n`)
  await start()
  const sql = open(socketDir)
  expect(await sql`select 1 as n`).toEqual([{ n: 1 }])
  await sql.end()
})

test('removes an empty lock file left by a power cut', async () => {
  const { stop } = await start()
  await stop()
  const lock = path.join(folder, 'postgres', 'cluster', 'postmaster.pid')
  writeFileSync(lock, '')
  utimesSync(lock, 0, 0)
  await start()
  expect(postmaster()).toBeGreaterThan(1)
})

test('waits while another process that starts the database has not yet written its lock file', async () => {
  const { stop } = await start()
  await stop()
  const lock = path.join(folder, 'postgres', 'cluster', 'postmaster.pid')
  writeFileSync(lock, '')
  const log = createLog('silent')
  const refused = new Promise<void>((resolve) => vi.spyOn(log, 'warn').mockImplementation(() => resolve()))
  const starting = startEmbeddedPostgres(folder, log)
  await Promise.race([refused, starting])
  rmSync(lock)
  started.push(await starting)
})

test('does not start a second database while the first is suspended, and adopts it once it continues', async () => {
  await start()
  const running = postmaster()
  process.kill(running, 'SIGSTOP')
  expect(findPostmaster(path.join(folder, 'postgres', 'cluster'))).toBe(running)
  process.kill(running, 'SIGCONT')
  expect((await start()).isAdopted).toBe(true)
  expect(postmaster()).toBe(running)
})

test('refuses a socket folder that Dubplate did not create', async () => {
  const deep = path.join(folder, 'a'.repeat(100))
  mkdirSync(deep, { mode: 0o755 })
  const { socketDir, stop } = await startEmbeddedPostgres(deep, createLog('silent'))
  await stop()
  expect(path.dirname(socketDir)).toBe(tmpdir())
  rmSync(socketDir, { recursive: true })
  symlinkSync(folder, socketDir)
  await expect(startEmbeddedPostgres(deep, createLog('silent'))).rejects.toThrow(
    'is not a database folder created by Dubplate',
  )
  rmSync(socketDir)
})
