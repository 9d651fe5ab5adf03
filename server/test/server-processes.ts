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

/** PgBouncer in transaction mode, with further lines of pgbouncer.ini; undefined if it is not installed. */
export async function openPooler(
  databasePort: number,
  additionalSettings: string[] = [],
): Promise<{ port: number; close(): Promise<void> } | undefined> {
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
    ...additionalSettings,
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
/** Longer than a busy process takes; one that is stopped by a signal never answers. */
const READINESS_TIMEOUT_MS = 20_000

/** Whether a process can serve requests, and its answer to /readyz or why there is none. */
type Readiness = { isReady: boolean; state: string }

/** One process of the product, which can be stopped, killed and restarted. */
export class Process {
  readonly port: number
  readonly #kind: 'web' | 'worker'
  readonly #env: NodeJS.ProcessEnv
  #child: ChildProcess | undefined

  constructor(kind: 'web' | 'worker', port: number, env: NodeJS.ProcessEnv) {
    this.port = port
    this.#kind = kind
    this.#env = { ...process.env, ...env, PORT: String(port) }
  }

  /** Starts it and waits until it is ready. Throws an Error with its output if it ends or takes too long. */
  async start(): Promise<void> {
    const script = path.join(projectRoot, 'server/dist', `${this.#kind}.js`)
    const child = spawn(process.execPath, [script], { env: this.#env, stdio: ['ignore', 'pipe', 'inherit'] })
    this.#child = child
    const output = captureOutput(child)
    const isStarted = async () => {
      if (this.#hasEnded) throw new Error(`It ended with ${child.signalCode ?? `exit code ${child.exitCode}`}.`)
      return this.#kind === 'web' ? (await this.checkReadiness()).isReady : output().includes('Worker started')
    }
    await vi.waitUntil(isStarted, { timeout: START_TIMEOUT_MS, interval: 30 }).catch((error) => {
      throw new Error(`The ${this.#kind} process did not start. ${error.message}\nOutput:\n${output()}`)
    })
  }

  /** Ends it as an operator does, and returns its exit code. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const child = this.#child
    if (!child || this.#hasEnded) return null
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

  /** Asks a web process whether it is ready. Never rejects. */
  async checkReadiness(): Promise<Readiness> {
    try {
      const signal = AbortSignal.timeout(READINESS_TIMEOUT_MS)
      const reply = await fetch(`http://localhost:${this.port}/readyz`, { signal })
      return { isReady: reply.ok, state: `${reply.status} ${await reply.text()}` }
    } catch (error) {
      const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException }
      return { isReady: false, state: cause?.code ?? message }
    }
  }

  get #hasEnded(): boolean {
    return this.#child !== undefined && (this.#child.exitCode !== null || this.#child.signalCode !== null)
  }
}

function captureOutput(child: ChildProcess): () => string {
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  return () => output
}

const agent = new Agent({ keepAlive: false })
type ProxiedRequest = { path: string; method?: string; body?: string; headers?: Record<string, string> }

const POLL_INTERVAL_MS = 50
/** Longer than any request takes: PostgreSQL ends a statement of a request after a minute. */
const REQUEST_TIMEOUT_MS = 90_000

/**
 * Sends requests to the ready processes in turn, as a proxy does. If a process does not listen the next one is used;
 * once a request has been sent it is not repeated. A request fails if no process is ready or there is no answer.
 */
export function proxyTo(processes: Process[]) {
  let nextIndex = 0
  const readiness = new Map<Process, Readiness>(processes.map((one) => [one, { isReady: true, state: 'started' }]))
  // Each process is checked on its own: one that answers slowly must not delay what is known of the others.
  const pollLoops = processes.map((one) =>
    repeatEvery(POLL_INTERVAL_MS, createLog('silent'), async () => {
      readiness.set(one, await one.checkReadiness())
    }),
  )
  const isReady = (one: Process) => readiness.get(one)?.isReady === true
  const describeStates = () => processes.map((one) => `port ${one.port}: ${readiness.get(one)?.state}`).join('; ')
  const send = (port: number, { path, method = 'GET', body, headers = {} }: ProxiedRequest) =>
    new Promise<{ status: number; bytes: Buffer }>((answered, failed) => {
      const outgoing = httpRequest({ host: 'localhost', port, path, method, headers, agent }, (response) => {
        buffer(response).then((bytes) => answered({ status: response.statusCode ?? 0, bytes }), failed)
      })
      const onTimeout = () => outgoing.destroy(new Error(`No answer in ${REQUEST_TIMEOUT_MS / 1000} s.`))
      outgoing.setTimeout(REQUEST_TIMEOUT_MS, onTimeout).on('error', failed).end(body)
    })
  const forward = async (request: ProxiedRequest) => {
    for (let attempt = 1; ; attempt++) {
      const ready = processes.filter(isReady)
      const target = ready[nextIndex++ % ready.length]
      if (!target) throw new Error(`No process is ready for ${request.path}: ${describeStates()}`)
      try {
        return await send(target.port, request)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED' && attempt < processes.length) continue
        throw new Error(`${request.path}: ${(error as Error).message} (${describeStates()})`)
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
  /** Waits until requests are sent to a process again. */
  const waitUntilReady = async (one: Process) => {
    await vi
      .waitUntil(() => isReady(one), { timeout: START_TIMEOUT_MS, interval: POLL_INTERVAL_MS })
      .catch(() => {
        throw new Error(`The process on port ${one.port} is not ready: ${describeStates()}`)
      })
  }
  const close = async () => {
    await Promise.all(pollLoops.map((loop) => loop.stop()))
  }
  return { ask, get: forward, waitUntilReady, close }
}
