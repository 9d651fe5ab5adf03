import { request } from 'node:http'
import { catalogue, type Endpoint } from '@dubplate/contract'
import { countMetrics } from '../server/src/dashboard/metric-days.ts'
import { type BenchPool, openBenchPool, type Server } from './bench-pool.ts'
import { endpointOf, listMeasuredCalls, type MeasuredCall, nameOf, readSampleRows } from './call-inputs.ts'
import { explainCalls, type PlanWarnings } from './call-plans.ts'
import { type Callers, openCallers } from './callers.ts'
import { fillHistory, hasHistory, historySize } from './fill-history.ts'
import { cpuSeconds, cpuSecondsOf, median, quantile, timed } from './measure.ts'
import { atMostTarget, type Finding, ms, type Report } from './results.ts'
import { readSongPages } from './song-reads.ts'

/** Of these one is the 95th percentile. */
const ROUNDS = 20
/** A prepared statement is planned for each of its first five runs. */
const PLANNED_READS = 6
/** At least as many as the server has to the database. */
const CONNECTIONS = 12
/** A call this slow at its first request; many of one that is much slower at once would reach the time limit of a statement. */
const SLOW_MS = 200
const MAX_MEDIAN_MS = 10
const MAX_P95_MS = 25
/** With ten times as many rows, a call may take this much more: log n grows by a sixth to a fifth, and CPU times vary. */
const MAX_GROWTH = 1.5
const MIN_GROWTH_MS = 2

type CallTimes = {
  call: MeasuredCall
  /** CPU milliseconds of the database and of the web process, and bytes as sent, for each request. */
  database: number[]
  web: number[]
  bytes: number[]
}

type Measured = {
  calls: CallTimes[]
  /** CPU milliseconds of the database for reading 24 songs by their ids. */
  songReads: number[]
}

/**
 * CPU time and bytes of the calls of the pool (bench/call-inputs.ts), in a pool with `pool.songs` songs and one with a
 * tenth of it, with the members, downloads and so on of fill-history.ts. Both are kept if `pool` is.
 * @param prefixes of the names of the calls to measure; none for all
 */
export async function benchCalls(pool: BenchPool, prefixes: readonly string[] = []): Promise<Report> {
  const small = await openBenchPool(Math.ceil(pool.songs / 10), pool.keptIn && `${pool.keptIn}-tenth`)
  try {
    const before = await measureCalls(small, prefixes)
    const after = await measureCalls(pool, prefixes)
    return report(pool, before, after, await explainMeasured(pool, prefixes))
  } finally {
    await small.close()
  }
}

async function measureCalls(pool: BenchPool, prefixes: readonly string[]): Promise<Measured> {
  await fillOnce(pool)
  const callers = await openCallers(pool.sql)
  const calls = await listCalls(pool, callers, prefixes)
  // CPU time is read from the processes of the server's connections, which parallel workers are not.
  await pool.sql`alter database postgres set max_parallel_workers_per_gather = 0`
  const server = await pool.startServer()
  try {
    return { songReads: await measureSongReads(pool), calls: await measureRounds(server, calls, callers) }
  } finally {
    await server.stop()
    await pool.sql`alter database postgres reset max_parallel_workers_per_gather`
  }
}

/** Random songs; the first rounds only plan the statement. */
async function measureSongReads({ sql, songs }: BenchPool): Promise<number[]> {
  const pages = Array.from({ length: PLANNED_READS + ROUNDS }, () =>
    Array.from({ length: catalogue.SONGS_PER_PAGE }, () => 1 + Math.floor(Math.random() * songs)),
  )
  const { cpu } = await readSongPages(sql, pages)
  return cpu.slice(PLANNED_READS)
}

async function fillOnce(pool: BenchPool): Promise<void> {
  await fillWithHistory(pool)
  // The nightly job: days that were not counted would be counted by each look at the figures.
  await countMetrics(pool.sql, new Date())
}

async function fillWithHistory(pool: BenchPool): Promise<void> {
  if (await hasHistory(pool.sql)) return
  const start = performance.now()
  await fillHistory(pool.sql, pool.songs)
  const { members, downloads } = historySize(pool.songs)
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(
    `Added ${members.toLocaleString('en')} members and ${downloads.toLocaleString('en')} downloads in ${seconds} s.`,
  )
}

/**
 * Measures the slow calls after all others: they evict caches of the processor and use many connections, so that the
 * call after one of them takes up to ten times as long.
 */
async function measureRounds(server: Server, calls: MeasuredCall[], { tokens }: Callers): Promise<CallTimes[]> {
  const times = calls.map((call): CallTimes => ({ call, database: [], web: [], bytes: [] }))
  const slow = new Set<CallTimes>()
  for (const one of times) if (await warmUp(server, one.call, tokens)) slow.add(one)
  const errors: string[] = []
  for (const group of [times.filter((one) => !slow.has(one)), [...slow]])
    for (let round = 0; round < ROUNDS; round++) await measureRound(server, group, round, tokens, errors)
  if (errors.length > 0) throw new Error(errors.join('\n'))
  return times
}

/** Requests a call once, and unless it is slow, once on every connection, so that each has planned its statements. */
async function warmUp(server: Server, call: MeasuredCall, tokens: Callers['tokens']): Promise<boolean> {
  const [input] = call.inputs
  if (!input) return false
  const request = () => send(server, endpointOf(call), input, tokens[call.caller])
  const { ms: first } = await timed(request)
  if (first >= SLOW_MS) return true
  await Promise.all(Array.from({ length: CONNECTIONS }, request))
  return false
}

/** Each call once, so that a repeated one is not answered from a cache of a second. */
async function measureRound(
  server: Server,
  times: CallTimes[],
  round: number,
  tokens: Callers['tokens'],
  errors: string[],
): Promise<void> {
  const backends = await server.backends()
  for (const one of times) {
    const { call } = one
    const input = call.inputs[(round + 1) % call.inputs.length]
    if (!input) continue
    const [database, web] = [cpuSecondsOf(backends), cpuSeconds(server.pid)]
    const bytes = await send(server, endpointOf(call), input, tokens[call.caller]).catch((error: Error) => {
      errors.push(error.message)
      return 0
    })
    one.database.push((cpuSecondsOf(backends) - database) * 1000)
    one.web.push((cpuSeconds(server.pid) - web) * 1000)
    one.bytes.push(bytes)
  }
}

/** Sends one request as a browser does, and resolves to the bytes of its body as sent. Throws if it does not succeed. */
function send(server: Server, { path, method }: Endpoint, input: object, token: string | undefined): Promise<number> {
  const isGet = method === 'GET'
  const query = isGet ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const headers = {
    'accept-encoding': 'gzip, deflate, br, zstd',
    ...(isGet ? {} : { 'content-type': 'application/json' }),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  }
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: server.port, path: `/api/${path}${query}`, method, headers },
      async (reply) => {
        const body = Buffer.concat(await reply.toArray())
        if (reply.statusCode === 200) resolve(body.length)
        else
          reject(
            new Error(`${path} ${JSON.stringify(input)}: ${reply.statusCode} ${body.toString('utf8').slice(0, 300)}`),
          )
      },
    )
    sent.on('error', reject).end(isGet ? undefined : JSON.stringify(input))
  })
}

async function explainMeasured(pool: BenchPool, prefixes: readonly string[]): Promise<PlanWarnings> {
  const callers = await openCallers(pool.sql)
  const calls = await listCalls(pool, callers, prefixes)
  return explainCalls(pool, calls, callers.tokens)
}

async function listCalls(pool: BenchPool, { memberId }: Callers, prefixes: readonly string[]): Promise<MeasuredCall[]> {
  const calls = listMeasuredCalls(await readSampleRows(pool.sql, memberId))
  const chosen = calls.filter(
    (call) => prefixes.length === 0 || prefixes.some((prefix) => nameOf(call).startsWith(prefix)),
  )
  if (chosen.length === 0) throw new Error(`No call has a name that begins with ${prefixes.join(' or ')}.`)
  return chosen
}

const totals = ({ database, web }: CallTimes): number[] => database.map((value, n) => value + (web[n] ?? 0))

function findMarks(before: CallTimes | undefined, after: CallTimes, warnings: readonly string[]): string[] {
  const [p50, p95] = [median(totals(after)), quantile(totals(after), 0.95)]
  const small = before ? median(totals(before)) : Number.NaN
  return [
    ...(p50 > MAX_MEDIAN_MS ? ['median'] : []),
    ...(p95 > MAX_P95_MS ? ['p95'] : []),
    ...(p50 > small * MAX_GROWTH && p50 - small > MIN_GROWTH_MS ? ['growth'] : []),
    ...warnings,
  ]
}

function report(pool: BenchPool, before: Measured, after: Measured, plans: PlanWarnings): Report {
  const marked: { finding: Finding; marks: string[] }[] = after.calls.map((times, n) => {
    const small = before.calls[n]
    const marks = findMarks(small, times, plans.get(nameOf(times.call)) ?? [])
    const finding: Finding = {
      what: nameOf(times.call),
      ours: `${spread(totals(times))}; database ${spread(times.database)}; ${Math.round(median(times.bytes) / 100) / 10} kB`,
      against: small ? `${spread(totals(small))} (a tenth of the rows)` : '',
      ...(small ? { ratio: median(totals(times)) / median(totals(small)) } : {}),
    }
    return {
      finding: { ...finding, what: marks.length > 0 ? `**${finding.what}**: ${marks.join(', ')}` : finding.what },
      marks,
    }
  })
  const count = marked.filter(({ marks }) => marks.length > 0).length
  return {
    title: `Calls, ${pool.songs.toLocaleString('en')} songs`,
    findings: [
      { what: 'marked calls', ours: `${count} of ${marked.length}`, against: '', target: atMostTarget(count, 0) },
      {
        what: 'reading 24 songs by their ids, CPU of the database',
        ours: spread(after.songReads),
        against: `${spread(before.songReads)} (a tenth of the rows)`,
        ratio: median(after.songReads) / median(before.songReads),
      },
      ...marked.map(({ finding }) => finding),
    ],
    notes: [
      `CPU time of the database and the web process together, one request at a time, p50 / p95 of ${ROUNDS} requests. A call is marked if it takes more than ${MAX_MEDIAN_MS} ms at p50 or ${MAX_P95_MS} ms at p95, if it takes ${MAX_GROWTH} times as long as with a tenth of the rows, or if a plan reads more than it should.`,
    ],
  }
}

const spread = (values: readonly number[]): string => `${ms(quantile(values, 0.5))} / ${ms(quantile(values, 0.95))}`
