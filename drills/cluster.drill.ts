import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { connect, type Pool } from '../server/src/platform/db.ts'
import { Cluster } from './cluster/cluster.ts'
import { type Content, createContent, PASSWORD } from './cluster/content.ts'
import { type Checks, type KillResult, killUnderLoad, VICTIMS } from './cluster/kills.ts'
import { compareTotals, countUnrecordedPayments } from './cluster/ledger.ts'
import { Load } from './cluster/load.ts'
import { describeMissingPrograms } from './cluster/programs.ts'
import { measureThroughput } from './cluster/throughput.ts'
import { type Drill, type DrillOptions, type DrillResult, withTemporaryFolder } from './drill.ts'

/** Enough for an hour of visits. */
const MEMBERS = 5000
/** Workers add downloads to the totals every few seconds. */
const TOTALS_TIMEOUT_MS = 90_000

/**
 * A pool on several machines, all of them on this one: PostgreSQL with Patroni, etcd, HAProxy and PgBouncer, two web
 * processes behind nginx, two workers, and Ceph's S3 server, with the files of deploy/cluster. Each part is killed under
 * load and started again.
 */
export const clusterDrill: Drill = {
  name: 'cluster',
  summary: 'kills the parts of a pool on several machines in turn: web, worker, databases, PgBouncer, S3 store',
  run: (options) => {
    const missing = describeMissingPrograms()
    if (missing) return Promise.reject(new Error(missing))
    return withTemporaryFolder((folder) => runInFolder(folder, options))
  },
}

async function runInFolder(folder: string, { rounds = 1, report }: DrillOptions): Promise<DrillResult> {
  const startedAt = performance.now()
  const say = (line: string) =>
    report(`${String(Math.round((performance.now() - startedAt) / 1000)).padStart(4)} s  ${line}`)
  const cluster = await Cluster.create(folder)
  const stopAndExit = () =>
    void cluster.stop().finally(() => {
      rmSync(folder, { recursive: true, force: true })
      process.exit(130)
    })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAndExit)
  const sql = connect({ url: cluster.databaseUrl }, { max: 3 })
  try {
    await cluster.createCertificate()
    await cluster.startDatabase()
    say(`PostgreSQL runs: ${JSON.stringify(await cluster.database.roles())}`)
    await cluster.startStorage()
    say('the S3 store runs; adding songs and members')
    const content = await createContent(cluster.commandSettings, sql, folder, MEMBERS)
    await cluster.startPool()
    say(`the pool runs with ${content.versions.length} versions`)
    const throughput = await compareThroughput(cluster, content, say)
    const { results, total } = await runKills(cluster, content, sql, { rounds, say })
    return {
      metric: `${describeTotal(results)}; ${total}; ${throughput}`,
      hasPassed: hasPassed(results) && total === ALL_COUNTED,
    }
  } catch (error) {
    say(`logs are in ${copyLogs(folder)}`)
    throw error
  } finally {
    await sql.end({ timeout: 1 })
    await cluster.stop()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stopAndExit)
  }
}

/** Copies the logs of a failed drill to a folder that is not removed with it, and returns that folder. */
function copyLogs(folder: string): string {
  const target = mkdtempSync(path.join(tmpdir(), 'dubplate-drill-logs-'))
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.log')))
    copyFileSync(path.join(folder, file), path.join(target, file))
  return target
}

async function compareThroughput(cluster: Cluster, { members, versions }: Content, say: (line: string) => void) {
  const visitors = members.slice(-20, -1)
  const measure = () => measureThroughput(cluster.origin, visitors, versions)
  // Processes are faster once their code is compiled, so the first measurement is repeated.
  const first = await measure()
  await cluster.webs[1]?.stop()
  const one = await measure()
  await cluster.webs[1]?.start()
  const last = await measure()
  for (const line of [first, one, last].flatMap(({ lost }) => lost).slice(0, 5)) say(`lost: ${line}`)
  const two = `${first.perSecond} and ${last.perSecond} with two (before and after)`
  const text = `${one.perSecond} requests/s with one web process, ${two}, on ${cpus().length} cores with everything else`
  say(text)
  return text
}

const ALL_COUNTED =
  'all downloads are counted once in the totals of songs, and the provider has charged what the books say'

async function runKills(
  cluster: Cluster,
  content: Content,
  sql: Pool,
  { rounds, say }: { rounds: number; say: (line: string) => void },
): Promise<{ results: KillResult[]; total: string }> {
  const load = new Load({ ...content, origin: cluster.origin, password: PASSWORD })
  const checks: Checks = { sql, bucket: await cluster.openBucket(), checkedUploads: new Set() }
  const results: KillResult[] = []
  load.start()
  for (let round = 0; round < rounds; round++)
    for (const find of VICTIMS) {
      const result = await killUnderLoad(load, checks, await find(cluster))
      results.push(result)
      say(describeKill(result))
      for (const line of result.lost.slice(0, 5)) say(`   lost: ${line}`)
    }
  await load.stop()
  const { payments, downloads, uploads } = load.acknowledged
  say(`confirmed: ${payments.size} payments, ${downloads.size} downloads, ${uploads.size} uploads`)
  const [difference, unrecorded] = [await compareTotals(sql, TOTALS_TIMEOUT_MS), await countUnrecordedPayments(sql)]
  checks.bucket.destroy()
  const problem = `totals of songs differ by ${difference} downloads, the provider’s payments by ${unrecorded}`
  return { results, total: difference === 0 && unrecorded === 0 ? ALL_COUNTED : problem }
}

const describeKill = (result: KillResult): string =>
  `${result.name} killed: ${result.requests} requests, ${result.lost.length} lost, ${result.unavailable} × 503, ` +
  `${result.resumed} downloads resumed; lost after confirmation: ${result.lostPayments} payments, ` +
  `${result.lostDownloads} downloads, ${result.lostUploads} uploads; ${result.overCounts} counted twice; ` +
  `writes work after ${result.secondsUntilWrites.toFixed(1)} s, everything after ${result.secondsUntilAll.toFixed(1)} s`

const sumOf = (results: KillResult[], value: (result: KillResult) => number): number =>
  results.reduce((sum, result) => sum + value(result), 0)

const countLost = (result: KillResult) => result.lostPayments + result.lostDownloads + result.lostUploads

const describeTotal = (results: KillResult[]): string =>
  `${results.length} kills, ${sumOf(results, ({ requests }) => requests)} requests: ${sumOf(results, ({ lost }) => lost.length)} lost, ` +
  `${sumOf(results, ({ unavailable }) => unavailable)} answered with 503 and Retry-After; ` +
  `${sumOf(results, countLost)} confirmed payments, downloads or uploads lost, ${sumOf(results, ({ overCounts }) => overCounts)} counted twice; ` +
  `writes work again after at most ${Math.max(...results.map(({ secondsUntilWrites }) => secondsUntilWrites)).toFixed(1)} s`

const hasPassed = (results: KillResult[]): boolean =>
  results.every((result) => result.lost.length === 0 && countLost(result) === 0 && result.overCounts === 0) &&
  results.every(({ secondsUntilWrites }) => Number.isFinite(secondsUntilWrites))
