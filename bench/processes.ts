import { type ChildProcess, execFile, fork, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../server/test/free-port.ts'
import type { Load, Pulled } from './load-client.ts'
import { cpuSeconds, peakMemoryMb } from './measure.ts'

/** A process that answers on a port of this machine. */
export type Serving = { port: number; pid: number; stop(): Promise<void> }

export const built = (name: string): string => path.join(import.meta.dirname, `${name}.js`)

export function stopper(child: ChildProcess): () => Promise<void> {
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    await ended
  }
}

/** Waits until something answers OK at an address, for at most half a minute. */
export async function untilReady(address: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline && child.exitCode === null) {
    const ready = await fetch(address).then(
      async (reply) => reply.arrayBuffer().then(() => reply.ok),
      () => false,
    )
    if (ready) return
    await pause(30)
  }
  throw new Error(`${child.spawnfile} did not respond at ${address}.`)
}

/** A bare Node server in a process of its own: see bare-server.ts. */
export async function startBareServer(way: 'same' | 'pipe', file: string): Promise<Serving> {
  const child = fork(built('bare-server'), [way, file])
  const port = await new Promise<number>((told) => child.once('message', (message) => told(Number(message))))
  return { port, pid: child.pid ?? 0, stop: stopper(child) }
}

const NGINX = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx'].find(existsSync)

/** nginx with sendfile over a folder, one process without a master; undefined where there is no nginx. */
export async function startNginx(root: string, home: string): Promise<Serving | undefined> {
  if (!NGINX) return undefined
  mkdirSync(home, { recursive: true })
  const port = await freePort()
  const config = path.join(home, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${home}/${name};`)
    .join(' ')
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${home}/nginx.pid; error_log ${home}/error.log;
events { worker_connections 128; }
http { access_log off; ${temporary} sendfile on; tcp_nopush on; keepalive_requests 1000000;
  server { listen 127.0.0.1:${port}; root ${root}; } }`,
  )
  const child = spawn(NGINX, ['-p', home, '-c', config, '-e', `${home}/error.log`], { stdio: 'ignore' })
  writeFileSync(path.join(root, 'ready'), 'ready')
  await untilReady(`http://127.0.0.1:${port}/ready`, child)
  return { port, pid: child.pid ?? 0, stop: stopper(child) }
}

export type Measured = Pulled & {
  /** CPU the serving process used meanwhile. */
  cpu: number
  peakMb: number
}

/** Lets a client process of its own make these requests, and says what they cost the server. */
export async function pull(server: Serving, load: Omit<Load, 'port'>): Promise<Measured> {
  const before = cpuSeconds(server.pid)
  const asked: Load = { ...load, port: server.port }
  const { stdout } = await promisify(execFile)(process.execPath, [built('load-client'), JSON.stringify(asked)], {
    maxBuffer: 1 << 28,
  })
  const pulled = JSON.parse(stdout) as Pulled
  return { ...pulled, cpu: cpuSeconds(server.pid) - before, peakMb: peakMemoryMb(server.pid) }
}
