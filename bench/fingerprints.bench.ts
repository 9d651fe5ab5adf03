import { seededRandom } from '@dubplate/demo/random'
import { keysOf, packCodes } from '../server/src/analysis/fingerprint.ts'
import { findSameRecordings, saveFingerprint } from '../server/src/media/duplicates.ts'
import type { Sql } from '../server/src/platform/db.ts'
import type { BenchPool } from './bench-pool.ts'
import { withoutIndexes } from './insert-rows.ts'
import { cpuSeconds, quantile, timed } from './measure.ts'
import { atMostTarget, type Finding, megabytes, ms, type Report } from './results.ts'

const FINGERPRINTS = 200_000
const KNOWN_COUNT = 100
/** 3.5 minutes. */
const CODES = 1700
/** Share of bits that differ between two encodings of one recording, where the second one starts later. */
const ERROR_RATE = 0.06
const COMMON_KEYS = 20_000
const PREVIEW_OFFSET = 37
/** First id of the fingerprints. No audio files exist for them. */
const FIRST_ID = 1_000_000_000

const random = seededRandom(12)
/**
 * One code in twenty is one that many files share, like the most frequent codes of real music; the most common one
 * occurs in one file of twenty.
 */
const randomCode = () =>
  random() < 0.05 ? (Math.floor(random() ** 2 * COMMON_KEYS) << 4) | 1 : Math.floor(random() * 2 ** 32) | 0

/** The same recording as another encoder would produce it, with its beginning cut off. */
function copyOf(codes: Int32Array): Int32Array {
  return codes.subarray(PREVIEW_OFFSET).map((code) => {
    let flips = 0
    for (let bit = 0; bit < 32; bit++) if (random() < ERROR_RATE) flips |= 1 << bit
    return code ^ flips
  })
}

/** Finds a recording among 200,000 others, compared with reading one of them by its id. */
export async function benchFingerprints(pool: BenchPool): Promise<Report> {
  const { sql } = pool
  const storedFingerprints = Array.from({ length: KNOWN_COUNT }, () => Int32Array.from({ length: CODES }, randomCode))
  try {
    await withoutIndexes(sql, ['fingerprint'], (busy) => fill(busy, storedFingerprints))
    await sql`vacuum analyze fingerprint`
    return {
      title: 'The same recording',
      findings: await measure(sql, storedFingerprints),
      notes: [
        `${FINGERPRINTS.toLocaleString('en')} made-up fingerprints of 128 keys, one key in twenty in common use, the commonest in one file of twenty (in 696 pieces of bench/labelled-music.ts: one in twenty, in one file of 140); ${KNOWN_COUNT} of them are of ${CODES} codes and are looked for by copies that begin ${PREVIEW_OFFSET} codes later and differ in ${ERROR_RATE * 100} % of their bits. One client; the index and the table are in memory.`,
      ],
    }
  } finally {
    await sql`delete from fingerprint where file_id >= ${FIRST_ID}`
  }
}

async function fill(sql: Sql, storedFingerprints: Int32Array[]): Promise<void> {
  await sql`
    insert into fingerprint (file_id, codes, keys)
    select ${FIRST_ID}::bigint + n, decode(repeat(md5(n::text), 12), 'hex'), made.keys
    from generate_series(${KNOWN_COUNT}::int, ${FINGERPRINTS - 1}::int) as n, lateral (
      select array_agg(case when random() < 0.05 then floor(power(random(), 2) * ${COMMON_KEYS}::int) else random() * 268435455 end::int) as keys
      from generate_series(1, 128) as key where key + n > 0) as made`
  for (const [n, codes] of storedFingerprints.entries()) {
    await sql`insert into fingerprint (file_id, codes, keys)
      values (${FIRST_ID + n}, ${packCodes(codes)}, ${keysOf(codes)}::int[])`
  }
}

/** Wall-clock and database CPU time in milliseconds, one value per query. */
type Times = { walls: number[]; cpus: number[]; found: number }

type LookupCase<T> = { items: T[]; lookUp: (item: T) => Promise<boolean> }

async function timeEach<T>(pid: number, { items, lookUp }: LookupCase<T>): Promise<Times> {
  const times: Times = { walls: [], cpus: [], found: 0 }
  for (const item of items) {
    const before = cpuSeconds(pid)
    const { ms: wall, result } = await timed(() => lookUp(item))
    times.walls.push(wall)
    times.cpus.push((cpuSeconds(pid) - before) * 1000)
    if (result) times.found++
  }
  return times
}

const described = (values: number[]) =>
  `p50 ${ms(quantile(values, 0.5))}, p95 ${ms(quantile(values, 0.95))}, max ${ms(quantile(values, 1))}`

const medianCpu = ({ cpus }: Times) => quantile(cpus, 0.5)

async function measure(pool: BenchPool['sql'], storedFingerprints: Int32Array[]): Promise<Finding[]> {
  const sql = await pool.reserve()
  try {
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    const [size] = await sql<{ bytes: number }[]>`select pg_relation_size('fingerprint_keys') as bytes`
    const times = await measureLookups(sql, backend?.pid ?? 0, storedFingerprints)
    return findingsOf(times, size?.bytes ?? 0)
  } finally {
    sql.release()
  }
}

async function measureLookups(sql: Sql, pid: number, storedFingerprints: Int32Array[]) {
  const copies = storedFingerprints.map((codes, n) => ({ codes: copyOf(codes), file_id: FIRST_ID + n }))
  const unknownFingerprints = storedFingerprints.map((codes) => codes.map(randomCode))
  const duplicateLookup = {
    items: copies,
    lookUp: async ({ codes, file_id }: (typeof copies)[number]) =>
      (await findSameRecordings(sql, codes))[0]?.file_id === file_id,
  }
  const lookup = {
    items: copies,
    lookUp: async ({ file_id }: (typeof copies)[number]) =>
      (await sql`select codes from fingerprint where file_id = ${file_id}`).length === 1,
  }
  const unknownLookup = {
    items: unknownFingerprints,
    lookUp: async (codes: Int32Array) => (await findSameRecordings(sql, codes)).length > 0,
  }
  await timeEach(pid, duplicateLookup)
  await timeEach(pid, lookup)
  return {
    twins: await timeEach(pid, duplicateLookup),
    lookup: await timeEach(pid, lookup),
    none: await timeEach(pid, unknownLookup),
    kept: await storeFingerprints(sql, pid, unknownFingerprints),
  }
}

/** Inserts fingerprints without their files. Foreign keys are not checked while inserting. */
async function storeFingerprints(sql: Sql, pid: number, unknownFingerprints: Int32Array[]): Promise<Times> {
  await sql`set session_replication_role = replica`
  const items = unknownFingerprints.map((codes, n) => ({ codes, file_id: FIRST_ID + FINGERPRINTS + n }))
  const kept = await timeEach(pid, {
    items,
    lookUp: ({ file_id, codes }) => saveFingerprint(sql, file_id, codes).then(() => true),
  })
  await sql`reset session_replication_role`
  return kept
}

function findingsOf(
  { twins: duplicateLookup, lookup, none: unknownLookup, kept }: Awaited<ReturnType<typeof measureLookups>>,
  indexBytes: number,
): Finding[] {
  const missedCount = KNOWN_COUNT - duplicateLookup.found
  return [
    {
      what: `a copy among ${FINGERPRINTS.toLocaleString('en')}, CPU of the database`,
      ours: described(duplicateLookup.cpus),
      against: `${described(lookup.cpus)} (one fingerprint by its id)`,
      ratio: medianCpu(duplicateLookup) / medianCpu(lookup),
      target: atMostTarget(Number(medianCpu(duplicateLookup).toFixed(2)), 5, ' ms at p50'),
    },
    { what: 'the same, wall', ours: described(duplicateLookup.walls), against: described(lookup.walls) },
    {
      what: 'copies that were not found',
      ours: `${missedCount} of ${KNOWN_COUNT}`,
      against: '',
      target: atMostTarget(missedCount, 0),
    },
    { what: 'recordings without a copy, CPU of the database', ours: described(unknownLookup.cpus), against: '' },
    {
      what: 'recordings without a copy that matched one',
      ours: `${unknownLookup.found} of ${KNOWN_COUNT}`,
      against: '',
      target: atMostTarget(unknownLookup.found, 0),
    },
    { what: 'storing a fingerprint, CPU of the database', ours: described(kept.cpus), against: '' },
    { what: 'the index on disk', ours: megabytes(indexBytes / 1e6), against: '' },
  ]
}
