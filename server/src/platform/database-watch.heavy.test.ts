import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { DatabaseSockets } from './database-sockets.ts'
import { watchDatabase } from './database-watch.ts'
import { connect, type Pool } from './db.ts'
import { createLog } from './log.ts'

/**
 * A connection to the database that can become silent without closing, like that to a stopped server or over a lost
 * network.
 */
async function createSocket() {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-watch-'))
  const servers = new Set<Socket>()
  let isSilent = false
  const proxy = createServer((client) => {
    const server = connectSocket(path.join(inject('socketDir'), '.s.PGSQL.5432'))
    servers.add(server)
    client.on('error', () => {}).on('close', () => server.destroy())
    server
      .on('error', () => {})
      .on('close', () => {
        servers.delete(server)
        client.destroy()
      })
    client.pipe(server).pipe(client)
    if (isSilent) server.pause().unpipe(client)
  })
  await new Promise<void>((resolve) => proxy.listen(path.join(folder, '.s.PGSQL.5432'), resolve))
  onTestFinished(() => {
    for (const server of servers) server.destroy()
    proxy.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const stopTraffic = () => {
    isSilent = true
    for (const server of servers) server.unpipe().pause()
  }
  const resumeTraffic = () => {
    isSilent = false
  }
  return { where: { socketDir: folder, database: 'postgres' }, fallSilent: stopTraffic, speak: resumeTraffic }
}

test('statements waiting for a silent database fail as unavailable, and the same pool works once it responds again', async () => {
  const { where, fallSilent: stopTraffic, speak: resumeTraffic } = await createSocket()
  const sockets = new DatabaseSockets()
  const sql = connect(where, { sockets, max: 2 })
  const watch = watchDatabase(connect(where, { sockets, max: 1 }), sockets, createLog('silent'), { silence_ms: 300 })
  await sql`select 1`
  stopTraffic()
  await expect(sql`select 2`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  resumeTraffic()
  await vi.waitFor(async () => expect(await sql`select 3 as n`).toEqual([{ n: 3 }]), { timeout: 60_000 })
  await watch.stop()
  await sql.end({ timeout: 1 })
})

test('a slow statement does not count as a silent database', async () => {
  const { where } = await createSocket()
  const sockets = new DatabaseSockets()
  const sql = connect(where, { sockets, max: 1 })
  const watch = watchDatabase(connect(where, { sockets, max: 1 }), sockets, createLog('silent'), { silence_ms: 1000 })
  expect(await sql`select 4 as n from pg_sleep(3)`).toEqual([{ n: 4 }])
  await watch.stop()
  await sql.end({ timeout: 1 })
})

test('connections that lead to a standby are closed, so that new ones can reach the new primary', async () => {
  const { where } = await createSocket()
  const sockets = new DatabaseSockets()
  const sql = connect(where, { sockets, max: 1 })
  const recovery = { is_standby: true }
  const ping = Object.assign(async () => [recovery], { end: async () => {} }) as unknown as Pool
  const waiting = expect(sql`select pg_sleep(600)`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  await vi.waitUntil(() => sockets.hasReceived(), { timeout: 60_000, interval: 10 })
  const watch = watchDatabase(ping, sockets, createLog('silent'))
  await waiting
  recovery.is_standby = false
  await vi.waitFor(async () => expect(await sql`select 5 as n`).toEqual([{ n: 5 }]), { timeout: 60_000 })
  await watch.stop()
  await sql.end({ timeout: 1 })
})
