import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { downloads, library, membership } from '@dubplate/contract'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeApp } from '../src/app.ts'
import { TRANSFER_REPORT_PATH } from '../src/downloads/transfer-reports.ts'
import { makeWav } from './audio-files.ts'
import { freePort } from './free-port.ts'
import { aMember, aSong } from './makers.ts'
import { openTestPool, type TestPool } from './pool.ts'
import { open, PROXIES, type RunningProxy, startNginx } from './proxies.ts'
import { waitUntil } from './wait-until.ts'

const isInstalled = PROXIES.some(({ name, isInstalled }) => name === 'nginx' && isInstalled)
if (!isInstalled)
  process.stderr.write('nginx is not installed: the tests of deploy/nginx-sendfile.conf are left out.\n')

let pool: TestPool
let app: TestPool['app']
let port = 0
/** The files that the pool let nginx send. */
const handedOver: string[] = []
const reportedBytes: number[] = []

beforeAll(async () => {
  pool = await openTestPool({ config: { sendfile: 'nginx' } })
  app = await makeApp(pool.ctx)
  app.addHook('onSend', async (_request, reply) => {
    const file = reply.getHeader('x-accel-redirect')
    if (file !== undefined) handedOver.push(String(file))
  })
  // Before the report is counted, which a test waits for.
  app.addHook('onRequest', async (request) => {
    if (request.url === TRANSFER_REPORT_PATH) reportedBytes.push(Number(request.headers['x-transfer-bytes']))
  })
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(async () => {
  await app.close()
  await pool.close()
})

const mediaFolder = () => path.join(pool.ctx.config.dataDir, 'media')

/** nginx as deploy/ sets it up: with `folder`, it sends the files in there. */
async function startProxy(folder?: string): Promise<RunningProxy> {
  const home = mkdtempSync(path.join(tmpdir(), 'dubplate-sendfile-'))
  const proxy = await startNginx({
    folder: home,
    upstream: port,
    port: await freePort(),
    ...(folder ? { mediaFolder: folder } : {}),
  })
  onTestFinished(async () => {
    await proxy.stop()
    rmSync(home, { recursive: true, force: true })
  })
  return proxy
}

type Reply = { status: number; headers: IncomingMessage['headers']; body: Buffer }

async function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  const request = open(url, { method, headers }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }
}

const link = async (version: number | undefined, token: string) =>
  (await pool.ask(downloads.downloadVersion, { version: version ?? 0 }, token)).url

/** A song whose tagged copy exists, and a member of staff, whose downloads are not limited. */
async function aCopiedSong(proxy: RunningProxy, wavs?: Buffer[]) {
  const song = await aSong(pool.ctx, wavs ? { wavs } : {})
  const version = song.versionIds[0]
  const staff = await aMember(pool.ctx, { staff_role: 'admin' })
  for (let n = 0; n < 2; n++) await get(proxy.origin + (await link(version, staff.token)))
  expect(handedOver.at(-1)).toContain('/_dubplate/downloads/tagged/')
  return { ...song, version, staff }
}

async function readTransfer(customer_id: number) {
  const [transfer] = await pool.ctx.sql<
    { sent_bytes: number; open_download_id: number | null; used: number; reports: number }[]
  >`
    select t.sent_bytes, g.open_download_id, g.used, (select count(*)::int from transfer_report
      join download_link using (link_id) where transfer_id = t.transfer_id) as reports
    from download_transfer t join download d using (download_id)
      join download_grant g on g.customer_id = t.customer_id and g.song_version_id = d.song_version_id
    where t.customer_id = ${customer_id} order by t.transfer_id desc limit 1`
  return transfer
}

const ETAG = 'the ETag of the file'
const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT'
const LATER = 'Sun, 06 Nov 2094 08:49:37 GMT'

/** Requests, and whether nginx sends the bytes. */
const REQUESTS: [Record<string, string>, boolean][] = [
  [{}, true],
  [{ range: 'bytes=0-99' }, true],
  [{ range: 'bytes=100-' }, true],
  [{ range: 'bytes=-100' }, true],
  [{ range: 'bytes=-999999999' }, true],
  [{ range: 'bytes=0-999999999' }, true],
  [{ range: 'bytes=99-99' }, true],
  [{ range: 'bytes=999999999-' }, false],
  [{ range: 'bytes=9-5' }, false],
  [{ range: 'bytes=-0' }, false],
  [{ range: 'bytes=0-1,5-9' }, false],
  [{ range: 'lines=1-2' }, false],
  [{ range: 'bytes=100-199', 'if-range': ETAG }, true],
  [{ range: 'bytes=100-199', 'if-range': '"other"' }, true],
  [{ range: 'bytes=100-199', 'if-range': LATER }, false],
  [{ 'if-none-match': ETAG }, false],
  [{ 'if-none-match': '"other"' }, true],
  [{ 'if-none-match': '*' }, false],
  [{ 'if-modified-since': LATER }, true],
  [{ 'if-unmodified-since': DATE }, false],
  [{ 'if-match': '"other"' }, false],
]

test.runIf(isInstalled)(
  'the status, headers and bytes of downloads and previews are the same as without SENDFILE',
  { timeout: 180_000 },
  async () => {
    const [sendfile, plain] = [await startProxy(mediaFolder()), await startProxy()]
    const { version, staff, entity_id } = await aCopiedSong(sendfile)
    await pool.ask(library.favouriteAddRemove, { songId: entity_id }, staff.token)
    const { songs } = await pool.ask(library.favouriteIndex, { page: 1 }, staff.token)
    const { profile } = await pool.ask(membership.getProfile, {}, staff.token)
    const preview = `${songs[0]?.version[0]?.mp3}?k=${profile.media_key}`
    const kinds: (() => Promise<string>)[] = [
      () => link(version, staff.token),
      async () => new URL(preview, 'http://pool').href.slice(11),
    ]
    for (const url of kinds) {
      const { etag } = (await get(plain.origin + (await url()), {}, 'HEAD')).headers
      for (const [headers, isSentByNginx] of REQUESTS)
        for (const method of ['GET', 'HEAD']) {
          const sent = Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [name, value === ETAG ? String(etag) : value]),
          )
          const expected = await get(plain.origin + (await url()), sent, method)
          const target = await url()
          handedOver.length = 0
          const actual = await get(sendfile.origin + target, sent, method)
          const what = `${method} ${target.split('/')[1]} ${JSON.stringify(headers)}`
          expect(handedOver.length, what).toBe(isSentByNginx && method === 'GET' ? 1 : 0)
          expect({ ...actual, headers: comparable(actual) }, what).toEqual({
            ...expected,
            headers: comparable(expected),
          })
        }
    }
  },
)

/** Without the time of the reply. */
const comparable = ({ headers: { date: _date, ...others } }: Reply) => others

/** Larger than what the sockets between nginx and a visitor buffer. */
const aLargeWav = (tone: number) => makeWav({ seconds: 100, tone })

/** Requests a file and disconnects after its first bytes; returns how many arrived. */
async function interrupt(url: string, onData: () => unknown = () => undefined): Promise<number> {
  const request = open(url)
    .on('error', () => undefined)
    .end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const [chunk] = (await once(
    response.on('error', () => undefined),
    'data',
  )) as [Buffer]
  response.pause()
  await onData()
  request.destroy()
  return chunk.length
}

test.runIf(isInstalled)(
  'a finished download is complete, and an interrupted one can be continued',
  { timeout: 180_000 },
  async () => {
    const proxy = await startProxy(mediaFolder())
    const { version } = await aCopiedSong(proxy, [aLargeWav(300)])
    const { customer_id, token } = await aMember(pool.ctx)
    const url = proxy.origin + (await link(version, token))
    const received = await interrupt(url)
    await waitUntil(async () => expect((await readTransfer(customer_id))?.reports).toBe(0))
    const interrupted = await readTransfer(customer_id)
    expect(interrupted?.open_download_id).not.toBeNull()
    expect(interrupted?.sent_bytes).toBe(reportedBytes.at(-1))
    expect(interrupted?.sent_bytes).toBeGreaterThanOrEqual(received)

    const whole = await get(url)
    expect(interrupted?.sent_bytes).toBeLessThan(whole.body.length)
    await waitUntil(async () =>
      expect(await readTransfer(customer_id)).toMatchObject({
        ...{ open_download_id: null, used: 1, reports: 0 },
        sent_bytes: (interrupted?.sent_bytes ?? 0) + whole.body.length,
      }),
    )
  },
)

test.runIf(isInstalled)(
  'a killed nginx leaves the download in progress, and the second copy is not counted again',
  { timeout: 180_000 },
  async () => {
    const proxy = await startProxy(mediaFolder())
    const { version } = await aCopiedSong(proxy, [aLargeWav(400)])
    const { customer_id, token } = await aMember(pool.ctx)
    await interrupt(proxy.origin + (await link(version, token)), () => proxy.stop('SIGKILL'))
    expect(await readTransfer(customer_id)).toMatchObject({ used: 1, reports: 1 })
    expect((await readTransfer(customer_id))?.open_download_id).not.toBeNull()

    const next = await startProxy(mediaFolder())
    const whole = await get(next.origin + (await link(version, token)))
    expect(whole.status).toBe(200)
    await waitUntil(async () =>
      expect(await readTransfer(customer_id)).toMatchObject({ used: 1, open_download_id: null }),
    )
  },
)

test.runIf(isInstalled)('a file that nginx cannot read is sent by the pool', { timeout: 180_000 }, async () => {
  const empty = mkdtempSync(path.join(tmpdir(), 'dubplate-empty-'))
  onTestFinished(() => rmSync(empty, { recursive: true, force: true }))
  const [sendfile, broken] = [await startProxy(mediaFolder()), await startProxy(empty)]
  const { version, staff } = await aCopiedSong(sendfile)
  const expected = await get(sendfile.origin + (await link(version, staff.token)))
  const { customer_id, token } = await aMember(pool.ctx)
  const reply = await get(broken.origin + (await link(version, token)))
  expect({ ...reply, headers: comparable(reply) }).toEqual({ ...expected, headers: comparable(expected) })
  await waitUntil(async () =>
    expect(await readTransfer(customer_id)).toMatchObject({
      ...{ sent_bytes: expected.body.length, open_download_id: null, reports: 0 },
    }),
  )
})

test.runIf(isInstalled)('visitors reach neither the files nor the report', { timeout: 180_000 }, async () => {
  const proxy = await startProxy(mediaFolder())
  const { version, files } = await aCopiedSong(proxy)
  const { customer_id, token } = await aMember(pool.ctx)
  mkdirSync(path.join(mediaFolder(), 'other'), { recursive: true })
  const [folder = ''] = readdirSync(path.join(mediaFolder(), 'tagged'))
  const [name = ''] = readdirSync(path.join(mediaFolder(), 'tagged', folder))
  const sha256 = files[0]?.sha256 ?? ''
  const audio = `audio/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
  for (const target of [
    ...[
      `/_dubplate/downloads/tagged/${folder}/${name}`,
      `/_dubplate/media/${audio}`,
      '/_dubplate/',
      '/_dubplate/media',
    ],
    ...[`/x/../_dubplate/media/${audio}`, `/%5fdubplate/media/${audio}`, `//_dubplate/media/${audio}`],
    ...['/_dubplate/media/../secret', '/_dubplate/media/%2e%2e/secret', '/_dubplate/media/..%2fsecret'],
  ])
    expect((await get(proxy.origin + target)).body.subarray(0, 3).toString(), target).not.toMatch(/ID3|TAG|RIF|\xff/)
  const url = await link(version, token)
  const forged = { 'x-transfer-bytes': '0', 'x-transfer-status': '200', 'x-transfer': '1.1.x' }
  expect((await get(proxy.origin + TRANSFER_REPORT_PATH, forged, 'POST')).status).toBe(404)
  // A visitor's own headers change neither who sends the file nor what is counted.
  const reply = await get(proxy.origin + url, {
    'x-sendfile-type': 'X-Sendfile',
    'x-sendfile-failed': '1',
    'x-transfer': '1',
  })
  expect(Object.keys(reply.headers).filter((header) => /accel|x-transfer|sendfile/.test(header))).toEqual([])
  await waitUntil(async () =>
    expect(await readTransfer(customer_id)).toMatchObject({ sent_bytes: reply.body.length, open_download_id: null }),
  )
})
