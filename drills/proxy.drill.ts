import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { makeWav } from '../server/test/audio-files.ts'
import { freePort } from '../server/test/free-port.ts'
import { open, PROXIES, type RunningProxy, send } from '../server/test/proxies.ts'
import { type Drill, type DrillOptions, type DrillResult, startProgram, withTemporaryFolder } from './drill.ts'
import { type PoolProcess, startPool } from './pool-process.ts'

const ROUNDS = 3
/** Longer than all buffers between the two ends, so that a transfer without a reader stays in progress. */
const SECONDS = 120
/** Newsletter requests that one IP address may make per hour. */
const NEWSLETTERS_PER_HOUR = 10

/** Kills nginx and Caddy, configured with the files of deploy/, in the middle of downloads and uploads. */
export const proxyDrill: Drill = {
  name: 'proxy',
  summary:
    'kills nginx and Caddy in the middle of downloads and uploads; visitors claim false addresses and host names',
  run: (options) => withTemporaryFolder((folder) => runRounds(folder, options)),
}

type Counts = { downloads: number; uploads: number; kills: number; accepted: number; foreign: number; refused: number }

async function runRounds(folder: string, { rounds = ROUNDS, report }: DrillOptions): Promise<DrillResult> {
  const proxies = PROXIES.filter(({ isInstalled }) => isInstalled)
  if (proxies.length < PROXIES.length) throw new Error('This drill needs nginx, openssl and Caddy: install them first.')
  const dataDir = path.join(folder, 'data')
  const port = await freePort()
  const pool = startPool(dataDir, port, { DEMO: 'auto', DEMO_SONGS: '1', LOG_LEVEL: 'warn' })
  const counts: Counts = { downloads: 0, uploads: 0, kills: 0, accepted: 0, foreign: 0, refused: 0 }
  try {
    if (!(await pool.untilReady())) throw new Error(`The pool did not start: ${pool.lines.slice(-5).join('\n')}`)
    report(`adding ${rounds * proxies.length} songs …`)
    await addSongs(path.join(folder, 'music'), dataDir, rounds * proxies.length)
    const versions = await versionsOf(pool)
    for (const { name, start } of proxies) {
      const home = path.join(folder, name)
      mkdirSync(home)
      const settings = { folder: home, upstream: port, port: await freePort() }
      const visit = new ProxyVisit(() => start(settings), counts)
      await visit.begin()
      try {
        for (let round = 1; round <= rounds; round++) {
          await visit.download(versions.pop() ?? 0)
          await visit.upload(round, name)
          report(`${name}, round ${round}: ${counts.downloads} downloads and ${counts.uploads} uploads complete`)
        }
        await visit.claim()
      } finally {
        await visit.end()
      }
    }
  } finally {
    await pool.stop()
  }
  const expected = rounds * proxies.length
  const isComplete = counts.downloads === expected && counts.uploads === expected && counts.kills === 2 * expected
  return {
    metric:
      `${counts.kills} kills of a proxy: ${counts.downloads} of ${expected} downloads and ${counts.uploads} of ${expected} uploads continued ` +
      `and arrived whole, each download counted once; of 30 requests with false addresses ${counts.accepted} passed a limit of ${NEWSLETTERS_PER_HOUR}; ` +
      `${counts.refused} of ${counts.foreign} requests for the demo under another host name were refused`,
    hasPassed: isComplete && counts.accepted <= NEWSLETTERS_PER_HOUR && counts.refused === counts.foreign,
  }
}

async function addSongs(music: string, dataDir: string, count: number): Promise<void> {
  mkdirSync(music)
  for (let n = 0; n < count; n++)
    writeFileSync(
      path.join(music, `Drill - Proxy ${n + 1} (Clean).wav`),
      makeWav({ seconds: SECONDS, tone: 300 + 40 * n }),
    )
  const imported = startProgram('pool', { DATA_DIR: dataDir }, ['import', music, '--genre', 'House'])
  const { code } = await imported.exited
  if (code !== 0) throw new Error(`The songs could not be added: ${imported.lines.slice(-5).join('\n')}`)
}

type NewReleasesReply = { songs: { version: { song_version_id: number }[] }[] }

async function versionsOf({ origin }: PoolProcess): Promise<number[]> {
  const reply = await fetch(`${origin}/api/song/search.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ searchTerm: 'artist:Drill' }),
  })
  const { data } = (await reply.json()) as { data: NewReleasesReply }
  return data.songs.flatMap(({ version }) => version.map(({ song_version_id }) => song_version_id))
}

/** One member's visit through one proxy, which is killed and started again. */
class ProxyVisit {
  #proxy: RunningProxy | undefined
  #token = ''
  readonly #start: () => Promise<RunningProxy>
  readonly #counts: Counts

  constructor(start: () => Promise<RunningProxy>, counts: Counts) {
    this.#start = start
    this.#counts = counts
  }

  get #origin(): string {
    return this.#proxy?.origin ?? ''
  }

  async begin(): Promise<void> {
    this.#proxy = await this.#start()
    const { token } = await this.#ask<{ token: string }>('customer/sign-in.json', {
      email: 'dj@demo.test',
      password: 'dubplate',
    })
    this.#token = token
  }

  async end(): Promise<void> {
    await this.#proxy?.stop()
  }

  async #killAndStart(): Promise<void> {
    await this.#proxy?.stop('SIGKILL')
    this.#counts.kills++
    this.#proxy = await this.#start()
  }

  async #ask<T>(address: string, body: object): Promise<T> {
    const reply = await send(`${this.#origin}/api/${address}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}),
      },
      body: Buffer.from(JSON.stringify(body)),
    })
    if (reply.status !== 200) throw new Error(`${address} returned ${reply.status}: ${reply.body.slice(0, 300)}`)
    return (JSON.parse(reply.body) as { data: T }).data
  }

  /**
   * Interrupts a download by killing the proxy and resumes it: the file must be complete, identical, and counted once.
   */
  async download(version: number): Promise<void> {
    const downloadLink = await this.#ask<{ url: string; bytes: number }>('download/song-version.json', { version })
    const { part, etag } = await beginDownload(this.#origin + downloadLink.url, () => this.#killAndStart())
    const rest = await fetchBytes(this.#origin + downloadLink.url, { range: `bytes=${part.length}-`, 'if-range': etag })
    const wholeFile = Buffer.concat([part, rest])
    const { downloads } = await this.#ask<{ downloads: Record<string, number> }>('download/customer-downloads.json', {})
    // A second download counts, and delivers the whole file over an uninterrupted connection.
    const retriedLink = await this.#ask<{ url: string }>('download/song-version.json', { version })
    const fullDownload = await fetchBytes(this.#origin + retriedLink.url)
    const isComplete =
      part.length < downloadLink.bytes && wholeFile.length === downloadLink.bytes && wholeFile.equals(fullDownload)
    if (isComplete && downloads[version] === 1) this.#counts.downloads++
  }

  /** Interrupts an upload by killing the proxy, requests its offset, and sends the rest. */
  async upload(round: number, name: string): Promise<void> {
    const bytes = makeWav({ seconds: 60, tone: 100 + 7 * this.#counts.kills })
    const headers = { 'tus-resumable': '1.0.0', authorization: `Bearer ${this.#token}` }
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const begun = await send(`${this.#origin}/api/upload/files`, {
      method: 'POST',
      headers: {
        ...{ ...headers, 'content-length': '0', 'upload-length': String(bytes.length) },
        'upload-metadata': `filename ${base64(`Drill ${name} - Sent ${round} (Dirty).wav`)},sha256 ${base64(sha256)}`,
      },
    })
    if (begun.status !== 201) throw new Error(`An upload returned ${begun.status}: ${begun.body}`)
    const uploadUrl = this.#origin + new URL(String(begun.headers.location), this.#origin).pathname
    const patch = { ...headers, 'content-type': 'application/offset+octet-stream' }
    const sending = open(uploadUrl, {
      method: 'PATCH',
      headers: { ...patch, 'upload-offset': '0', 'content-length': String(bytes.length) },
    })
    const connectionError = once(sending, 'error')
    // Sends half of the bytes and never the rest.
    await new Promise<void>((resolve) => sending.write(bytes.subarray(0, bytes.length >> 1), () => resolve()))
    await this.#killAndStart()
    await connectionError
    const offset = await offsetOf(uploadUrl, headers)
    const rest = bytes.subarray(offset)
    const patchResponse = await send(uploadUrl, {
      ...{ method: 'PATCH', body: rest },
      headers: { ...patch, 'upload-offset': String(offset), 'content-length': String(rest.length) },
    })
    if (patchResponse.status === 204 && patchResponse.headers['upload-offset'] === String(bytes.length))
      this.#counts.uploads++
  }

  /** Sends forged IP addresses to get around a limit, and another host name to reach the demo. */
  async claim(): Promise<void> {
    for (let n = 0; n < 15; n++) {
      const { status } = await send(`${this.#origin}/api/common/newsletter.json`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${n}` },
        body: Buffer.from(JSON.stringify({ email: `dj${n}@drill.example` })),
      })
      if (status === 200) this.#counts.accepted++
    }
    for (const host of ['pool.example', 'attacker.example:443', '203.0.113.7']) {
      const { status } = await send(`${this.#origin}/`, { headers: { host } })
      this.#counts.foreign++
      if (status === 421) this.#counts.refused++
    }
  }
}

/**
 * Reads a download whose connection is broken after at least one chunk, and returns what arrived and its
 * ETag.
 */
async function beginDownload(
  url: string,
  abortAfterBytes: () => Promise<void>,
): Promise<{ part: Buffer; etag: string }> {
  const [response] = (await once(open(url).end(), 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  while (chunks.length === 0) {
    const chunk: Buffer | null = response.read()
    if (chunk) chunks.push(chunk)
    else await once(response, 'readable')
  }
  await abortAfterBytes()
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer)
  } catch {
    // The connection broke, as expected.
  }
  return { part: Buffer.concat(chunks), etag: String(response.headers.etag) }
}

async function fetchBytes(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const [response] = (await once(open(url, { headers }).end(), 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** The offset of an upload. The server first has to release the interrupted request, so this retries until it has. */
async function offsetOf(uploadUrl: string, headers: Record<string, string>): Promise<number> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const { status, headers: apiReply } = await send(uploadUrl, { method: 'HEAD', headers })
    if (status === 200) return Number(apiReply['upload-offset'])
    if (performance.now() > deadline) throw new Error(`The upload cannot be resumed: HEAD returned ${status}.`)
  }
}
