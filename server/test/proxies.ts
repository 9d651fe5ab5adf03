import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { projectRoot } from '../src/platform/project-root.ts'
import { freePort } from './free-port.ts'

/** A running proxy: `origin` is the URL that visitors use. */
export type RunningProxy = {
  origin: string
  /** Ends it, with SIGTERM unless another signal is given; resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/**
 * What a proxy needs: an empty folder, the pool's port and the port for visitors, all on this computer. With
 * `mediaFolder`, nginx sends files from there, as deploy/nginx-sendfile.conf sets it up.
 */
export type ProxySettings = { folder: string; upstream: number; port: number; mediaFolder?: string }

const isThere = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0

/** deploy/nginx.conf and deploy/Caddyfile as operators copy them, with names and ports of this computer. */
export const PROXIES = [
  { name: 'nginx', isInstalled: isThere('nginx', '-v') && isThere('openssl', 'version'), start: startNginx },
  { name: 'Caddy', isInstalled: isThere('caddy', 'version'), start: startCaddy },
]

const readDeployFile = (name: string) => readFileSync(path.join(projectRoot, 'deploy', name), 'utf8')

/** Throws if a text to replace is missing: the file is then not what operators copy. */
function replaceAll(text: string, pairs: [string, string][]): string {
  return pairs.reduce((sum, [from, to]) => {
    if (!sum.includes(from)) throw new Error(`"${from}" is not in the file of deploy/.`)
    return sum.replaceAll(from, to)
  }, text)
}

async function run(command: string, args: string[], env: NodeJS.ProcessEnv, origin: string): Promise<RunningProxy> {
  // A separate process group: a killed nginx would leave its workers, which use its port.

  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
    detached: true,
  })
  const exited = once(child, 'exit')
  let output = ''
  child.stderr.on('data', (text) => {
    output += text
  })
  const stop: RunningProxy['stop'] = async (signal = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
    process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal)
    await exited
  }
  const deadline = performance.now() + 60_000
  while ((await send(`${origin}/`).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${output}`)
    if (performance.now() > deadline) {
      await stop('SIGKILL')
      throw new Error(`${command} does not answer: ${output}`)
    }
    await pause(30)
  }
  return { origin, stop }
}

export async function startNginx({ folder, upstream, port, mediaFolder }: ProxySettings): Promise<RunningProxy> {
  const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')]
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  spawnSync('openssl', [...request, '-subj', '/CN=localhost', '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const site = replaceAll(readDeployFile('nginx.conf'), [
    ['listen 80;', `listen 127.0.0.1:${await freePort()};`],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['pool.example;', 'localhost;'],
    ['/etc/letsencrypt/live/pool.example/fullchain.pem', cert],
    ['/etc/letsencrypt/live/pool.example/privkey.pem', key],
    ['127.0.0.1:3000', `127.0.0.1:${upstream}`],
    ...(mediaFolder === undefined
      ? []
      : ([['#include snippets/dubplate-sendfile.conf', `include ${folder}/sendfile.conf`]] as [string, string][])),
  ])
  writeFileSync(path.join(folder, 'site.conf'), site)
  if (mediaFolder !== undefined) {
    const sendfile = replaceAll(readDeployFile('nginx-sendfile.conf'), [
      ['/var/lib/dubplate/media/', `${mediaFolder}/`],
    ])
    writeFileSync(path.join(folder, 'sendfile.conf'), sendfile)
  }
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const main = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    ...['daemon off;', 'worker_processes 1;', `pid ${folder}/pid;`, 'error_log stderr;', 'events {}', 'http {'],
    ...[`  access_log ${folder}/access.log;`, ...kinds.map((kind) => `  ${kind}_temp_path ${folder}/${kind};`)],
    ...[`  include ${folder}/site.conf;`, '}'],
  ]
  writeFileSync(path.join(folder, 'nginx.conf'), main.join('\n'))
  return run('nginx', ['-p', folder, '-c', path.join(folder, 'nginx.conf')], {}, `https://localhost:${port}`)
}

async function startCaddy({ folder, upstream, port }: ProxySettings): Promise<RunningProxy> {
  const data = path.join(folder, 'data')
  mkdirSync(data, { recursive: true })
  const site = replaceAll(readDeployFile('Caddyfile'), [
    // Certificates are left to Caddy in production.
    ['\npool.example {', `\nhttp://:${port} {`],
    ['127.0.0.1:3000', `127.0.0.1:${upstream}`],
  ])
  writeFileSync(path.join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${site}`)
  const env = { HOME: folder, XDG_DATA_HOME: data, XDG_CONFIG_HOME: data }
  const args = ['run', '--adapter', 'caddyfile', '--config', path.join(folder, 'Caddyfile')]
  return run('caddy', args, env, `http://localhost:${port}`)
}

type FileUpload = { method?: string; headers?: Record<string, string>; body?: Buffer }
type HttpResponse = { status: number; headers: IncomingMessage['headers']; body: string }

/** A request on its own connection. Not `fetch`, which trusts no self-signed certificate and cannot set Host. */
export const open = (url: string, { method = 'GET', headers = {} }: Omit<FileUpload, 'body'> = {}) => {
  const options = { method, headers, agent: false as const, family: 4 }
  return url.startsWith('https:')
    ? secureRequest(url, { ...options, rejectUnauthorized: false })
    : plainRequest(url, options)
}

/** A request and its whole response. Throws if the connection breaks. */
export async function send(url: string, { body, ...sent }: FileUpload = {}): Promise<HttpResponse> {
  const request = open(url, sent).end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode ?? 0, headers: response.headers, body: text }
}
