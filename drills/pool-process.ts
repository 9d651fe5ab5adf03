import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startProgram } from './drill.ts'

/** A pool started like `npm start` in its own folder, for drills that break it. */

export type PoolProcess = ReturnType<typeof startPool>

export function startPool(dataDir: string, port: number, settings: Record<string, string> = {}) {
  const started = startProgram('start', {
    ...{ DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port), DEMO: 'off', LOG_LEVEL: 'info' },
    ...settings,
  })
  const origin = `http://127.0.0.1:${port}`
  return {
    ...started,
    origin,
    hasEnded: () => started.child.exitCode !== null || started.child.signalCode !== null,
    /** Waits until the pool is ready. Returns false when it ended or the time limit passed. */
    untilReady: async (timeoutMs = 120_000) => {
      const deadline = performance.now() + timeoutMs
      while (performance.now() < deadline) {
        if (started.child.exitCode !== null || started.child.signalCode !== null) return false
        if ((await statusOf(`${origin}/readyz`)) === 200) return true
        await pause(100)
      }
      return false
    },
    stop: async () => {
      started.child.kill('SIGTERM')
      await started.exited
    },
  }
}

/** The status of a GET request; 0 when there is no response. */
export const statusOf = (address: string, timeoutMs = 60_000): Promise<number> =>
  fetch(address, { signal: AbortSignal.timeout(timeoutMs) }).then(
    async (reply) => {
      await reply.arrayBuffer()
      return reply.status
    },
    () => 0,
  )

/** The process id of the embedded database's main process; undefined when it has no lock file. */
export function postmasterOf(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
    return pid > 1 ? pid : undefined
  } catch {
    return undefined
  }
}

/** The running child processes of a process. */
export function childrenOf(pid: number): number[] {
  try {
    const childrenList = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return childrenList.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Sends a signal to processes that may have ended. */
export function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

export type Reply = { status: number; data: unknown; retryAfter: string | null; ms: number }

/** Calls the API; status 0 when there is no response within the time limit. */
export async function call(
  origin: string,
  address: string,
  body: object,
  { token, timeoutMs = 60_000 }: { token?: string; timeoutMs?: number } = {},
): Promise<Reply> {
  const startedAt = performance.now()
  const elapsedMs = () => Math.round(performance.now() - startedAt)
  try {
    const reply = await fetch(`${origin}/api/${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { data } = (await reply.json()) as { data: unknown }
    return { status: reply.status, data, retryAfter: reply.headers.get('retry-after'), ms: elapsedMs() }
  } catch {
    return { status: 0, data: null, retryAfter: null, ms: elapsedMs() }
  }
}

/** Signs in, retrying while the pool is unavailable. */
export async function signIn(origin: string, email: string, password: string): Promise<string> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const { data } = await call(origin, 'customer/sign-in.json', { email, password })
    const { token } = (data ?? {}) as { token?: string }
    if (token) return token
    await pause(1000)
  }
  throw new Error(`${email} could not sign in.`)
}

/**
 * Simulates members who browse, search and change their crates without a pause until `stop`. Counts the responses by
 * status.
 */
export function startLoad(origin: string, token: string | undefined, parallel = 8) {
  const statuses = new Map<number, number>()
  let slowest_ms = 0
  let isStopping = false
  const member = async (n: number) => {
    for (let requestIndex = n; !isStopping; requestIndex++) {
      const reply = await sendRandomRequest(origin, token, requestIndex)
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      slowest_ms = Math.max(slowest_ms, reply.ms)
      // A refused connection fails at once. The pause leaves CPU time to the process that is restarting.
      if (reply.status === 0 || reply.status === 503) await pause(20)
    }
  }
  const members = Array.from({ length: parallel }, (_, n) => member(n))
  return {
    statuses,
    slowest_ms: () => slowest_ms,
    stop: async () => {
      isStopping = true
      await Promise.all(members)
    },
  }
}

function sendRandomRequest(origin: string, token: string | undefined, requestIndex: number): Promise<Reply> {
  const tokenInput = token ? { token } : {}
  const entity_id = 1 + (requestIndex % 20)
  switch (requestIndex % 5) {
    case 0:
      return call(origin, 'song/get-new-release.json', { page: 1 + (requestIndex % 3) })
    case 1:
      return call(origin, 'song/search.json', { searchTerm: `love ${requestIndex % 50}` })
    case 2:
      return call(origin, 'crate/change.json', { song_ids: [entity_id] }, tokenInput)
    case 3:
      return call(origin, 'crate/change.json', { song_ids: [entity_id], action: 'remove' }, tokenInput)
    default:
      return call(origin, 'crate/index.json', {}, tokenInput)
  }
}
