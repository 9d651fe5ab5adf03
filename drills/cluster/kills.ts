import { setTimeout as pause } from 'node:timers/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Pool } from '../../server/src/platform/db.ts'
import type { Cluster } from './cluster.ts'
import { type Discrepancies, findDiscrepancies } from './ledger.ts'
import type { Load } from './load.ts'

/** A part that is killed. */
type Victim = {
  name: string
  kill(): Promise<void>
  /** Starts it again and waits until it works. */
  restart(): Promise<void>
}

/** What a kill caused. Seconds count from the kill. */
export type KillResult = Discrepancies & {
  name: string
  requests: number
  unavailable: number
  resumed: number
  lost: string[]
  /** 0 if no write failed or took more than a second. */
  secondsUntilWrites: number
  /** Until the last 503 of any request; 0 if there was none. */
  secondsUntilAll: number
}

/** How long a killed part is missing. A primary database is missing at least until another one is primary. */
const OUTAGE_MS = 12_000
const FAILOVER_TIMEOUT_MS = 120_000
const QUIET_MS = 5000
const RECOVERY_TIMEOUT_MS = 120_000
/** A write that takes longer counts as one that did not work. */
const SLOW_WRITE_MS = 1000

/** Every part in turn. Which database is primary and which is synchronous is known when its turn has come. */
export const VICTIMS: ((cluster: Cluster) => Promise<Victim>)[] = [
  async ({ webs }) => victim('a web process', webs[0]!),
  async ({ workers }) => victim('a worker', workers[0]!),
  async (cluster) => {
    const { primary } = await cluster.database.untilComplete()
    const daemon = cluster.database.databaseOf(primary!)
    const kill = async () => {
      await daemon.kill()
      await untilAnotherPrimary(cluster, daemon.name)
    }
    return { ...victim('the primary database', daemon), kill, restart: () => restartDatabase(cluster, daemon) }
  },
  async (cluster) => {
    const { synchronous } = await cluster.database.untilComplete()
    const daemon = cluster.database.databaseOf(synchronous!)
    return { ...victim('the synchronous standby', daemon), restart: () => restartDatabase(cluster, daemon) }
  },
  async ({ database }) => victim('PgBouncer', database.pgbouncer),
  async ({ ceph }) => ({ name: 'the S3 store', kill: () => ceph.kill(), restart: () => ceph.start() }),
]

type Killable = { kill(): Promise<void>; start(): Promise<void> }

const victim = (name: string, part: Killable): Victim => ({
  name,
  kill: () => part.kill(),
  restart: () => part.start(),
})

async function restartDatabase(cluster: Cluster, daemon: Killable): Promise<void> {
  await daemon.start()
  await cluster.database.untilComplete()
}

async function untilAnotherPrimary(cluster: Cluster, killed: string): Promise<void> {
  const deadline = performance.now() + FAILOVER_TIMEOUT_MS
  for (;;) {
    const { primary } = await cluster.database.roles()
    if (primary && primary !== killed) return
    if (performance.now() > deadline) throw new Error('No standby became primary.')
    await pause(200)
  }
}

export type Checks = { sql: Pool; bucket: S3Client; checkedUploads: Set<string> }

/** Kills a part under load, starts it again, and compares what members were told with what is stored. */
export async function killUnderLoad(load: Load, checks: Checks, part: Victim): Promise<KillResult> {
  await pause(QUIET_MS)
  const { traffic } = load
  const before = { ...traffic, lost: traffic.lost.length, writes: load.writes.length }
  const killedAt = performance.now()
  await part.kill()
  await pause(Math.max(0, killedAt + OUTAGE_MS - performance.now()))
  await part.restart()
  await untilQuiet(load)
  const writes = load.writes.slice(before.writes)
  const found = await findDiscrepancies(checks.sql, checks.bucket, load.acknowledged, checks.checkedUploads)
  return {
    name: part.name,
    requests: traffic.requests - before.requests,
    unavailable: traffic.unavailable - before.unavailable,
    resumed: traffic.resumed - before.resumed,
    lost: traffic.lost.slice(before.lost),
    secondsUntilWrites: secondsUntilWritesWork(writes, killedAt),
    secondsUntilAll: traffic.lastFailureAt > killedAt ? (traffic.lastFailureAt - killedAt) / 1000 : 0,
    ...found,
  }
}

/** Waits until no request has failed for a while. */
async function untilQuiet(load: Load): Promise<void> {
  const startedAt = performance.now()
  const since = () => performance.now() - Math.max(startedAt, load.traffic.lastFailureAt)
  while (since() < QUIET_MS && performance.now() - startedAt < RECOVERY_TIMEOUT_MS) await pause(200)
}

type Write = { startedAt: number; endedAt: number; succeeded: boolean }

/** Seconds from the kill to the end of the first write after which all writes succeeded within a second; 0 if all did. */
export function secondsUntilWritesWork(writes: readonly Write[], killedAt: number): number {
  const isBad = ({ startedAt, endedAt, succeeded }: Write) => !succeeded || endedAt - startedAt > SLOW_WRITE_MS
  const last = writes.findLastIndex(isBad)
  if (last === -1) return 0
  const working = writes[last]?.succeeded ? writes[last] : writes[last + 1]
  return working ? (working.endedAt - killedAt) / 1000 : Number.POSITIVE_INFINITY
}
