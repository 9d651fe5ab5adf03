import { downloads } from '@dubplate/contract'
import { openSession } from '../server/src/membership/session.ts'
import { connect, type Pool } from '../server/src/platform/db.ts'
import type { BenchPool } from './bench-pool.ts'
import type { Load } from './load-client.ts'
import { cpuSecondsOf, median, quantile } from './measure.ts'
import { runLoad } from './processes.ts'
import { atLeastTarget, atMostTarget, type Finding, megabytes, ms, perSecond, type Report } from './results.ts'
import { type StoredAudio, storeTestAudio } from './store-test-audio.ts'

const CONNECTIONS = 50
const ROUNDS = 5
const DOWNLOADS_PER_ROUND = 1000
const FILES = 40
/** Each member downloads every file once; the first round warms up. */
const MEMBERS = (DOWNLOADS_PER_ROUND * (ROUNDS + 1)) / FILES
/** Small, so that what is measured is the counting and not the bytes. */
const FILE_BYTES = 4000
const COUNTERS = 1000

/** What one round cost: CPU milliseconds for each download. */
type Round = { perSecond: number; webMs: number; databaseMs: number; latencies: number[]; peakMb: number }

/** Downloads that are counted, compared with the cheapest exact count that PostgreSQL offers. */
export async function benchCounting(pool: BenchPool): Promise<Report> {
  const files = await storeTestAudio(pool, FILES, FILE_BYTES)
  const minimum = await openMinimum(pool)
  const server = await pool.startServer()
  try {
    const calls = await insertMembers(pool, files, MEMBERS)
    const fetches = await insertMembers(pool, files, MEMBERS)
    const counted: Round[] = []
    const fetched: Round[] = []
    const reference: Round[] = []
    for (let n = 0; n <= ROUNDS; n++) {
      const load = (all: Load['requests']): Omit<Load, 'port'> => ({
        connections: CONNECTIONS,
        count: DOWNLOADS_PER_ROUND,
        requests: all.slice(n * DOWNLOADS_PER_ROUND, (n + 1) * DOWNLOADS_PER_ROUND),
      })
      counted.push(await measureRound(pool, () => runLoad(server, load(calls.requests))))
      fetched.push(await measureRound(pool, () => runLoad(server, { ...load(fetches.requests), followsLinks: true })))
      reference.push(await measureRound(pool, () => minimum.run()))
    }
    const differing =
      (await countDiffering(pool, calls.customerIds)) + (await countDiffering(pool, fetches.customerIds))
    return report({ counted: counted.slice(1), fetched: fetched.slice(1), reference: reference.slice(1), differing })
  } finally {
    await Promise.all([server.stop(), minimum.close()])
  }
}

/** Members, and a download of each file for each of them. The requests of one member are far from each other. */
export async function insertMembers({ sql }: BenchPool, files: StoredAudio[], members: number) {
  const inserted = await sql<{ customer_id: number }[]>`
    with people as (
      insert into customer (email, dj_name, password_hash, group_id, payment_profile_status)
      select 'counted' || n || ${`-${Date.now()}@example.test`}, 'DJ ' || n, '!', 2, 'paid' from generate_series(1, ${members}) n
      returning customer_id),
    approved as (insert into dj_application (customer_id, state) select customer_id, 'approved' from people)
    select customer_id from people`
  const customerIds = inserted.map(({ customer_id }) => customer_id)
  const client = { ip: '127.0.0.1', userAgent: 'bench' }
  const tokens = await Promise.all(customerIds.map((id) => openSession(sql, id, 'member', client)))
  const requests = files.flatMap(({ song_version_id }) =>
    tokens.map((token) => ({
      method: 'POST' as const,
      path: `/api/${downloads.downloadVersion.path}`,
      body: { version: song_version_id },
      headers: { authorization: `Bearer ${token}` },
    })),
  )
  return { customerIds, requests }
}

/** Measures all processes of the database, and the process that uses it. */
async function measureRound(
  { sql }: BenchPool,
  run: () => Promise<{ requests: number; seconds: number; cpu: number; latencies: number[]; peakMb: number }>,
): Promise<Round> {
  const processes = await sql<{ pid: number }[]>`select pid from pg_stat_activity`
  const pids = processes.map(({ pid }) => pid)
  const before = cpuSecondsOf(pids)
  const { requests, seconds, cpu, latencies, peakMb } = await run()
  const databaseMs = ((cpuSecondsOf(pids) - before) / requests) * 1000
  return { perSecond: requests / seconds, webMs: (cpu / requests) * 1000, databaseMs, latencies, peakMb }
}

/** How many of these downloads were not counted exactly once although the reply said so. */
async function countDiffering({ sql }: BenchPool, customerIds: number[]): Promise<number> {
  const [counted] = await sql<{ grants: number; wrong: number; recorded: number }[]>`
    select count(*)::int as grants, count(*) filter (where used <> 1)::int as wrong,
      (select count(*)::int from download where customer_id = any(${customerIds}::bigint[])) as recorded
    from download_grant where customer_id = any(${customerIds}::bigint[])`
  const expected = MEMBERS * FILES
  return counted
    ? Math.abs(counted.grants - expected) + counted.wrong + Math.abs(counted.recorded - expected)
    : expected
}

/** One prepared statement, which inserts a row and updates a counter, over as many connections as a process has. */
async function openMinimum({ sql, location }: BenchPool) {
  await sql`drop table if exists bench_count, bench_counter`
  await sql`create table bench_counter (counter_id bigint primary key, n bigint not null)`
  await sql`create table bench_count (id bigint generated always as identity primary key, counter_id bigint not null, at timestamptz not null)`
  await sql`insert into bench_counter select n, 0 from generate_series(0, ${COUNTERS - 1}) n`
  const connections = connect(location)
  return {
    run: () => countMinimum(connections),
    close: async () => {
      await connections.end({ timeout: 5 })
      await sql`drop table bench_count, bench_counter`
    },
  }
}

async function countMinimum(sql: Pool) {
  const latencies: number[] = []
  let sent = 0
  const drive = async () => {
    while (sent < DOWNLOADS_PER_ROUND) {
      const id = sent++ % COUNTERS
      const startedAt = performance.now()
      await sql`
        with counted as (update bench_counter set n = n + 1 where counter_id = ${id} returning counter_id)
        insert into bench_count (counter_id, at) select counter_id, now() from counted`
      latencies.push(performance.now() - startedAt)
    }
  }
  const before = process.cpuUsage()
  const started = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, drive))
  const { user, system } = process.cpuUsage(before)
  return {
    requests: DOWNLOADS_PER_ROUND,
    seconds: (performance.now() - started) / 1000,
    cpu: (user + system) / 1e6,
    ...{ latencies, peakMb: 0 },
  }
}

const cost = ({ webMs, databaseMs }: Round): number => webMs + databaseMs
const medianOf = (rounds: Round[], value: (round: Round) => number): number => median(rounds.map(value))

type Results = { counted: Round[]; fetched: Round[]; reference: Round[]; differing: number }

function report({ counted, fetched, reference, differing }: Results): Report {
  const rate = medianOf(counted, (round) => round.perSecond)
  const costs = (rounds: Round[]) =>
    `${ms(medianOf(rounds, cost))} (${ms(medianOf(rounds, (round) => round.webMs))} + ${ms(medianOf(rounds, (round) => round.databaseMs))})`
  const speed = (rounds: Round[]) =>
    `${perSecond(medianOf(rounds, (round) => round.perSecond))}, p95 ${ms(medianOf(rounds, (round) => quantile(round.latencies, 0.95)))}`
  const minimum = 'one row and one counter'
  const compare = (what: string, rounds: Round[]): Finding[] => [
    {
      what,
      ours: speed(rounds),
      against: `${speed(reference)} (${minimum})`,
      ...(rounds === counted ? { target: atLeastTarget(rate, 1500, '/s') } : {}),
    },
    {
      what: `${what}, CPU of web + database`,
      ours: costs(rounds),
      against: `${costs(reference)} (${minimum})`,
      ratio: medianOf(rounds, cost) / medianOf(reference, cost),
    },
  ]
  const peakMb = Math.max(...counted.map((round) => round.peakMb))
  return {
    title: 'Counting downloads',
    findings: [
      ...compare(`downloads counted, ${CONNECTIONS} clients`, counted),
      ...compare('the same, and the file fetched by its link', fetched),
      {
        what: 'downloads not counted exactly once',
        ours: `${differing} of ${MEMBERS * FILES * 2}`,
        against: '',
        target: atMostTarget(differing, 0),
      },
      {
        what: 'resident memory of the web process, at most',
        ours: megabytes(peakMb),
        against: '',
        target: atMostTarget(peakMb, 250, ' MB'),
      },
    ],
    notes: [
      `${MEMBERS} members each download ${FILES} files of ${FILE_BYTES / 1000} kB, each of them for the first time. The clients use the same cores. The reference is one prepared statement, sent by a Node process for ${CONNECTIONS} clients over as many connections as ours has, with the same durability.`,
    ],
  }
}
