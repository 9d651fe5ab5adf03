import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { connect as connectTo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import { vi } from 'vitest'
import { createLog } from '../src/platform/log.ts'
import { projectRoot } from '../src/platform/project-root.ts'
import { repeatEvery } from '../src/platform/repeat-every.ts'
import { freePort } from './free-port.ts'

/** A TCP port connected to the socket of the tests' database, for separate processes that need a URL. */
export async function openDatabaseProxy(socketDir: string): Promise<{ port: number; close(): void }> {
  const server: Server = createServer((from) => {
    const to = connectTo(path.join(socketDir, '.s.PGSQL.5432'))
    from.pipe(to).on('error', () => from.destroy())
    to.pipe(from).on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    to.on('close', () => from.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as { port: number }).port, close: () => server.close() }
}

const isThere = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined

/** PgBouncer in transaction mode; undefined if it is not installed. */
export async function openPooler(databasePort: number): Promise<{ port: number; close(): Promise<void> } | undefined> {
  if (!isThere('pgbouncer')) return undefined
  const port = await freePort()
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-pooler-'))
  chmodSync(folder, 0o755)
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${databasePort} user=dubplate`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 8',
    'max_client_conn = 100',
  ]
  const file = path.join(folder, 'pgbouncer.ini')
  writeFileSync(file, settings.join('\n'), { mode: 0o644 })
  // It runs as nobody if we are root.
  const nobodyArguments = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const pooler = spawn('pgbouncer', ['-q', ...nobodyArguments, file], { stdio: 'ignore' })
  await vi.waitUntil(() => isListening(port), { timeout: 20_000, interval: 30 })
  const close = async () => {
    const ended = once(pooler, 'exit')
    pooler.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { port, close }
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const line = connectTo(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    line.on('connect', () => line.destroy())
  })

const START_TIMEOUT_MS = 60_000

/** One process of the product, which can be stopped, killed and restarted. */
export class Process {
  readonly port: number
  readonly #isWeb: boolean
  readonly #script: string
  readonly #env: NodeJS.ProcessEnv
  #child: ChildProcess | undefined

  constructor(script: 'web' | 'worker', port: number, env: NodeJS.ProcessEnv) {
    this.port = port
    this.#isWeb = script === 'web'
    this.#script = path.join(projectRoot, 'server/dist', `${script}.js`)
    this.#env = { ...process.env, ...env, PORT: String(port) }
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [this.#script], { env: this.#env, stdio: ['ignore', 'pipe', 'inherit'] })
    this.#child = child
    const output = captureOutput(child)
    const isStarted = () => (this.#isWeb ? this.isReady() : output().includes('Worker started'))
    await vi.waitUntil(isStarted, { timeout: START_TIMEOUT_MS, interval: 30 }).catch(() => {
      throw new Error(`It did not start. What it said:\n${output()}`)
    })
  }

  /** Ends it as an operator does, and returns its exit code. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return null
    const ended = once(child, 'exit')
    child.kill(signal)
    const [code] = (await ended) as [number | null]
    return code
  }

  async restart(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const code = await this.stop(signal)
    await this.start()
    return code
  }

  isReady = () =>
    fetch(`http://localhost:${this.port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
}

function captureOutput(child: ChildProcess): () => string {
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  return () => output
}

const agent = new Agent({ keepAlive: false })
type FileUpload = { path: string; method?: string; body?: string; headers?: Record<string, string> }

const POLL_INTERVAL_MS = 50

/**
 * Sends requests to the ready processes in turn, as a proxy does. If a process does not listen the next one is used;
 * once a request has been sent it is not repeated.
 */
export function proxyTo(processes: Process[]) {
  let nextIndex = 0
  let ready: number[] = processes.map(({ port }) => port)
  const checkReady = async () => {
    const seen = await Promise.all(processes.map((one) => one.isReady()))
    ready = processes.filter((_, n) => seen[n]).map(({ port }) => port)
  }
  const pollLoop = repeatEvery(POLL_INTERVAL_MS, createLog('silent'), checkReady)
  const send = (port: number, { path, method = 'GET', body, headers = {} }: FileUpload) =>
    new Promise<{ status: number; bytes: Buffer }>((answered, failed) => {
      const outgoing = httpRequest({ host: 'localhost', port, path, method, headers, agent }, (response) => {
        buffer(response).then((bytes) => answered({ status: response.statusCode ?? 0, bytes }), failed)
      })
      outgoing.on('error', failed).end(body)
    })
  const forward = async (sent: FileUpload) => {
    for (let tries = 1; ; tries++) {
      const port = ready[nextIndex++ % ready.length]
      if (port === undefined) throw new Error('No process is ready.')
      try {
        return await send(port, sent)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || tries === processes.length) throw error
      }
    }
  }
  /** The data of an endpoint's reply; throws the error of a failed request. */
  const ask = async <E extends Endpoint>(call: E, input: InputOf<E>, token?: string): Promise<ReplyOf<E>> => {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': `127.9.${nextIndex >> 8}.${nextIndex & 255}`,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    }
    const { status, bytes } = await forward({
      path: `/api/${call.path}`,
      method: 'POST',
      body: JSON.stringify(input),
      headers,
    })
    const reply = JSON.parse(String(bytes))
    if (status !== 200) throw new Error(`${call.path}: ${status} ${reply.message}`)
    return reply.data
  }
  return { ask, get: forward, close: () => pollLoop.stop() }
}
