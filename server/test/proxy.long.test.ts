import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { uploads } from '@dubplate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from './free-port.ts'
import { aMember } from './makers.ts'
import { openTestPool } from './pool.ts'
import { open, PROXIES, send } from './proxies.ts'

for (const { name, isInstalled } of PROXIES)
  if (!isInstalled) process.stderr.write(`${name} is not installed: its tests are left out.\n`)

/** Starts a proxy that ends with the test; returns its URL for visitors. */
async function startProxyFor(start: (typeof PROXIES)[number]['start'], upstream: number): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-proxy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { origin, stop } = await start({ folder, upstream, port: await freePort() })
  onTestFinished(() => stop())
  return origin
}

const TUS = { 'tus-resumable': '1.0.0' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each(PROXIES)(
  'a pool behind $name as deploy/ sets it up',
  { timeout: 120_000 },
  async ({ isInstalled, start, ...proxy }) => {
    if (!isInstalled) return void process.stderr.write(`Left out: ${proxy.name} is not installed.\n`)
    const pool = await openTestPool()
    onTestFinished(() => pool.close())
    const address = new URL(await pool.app.listen({ port: 0, host: '127.0.0.1' }))
    const origin = await startProxyFor(start, Number(address.port))

    expect((await send(`${origin}/healthz`)).body).toBe('{"status":"ok"}')
    expect((await send(`${origin}/metrics`)).status).toBe(404)
    expect((await send(`${address.origin}/metrics`)).status).toBe(200)

    const member = await aMember(pool.ctx)
    const bytes = randomBytes(9 * 1024 * 1024)
    const authorization = `Bearer ${member.token}`
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const begun = await send(origin + uploads.RESUMABLE_PATH, {
      method: 'POST',
      headers: {
        ...{ ...TUS, authorization, 'content-length': '0', 'upload-length': String(bytes.length) },
        'upload-metadata': `filename ${base64('Kwame - Tide (Dirty).wav')},sha256 ${base64(sha256)}`,
      },
    })
    expect([begun.status, begun.body]).toEqual([201, ''])
    const uploadUrl = new URL(String(begun.headers.location), origin)
    const chunk = bytes.subarray(0, 8 * 1024 * 1024)
    const patchResponse = await send(`${origin}${uploadUrl.pathname}`, {
      ...{ method: 'PATCH', body: chunk },
      headers: {
        ...{ ...TUS, authorization, 'upload-offset': '0', 'content-length': String(chunk.length) },
        'content-type': 'application/offset+octet-stream',
      },
    })
    expect([patchResponse.status, patchResponse.headers['upload-offset']]).toEqual([204, String(chunk.length)])
  },
)

test.each(PROXIES)(
  '$name passes on the caller’s address, and streams in both directions without delay',
  { timeout: 120_000 },
  async ({ isInstalled, start, ...proxy }) => {
    if (!isInstalled) return void process.stderr.write(`Left out: ${proxy.name} is not installed.\n`)
    let arrived: ((received: string) => void) | undefined
    let headers: IncomingMessage['headers'] = {}
    const upstream = createServer((request, response) => {
      headers = request.headers
      if (request.url !== '/live') return void response.end('done')
      request.on('data', (received) => arrived?.(String(received)))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n')
    }).listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    onTestFinished(() => {
      upstream.closeAllConnections()
      upstream.close()
    })
    const origin = await startProxyFor(start, (upstream.address() as { port: number }).port)
    await send(`${origin}/`, { headers: { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'gopher' } })
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': new URL(origin).protocol.slice(0, -1),
      host: new URL(origin).host,
    })
    // The first part of a body arrives before the last is sent, and the first event before the response ends.
    const firstPiece = new Promise<string>((resolve) => {
      arrived = resolve
    })
    const request = open(`${origin}/live`, { method: 'POST', headers: { 'content-length': '10' } })
    onTestFinished(() => void request.on('error', () => {}).destroy())
    // Added before anything is sent: the response may begin before the whole body has arrived.
    const answer = once(request, 'response') as Promise<[IncomingMessage]>
    request.write('first')
    expect(await firstPiece).toBe('first')
    const [response] = await answer
    const [event] = await once(response, 'data')
    expect(String(event)).toContain('data: first')
  },
)
