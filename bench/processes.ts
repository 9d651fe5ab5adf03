import { type ChildProcess, execFile, fork, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { projectRoot } from '../server/src/platform/project-root.ts'
import { freePort } from '../server/test/free-port.ts'
import { closeAtExit } from './close-at-exit.ts'
import type { Load, LoadResult } from './load-client.ts'
import { cpuSeconds, peakMemoryMb } from './measure.ts'

/** A process that listens on a local port. */
export type ServerProcess = { port: number; pid: number; stop(): Promise<void> }

export const builtPath = (name: string): string => path.join(import.meta.dirname, `${name}.js`)

/** A function that stops a process. It is called at the latest when the benchmarks end. */
export const createStop = (child: ChildProcess): (() => Promise<void>) =>
  closeAtExit(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  })

/** Waits until a URL responds with an OK status, for at most 30 seconds. */
export async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline && child.exitCode === null) {
    const ready = await fetch(url).then(
      async (reply) => reply.arrayBuffer().then(() => reply.ok),
      () => false,
    )
    if (ready) return
    await pause(30)
  }
  throw new Error(`${child.spawnfile} did not respond at ${url}.`)
}

/** Starts a bare Node server in a separate process: see bare-server.ts. */
export async function startBareServer(responseMode: 'same' | 'pipe', file: string): Promise<ServerProcess> {
  const child = fork(builtPath('bare-server'), [responseMode, file])
  const stop = createStop(child)
  const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(Number(message))))
  return { port, pid: child.pid ?? 0, stop }
}

const NGINX = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx'].find(existsSync)

/** Starts nginx with sendfile for a folder, as one process without a master. Undefined when nginx is not installed. */
export async function startNginx(root: string, home: string): Promise<ServerProcess | undefined> {
  if (!NGINX) return undefined
  mkdirSync(home, { recursive: true })
  const port = await freePort()
  const config = path.join(home, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${home}/nginx.pid; error_log ${home}/error.log;
events { worker_connections 128; }
http { access_log off; ${temporaryPaths(home)} sendfile on; tcp_nopush on; keepalive_requests 1000000;
  server { listen 127.0.0.1:${port}; root ${root}; } }`,
  )
  const child = spawn(NGINX, ['-p', home, '-c', config, '-e', `${home}/error.log`], { stdio: 'ignore' })
  const stop = createStop(child)
  writeFileSync(path.join(root, 'ready'), 'ready')
  await untilReady(`http://127.0.0.1:${port}/ready`, child)
  return { port, pid: child.pid ?? 0, stop }
}

/** nginx's settings for its temporary files, which are otherwise in folders that only root may write to. */
const temporaryPaths = (home: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${home}/${name};`).join(' ')

/**
 * Starts nginx as deploy/nginx-sendfile.conf sets it up, without TLS, in front of a pool with this folder of media.
 * Undefined when nginx is not installed.
 */
export async function startFrontServer(
  pool: ServerProcess,
  media: string,
  home: string,
): Promise<ServerProcess | undefined> {
  if (!NGINX) return undefined
  mkdirSync(home, { recursive: true })
  const port = await freePort()
  const config = path.join(home, 'nginx.conf')
  const sendfile = readFileSync(path.join(projectRoot, 'deploy/nginx-sendfile.conf'), 'utf8')
  writeFileSync(path.join(home, 'sendfile.conf'), sendfile.replaceAll('/var/lib/dubplate/media/', `${media}/`))
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${home}/nginx.pid; error_log ${home}/error.log;
events { worker_connections 128; }
http { access_log off; ${temporaryPaths(home)} keepalive_requests 1000000;
  upstream dubplate { server 127.0.0.1:${pool.port}; keepalive 32; }
  server { listen 127.0.0.1:${port}; include ${home}/sendfile.conf;
    proxy_buffering off; proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_set_header Connection "";
    proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme;
    location / { proxy_pass http://dubplate; } } }`,
  )
  const child = spawn(NGINX, ['-p', home, '-c', config, '-e', `${home}/error.log`], { stdio: 'ignore' })
  const stop = createStop(child)
  await untilReady(`http://127.0.0.1:${port}/readyz`, child)
  return { port, pid: child.pid ?? 0, stop }
}

export type Measured = LoadResult & {
  /** CPU seconds the serving processes used during the measurement. */
  cpu: number
  peakMb: number
}

/**
 * Sends these requests from a separate client process and measures what they cost the server, and the processes behind
 * it.
 */
export async function runLoad(
  server: ServerProcess,
  load: Omit<Load, 'port'>,
  behind: readonly ServerProcess[] = [],
): Promise<Measured> {
  const cpu = () => [server, ...behind].reduce((sum, { pid }) => sum + cpuSeconds(pid), 0)
  const before = cpu()
  const fullLoad: Load = { ...load, port: server.port }
  const running = promisify(execFile)(process.execPath, [builtPath('load-client')], { maxBuffer: 1 << 28 })
  running.child.stdin?.end(JSON.stringify(fullLoad))
  const { stdout } = await running
  const loadResult = JSON.parse(stdout) as LoadResult
  return { ...loadResult, cpu: cpu() - before, peakMb: peakMemoryMb(server.pid) }
}
