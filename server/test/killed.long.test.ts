import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { downloads, type Endpoint, type InputOf, library, membership, type ReplyOf } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closeSentTransfers } from '../src/downloads/transfers.ts'
import { readConfig } from '../src/platform/config.ts'
import { connect, type Pool } from '../src/platform/db.ts'
import { createLog } from '../src/platform/log.ts'
import { projectRoot } from '../src/platform/project-root.ts'
import { createAppContext } from '../src/process.ts'
import { makeWav } from './audio-files.ts'
import { freePort } from './free-port.ts'
import { aSong } from './makers.ts'

/** The real process, `server/dist/start.js`, killed and stopped during transfers. */
const dataDir = mkdtempSync(path.join(tmpdir(), 'dubplate-kill-'))
let port = 0
let server: ChildProcess
let sql: Pool
let token = ''
let song: Awaited<ReturnType<typeof aSong>>

async function startServer(): Promise<void> {
  server = spawn(process.execPath, [path.join(projectRoot, 'server/dist/start.js')], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), DEMO_SONGS: '1', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const isReady = () =>
    fetch(`http://localhost:${port}/readyz`)
      .then((response) => response.ok)
      .catch(() => false)
  await vi.waitUntil(isReady, { timeout: 90_000, interval: 50 })
}

async function kill(): Promise<void> {
  const deleted = once(server, 'exit')
  server.kill('SIGKILL')
  await deleted
}

async function ask<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<ReplyOf<E>> {
  const response = await fetch(`http://localhost:${port}/api/${endpoint.path}`, {
    method: endpoint.method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(input),
  })
  const reply = (await response.json()) as { data: ReplyOf<E> }
  expect(response.status, JSON.stringify(reply)).toBe(200)
  return reply.data
}

/** Opens a transfer and reads nothing of it yet. */
async function startUpload(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const outgoing = httpRequest({ host: 'localhost', port, path: url, headers }).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return response
}

/** Returns the first bytes that arrive: the transfer is in progress, and continues when it is read further. */
async function readFirstBytes(response: IncomingMessage): Promise<Buffer> {
  for (;;) {
    const chunk: Buffer | null = response.read()
    if (chunk !== null) return chunk
    await once(response, 'readable')
  }
}

/** What arrives until the transfer ends or breaks. */
async function readAll(response: IncomingMessage): Promise<{ bytes: Buffer; broken: boolean }> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer)
    return { bytes: Buffer.concat(chunks), broken: !response.complete }
  } catch {
    return { bytes: Buffer.concat(chunks), broken: true }
  }
}

/** One second of audio, repeated. */
function longWav(tone: number, seconds: number): Buffer {
  const one = makeWav({ seconds: 1, tone })
  const data = Buffer.concat(Array.from({ length: seconds }, () => one.subarray(44)))
  const head = Buffer.from(one.subarray(0, 44))
  head.writeUInt32LE(36 + data.length, 4)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

const countDownloads = async () => Object.values((await ask(downloads.customerDownloads, {})).downloads)

beforeAll(async () => {
  chmodSync(dataDir, 0o755)
  port = await freePort()
  await startServer()
  sql = connect({ socketDir: path.join(dataDir, 'postgres', 'run'), database: 'postgres' }, { max: 4 })
  const ctx = await createAppContext(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }), createLog('silent'), {
    sql,
  })
  // Larger than all the buffers between the two ends, so that a transfer without a reader is still in progress.
  const large = [longWav(300, 120), longWav(301, 120)]
  song = await aSong(ctx, { title: 'Long one', artist: 'Killed', versions: ['Clean', 'Dirty'], wavs: large })
  const signedIn = await ask(membership.signIn, { email: 'dj@demo.test', password: 'dubplate' })
  token = signedIn.token
  await sql`delete from download_grant`
})

afterAll(async () => {
  // Our connection first, so that nobody else uses the database when its own server stops it.
  await sql.end({ timeout: 1 })
  const deleted = once(server, 'exit')
  server.kill('SIGTERM')
  await deleted
  rmSync(dataDir, { recursive: true, force: true })
})

/** Returns what arrives of a transfer until the server is killed, at least one chunk. */
async function readUntilKilled(transfer: IncomingMessage): Promise<Buffer> {
  const firstBytes = await readFirstBytes(transfer)
  await kill()
  const remainingBytes = await readAll(transfer)
  expect(remainingBytes.broken).toBe(true)
  return Buffer.concat([firstBytes, remainingBytes.bytes])
}

test('a server killed during a download counts it once, and the rest can be resumed with the same bytes', async () => {
  const version = song.versionIds[0] ?? 0
  const first = await ask(downloads.downloadVersion, { version })
  const transfer = await startUpload(first.url)
  const etag = String(transfer.headers.etag)
  const part = await readUntilKilled(transfer)
  expect(part.length).toBeLessThan(first.bytes)
  await startServer()
  const again = await ask(downloads.downloadVersion, { version })
  expect(again).toMatchObject({ used: 1, bytes: first.bytes })
  const rest = await readAll(await startUpload(again.url, { range: `bytes=${part.length}-`, 'if-range': etag }))
  expect(part.length + rest.bytes.length).toBe(first.bytes)
  // The killed server did not record what it had sent, so the download stays in progress and costs nothing more.
  expect(await ask(downloads.downloadVersion, { version })).toMatchObject({ used: 1 })
  await sql`delete from download_grant`
  const whole = await readAll(await startUpload((await ask(downloads.downloadVersion, { version })).url))
  expect(Buffer.concat([part, rest.bytes]).equals(whole.bytes)).toBe(true)
})

test('a download that was completely sent by a killed server ends an hour later', async () => {
  await sql`delete from download_grant`
  const version = song.versionIds[1] ?? 0
  const first = await ask(downloads.downloadVersion, { version })
  const transfer = await startUpload(first.url)
  const part = await readUntilKilled(transfer)
  await startServer()
  await readAll(await startUpload(first.url, { range: `bytes=${part.length}-` }))
  const twoHoursLater = new Date(Date.now() + 2 * 3_600_000)
  const isClosed = async () => {
    await closeSentTransfers({ sql, now: () => twoHoursLater })
    return (await ask(downloads.downloadVersion, { version })).used === 2
  }
  await expect.poll(isClosed).toBe(true)
})

test('a server killed during a bundle counts its files once, and the zip can be resumed', async () => {
  await sql`delete from download_grant`
  await ask(library.crateChange, { version_ids: song.versionIds })
  const first = await ask(downloads.downloadCrateBundle, {})
  const transfer = await startUpload(first.url)
  const etag = String(transfer.headers.etag)
  const part = await readUntilKilled(transfer)
  await startServer()
  expect(await countDownloads()).toEqual([1, 1])
  const rest = await readAll(await startUpload(first.url, { range: `bytes=${part.length}-`, 'if-range': etag }))
  expect(rest.broken).toBe(false)
  expect(part.length + rest.bytes.length).toBe(first.bytes)
  expect(await countDownloads()).toEqual([1, 1])
})

test('a server that is asked to stop lets a transfer in progress finish', async () => {
  await sql`delete from download_grant`
  const { url, bytes } = await ask(downloads.downloadVersion, { version: song.versionIds[1] ?? 0 })
  const transfer = await startUpload(url)
  const firstBytes = await readFirstBytes(transfer)
  const deleted = once(server, 'exit')
  server.kill('SIGTERM')
  await expect
    .poll(() =>
      fetch(`http://localhost:${port}/healthz`).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed')
  const read = await readAll(transfer)
  expect([read.broken, firstBytes.length + read.bytes.length]).toEqual([false, bytes])
  expect(await deleted).toEqual([0, null])
  await startServer()
  const [download] =
    await sql`select completed_at from download where song_version_id = ${song.versionIds[1] ?? 0} order by download_id desc limit 1`
  expect(download?.completed_at).toEqual(expect.any(Date))
})
