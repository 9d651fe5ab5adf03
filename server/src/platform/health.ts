import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { ApiError } from './api-error.ts'
import type { Pool } from './db.ts'
import { MIN_FREE_BYTES } from './disk-guard.ts'
import { addDiskGauges } from './disk-metrics.ts'
import type { Log } from './log.ts'
import { canReadMetrics } from './metrics-access.ts'
import { addGauges, type PoolGauge } from './metrics-gauges.ts'
import { outages } from './outage.ts'
import type { Replica } from './replica.ts'
import { measureRequests } from './request-metrics.ts'
import type { Storage } from './storage.ts'
import { version } from './version.ts'

/** More frequent requests get the last result; a bucket charges for each request. */
const CHECK_INTERVAL_MS = 15_000
const CHECK_TIMEOUT_MS = 1_500

export type HealthOptions = {
  gauges?: readonly PoolGauge[]
  isShuttingDown?: () => boolean
  /** The bearer token for /metrics; without one only programs on this machine may read it. */
  metricsToken?: string | undefined
  /** Returns why this process cannot do its work; undefined if it can. */
  findProblem?: () => string | undefined
  /** Folders whose disks are monitored, by their label in /metrics. */
  folders?: Record<string, string | undefined>
}

/**
 * /healthz: the process is alive. /readyz: whether it can serve requests, and the state of storage, which does not
 * affect readiness because requests and pages work without it. /metrics: Prometheus text format.
 */
export function serveHealth(
  app: FastifyInstance,
  {
    sql,
    replica,
    storage,
    log,
  }: {
    sql: Pool
    replica?: Pick<Replica, 'isUpToDate'> | undefined
    storage: Pick<Storage, 'check' | 'freeBytes'>
    log: Log
  },
  { gauges = [], isShuttingDown = () => false, metricsToken, folders = {}, findProblem }: HealthOptions = {},
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addGauges(registry, gauges, { sql, log })
  new Gauge({
    name: 'dubplate_build_info',
    help: 'Always 1. The labels are the version and commit of this process.',
    labelNames: ['version', 'commit'],
    registers: [registry],
  }).set({ ...version }, 1)
  addDiskGauges(registry, folders)
  const store = createStorageCheck(storage, log)
  new Gauge({
    name: 'dubplate_store_up',
    help: '1 if file storage is available, otherwise 0.',
    registers: [registry],
    async collect() {
      this.set((await store()) === 'ok' ? 1 : 0)
    },
  })
  if (replica) {
    new Gauge({
      name: 'dubplate_replica_fresh',
      help: '1 if lists are read from the read replica (DATABASE_READ_URL), otherwise 0.',
      registers: [registry],
      collect() {
        this.set(replica.isUpToDate() ? 1 : 0)
      },
    })
  }
  measureRequests(app, registry)
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (closing || isShuttingDown()) return reply.code(503).header('retry-after', '5').send({ status: 'stopping' })
    const problem = findProblem?.()
    if (problem) return reply.code(503).header('retry-after', '10').send({ status: 'not ready', problem })
    const failure = await findProblems(sql, storage)
    if (failure)
      return reply
        .code(503)
        .header('retry-after', '5')
        .send({ status: 'unavailable', ...failure })
    return { status: 'ready', store: await store() }
  })
  app.get('/metrics', async (request, reply) => {
    // For everyone else the endpoint does not exist.
    if (!canReadMetrics(request, metricsToken)) throw new ApiError('unknown_endpoint', 'Unknown API endpoint.')
    return reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics())
  })
}

/** How long /readyz waits for the database; a busy one responds within it. */
const DATABASE_TIMEOUT_MS = 3000

/** Returns what keeps the process from serving requests; undefined if nothing does. */
async function findProblems(
  sql: Pool,
  storage: Pick<Storage, 'freeBytes'>,
): Promise<{ database: 'unavailable' } | { disk: 'full' } | undefined> {
  const databaseAnswered = sql`select 1`.then(
    () => true,
    () => false,
  )
  const timedOut = new Promise<false>((resolve) => {
    setTimeout(resolve, DATABASE_TIMEOUT_MS, false).unref()
  })
  if (!(await Promise.race([databaseAnswered, timedOut]))) return { database: 'unavailable' }
  const free = await storage.freeBytes().catch(() => undefined)
  return free !== undefined && free < MIN_FREE_BYTES ? { disk: 'full' } : undefined
}

type CheckResult = 'ok' | 'away'

function createStorageCheck(storage: Pick<Storage, 'check'>, log: Log): () => Promise<CheckResult> {
  let lastMeasuredAt = Number.NEGATIVE_INFINITY
  let latest: Promise<CheckResult> = Promise.resolve('ok')
  const checkStorage = () =>
    storage.check().then(
      () => {
        outages.storage.recovered(log)
        return 'ok' as const
      },
      (error) => {
        outages.storage.failed(log, error)
        return 'away' as const
      },
    )
  return () => {
    if (performance.now() - lastMeasuredAt < CHECK_INTERVAL_MS) return latest
    lastMeasuredAt = performance.now()
    latest = Promise.race([checkStorage(), unavailableAfter(CHECK_TIMEOUT_MS)])
    return latest
  }
}

/** A readiness check does not wait for storage that does not respond. */
const unavailableAfter = (ms: number): Promise<CheckResult> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms, 'away').unref()
  })
