import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { uploads } from '@dubplate/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { projectRoot } from '../src/platform/root.ts'
import { freePort } from './free-port.ts'
import { aMember } from './makers.ts'
import { openTestPool } from './pool.ts'

/** deploy/nginx.conf and deploy/Caddyfile as operators copy them, with the names and ports of the test. */

const isThere = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0
const PROXIES = [
  { name: 'nginx', isInstalled: isThere('nginx', '-v') && isThere('openssl', 'version'), start: startNginx },
  { name: 'Caddy', isInstalled: isThere('caddy', 'version'), start: startCaddy },
]
for (const { name, isInstalled } of PROXIES)
  if (!isInstalled) process.stderr.write(`${name} is not installed: its tests are left out.\n`)

function aFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-proxy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const readDeployed = (name: string) => readFileSync(path.join(projectRoot, 'deploy', name), 'utf8')

/** What has to be there for the test to mean something. */
function replaceAll(text: string, pairs: [string | RegExp, string][]): string {
  return pairs.reduce((sum, [from, to]) => {
    expect(sum).toMatch(from)
    return sum.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'gm'), to)
  }, text)
}

async function run(command: string, args: string[], env: NodeJS.ProcessEnv, origin: string): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  onTestFinished(async () => {
    const exited = once(child, 'exit')
    if (child.exitCode === null && child.kill('SIGTERM')) await exited
  })
  await vi.waitUntil(
    async () => {
      if (child.exitCode !== null) throw new Error(`${command} ended: ${said}`)
      return (await send(`${origin}/`).catch(() => undefined)) !== undefined
    },
    { timeout: 60_000, interval: 30 },
  )
  return origin
}

async function startNginx(upstream: number): Promise<string> {
  const folder = aFolder()
  const port = await freePort()
  const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')]
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  spawnSync('openssl', [...request, '-subj', '/CN=localhost', '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const site = replaceAll(readDeployed('nginx.conf'), [
    ['listen 80;', `listen 127.0.0.1:${await freePort()};`],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['pool.example;', 'localhost;'],
    ['/etc/letsencrypt/live/pool.example/fullchain.pem', cert],
    ['/etc/letsencrypt/live/pool.example/privkey.pem', key],
    ['127.0.0.1:3000', `127.0.0.1:${upstream}`],
  ])
  writeFileSync(path.join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `  ${kind}_temp_path ${folder}/${kind};`,
  )
  const main = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    ...['daemon off;', 'worker_processes 1;', `pid ${folder}/pid;`, `error_log stderr;`],
    ...[
      'events {}',
      'http {',
      `  access_log ${folder}/access.log;`,
      ...temporary,
      `  include ${folder}/site.conf;`,
      '}',
    ],
  ]
  writeFileSync(path.join(folder, 'nginx.conf'), main.join('\n'))
  return run('nginx', ['-p', folder, '-c', path.join(folder, 'nginx.conf')], {}, `https://localhost:${port}`)
}

async function startCaddy(upstream: number): Promise<string> {
  const folder = aFolder()
  const port = await freePort()
  mkdirSync(path.join(folder, 'data'))
  const site = replaceAll(readDeployed('Caddyfile'), [
    // Its certificate is Caddy's own business.
    [/^pool\.example \{/m, `http://localhost:${port} {`],
    ['127.0.0.1:3000', `127.0.0.1:${upstream}`],
  ])
  writeFileSync(path.join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${site}`)
  const env = { HOME: folder, XDG_DATA_HOME: path.join(folder, 'data'), XDG_CONFIG_HOME: path.join(folder, 'data') }
  const args = ['run', '--adapter', 'caddyfile', '--config', path.join(folder, 'Caddyfile')]
  return run('caddy', args, env, `http://localhost:${port}`)
}

type Sent = { method?: string; headers?: Record<string, string>; body?: Buffer }
type Answer = { status: number; headers: IncomingMessage['headers']; body: string }

/** Not `fetch`, which trusts no certificate of our own making and sets no X-Forwarded-For. */
const open = (url: string, { method = 'GET', headers = {} }: Omit<Sent, 'body'> = {}) => {
  const options = { method, headers, agent: false as const, family: 4 }
  return url.startsWith('https:')
    ? secureRequest(url, { ...options, rejectUnauthorized: false })
    : plainRequest(url, options)
}

async function send(url: string, { body, ...sent }: Sent = {}): Promise<Answer> {
  const request = open(url, sent).end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  for await (const piece of response) text += piece
  return { status: response.statusCode ?? 0, headers: response.headers, body: text }
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
    const origin = await start(Number(address.port))

    expect((await send(`${origin}/healthz`)).body).toBe('{"status":"ok"}')
    expect((await send(`${origin}/metrics`)).status).toBe(404)
    expect((await send(`${address.origin}/metrics`)).status).toBe(200)

    const member = await aMember(pool.world)
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
    const place = new URL(String(begun.headers.location), origin)
    const chunk = bytes.subarray(0, 8 * 1024 * 1024)
    const patched = await send(`${origin}${place.pathname}`, {
      ...{ method: 'PATCH', body: chunk },
      headers: {
        ...{ ...TUS, authorization, 'upload-offset': '0', 'content-length': String(chunk.length) },
        'content-type': 'application/offset+octet-stream',
      },
    })
    expect([patched.status, patched.headers['upload-offset']]).toEqual([204, String(chunk.length)])
  },
)

test.each(PROXIES)(
  '$name passes on who asks, and both ways without delay',
  { timeout: 120_000 },
  async ({ isInstalled, start, ...proxy }) => {
    if (!isInstalled) return void process.stderr.write(`Left out: ${proxy.name} is not installed.\n`)
    let arrived: ((piece: string) => void) | undefined
    let headers: IncomingMessage['headers'] = {}
    const upstream = createServer((request, response) => {
      headers = request.headers
      if (request.url !== '/live') return void response.end('done')
      request.on('data', (piece) => arrived?.(String(piece)))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n')
    }).listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    onTestFinished(() => {
      upstream.closeAllConnections()
      upstream.close()
    })
    const origin = await start((upstream.address() as { port: number }).port)
    await send(`${origin}/`, { headers: { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'gopher' } })
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': new URL(origin).protocol.slice(0, -1),
      host: new URL(origin).host,
    })
    // The first piece of a body gets through before the last is sent, and the first event before the answer ends.
    const firstPiece = new Promise<string>((resolve) => {
      arrived = resolve
    })
    const request = open(`${origin}/live`, { method: 'POST', headers: { 'content-length': '10' } })
    request.write('first')
    expect(await firstPiece).toBe('first')
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const [event] = await once(response, 'data')
    expect(String(event)).toContain('data: first')
    request.on('error', () => {}).destroy()
  },
)
