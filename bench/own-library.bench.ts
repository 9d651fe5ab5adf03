import { ownLibrary } from '@dubplate/contract'
import { importParts } from '@dubplate/contract/library-files'
import { listBetterVersions } from '../server/src/own-library/better-versions.ts'
import { indexCatalogue } from '../server/src/own-library/catalogue-index.ts'
import { getOverview } from '../server/src/own-library/libraries.ts'
import { importPart } from '../server/src/own-library/library-import.ts'
import { makeCatalogue, makeDamagedLibrary } from '../server/src/own-library/make-damaged-library.ts'
import { matchLibrary } from '../server/src/own-library/match-library.ts'
import { matchNext } from '../server/src/own-library/matching.ts'
import { measureMatches } from '../server/src/own-library/measure-matches.ts'
import { getOwned } from '../server/src/own-library/owned.ts'
import { SqlCatalogue } from '../server/src/own-library/sql-catalogue.ts'
import type { Pool } from '../server/src/platform/db.ts'
import { createLog } from '../server/src/platform/log.ts'
import { storeCatalogue } from '../server/test/store-catalogue.ts'
import type { BenchPool } from './bench-pool.ts'
import { cpuSeconds, cpuSecondsOf, quantile, timed } from './measure.ts'
import { atLeastTarget, atMostTarget, type Finding, ms, type Report } from './results.ts'

const ENTRIES = 20_000
const SONGS = 20_000
const SEED = 11
/** First id of the songs. */
const FIRST_ID = 1_000_000_000
const READS = 20

type Cpu = { server: number; database: number; wall: number }

/** Imports and matches a library of 20,000 files, compared with matching the same library with an index in memory. */
export async function benchOwnLibrary({ sql, songs }: BenchPool): Promise<Report> {
  const made = makeCatalogue(SONGS, SEED).map((song) => ({
    ...song,
    entity_id: song.entity_id + FIRST_ID,
    versions: song.versions.map((version) => ({ ...version, song_version_id: version.song_version_id + FIRST_ID })),
  }))
  const library = makeDamagedLibrary(made, ENTRIES, SEED + 1)
  const entries = library.map(({ entry }) => entry)
  await storeCatalogue(sql, made)
  await sql`analyze song, song_version, song_search, search_word, search_word_del`
  const customerId = await addMember(sql)
  try {
    const inMemory = await measureCpu(sql, () => matchLibrary(entries, indexCatalogue(made)))
    const lookedUp = await measureCpu(sql, () => matchLibrary(entries, new SqlCatalogue(sql)))
    const imported = await measureCpu(sql, async () => {
      let library_id: number | undefined
      for (const part of importParts(entries)) {
        const input = ownLibrary.importCollection.input.parse({
          ...{ library_id, name: 'Bench', format: 'rekordbox', total: ENTRIES, ...part },
        })
        library_id = (await importPart(sql, customerId, input)).library_id
      }
    })
    const matched = await measureCpu(sql, () =>
      matchNext({ sql, log: createLog('error') }, new AbortController().signal),
    )
    const figures = measureMatches(lookedUp.result, library)
    return {
      title: 'A member’s library',
      findings: [
        ...cpuFindings(inMemory.cpu, lookedUp.cpu, imported.cpu, matched.cpu),
        share(
          'certain matches that are right',
          figures.precision,
          measureMatches(inMemory.result, library).precision,
          99.5,
        ),
        share(
          'files of the pool that are matched',
          figures.recall,
          measureMatches(inMemory.result, library).recall,
          97,
        ),
        ...(await readFindings(sql, customerId)),
      ],
      notes: [
        `${ENTRIES.toLocaleString('en')} files, a quarter of them not in the pool, with 20 kinds of damage, against ${(songs + SONGS).toLocaleString('en')} songs, of which the index in memory has only the ${SONGS.toLocaleString('en')} that the library was made from. CPU of the server and the database together. The worker also stores the matches.`,
      ],
    }
  } finally {
    await removeAll(sql, customerId)
  }
}

async function addMember(sql: Pool): Promise<number> {
  const [member] = await sql<{ customer_id: number }[]>`
    insert into customer (email, dj_name, password_hash, group_id, payment_profile_status)
    values (${`library-${Date.now()}@example.test`}, 'Library', '!', 2, 'paid') returning customer_id`
  return member!.customer_id
}

async function removeAll(sql: Pool, customerId: number): Promise<void> {
  await sql`delete from own_library where customer_id = ${customerId}`
  await sql`delete from song_search where entity_id > ${FIRST_ID}`
  await sql`delete from song_version where entity_id > ${FIRST_ID}`
  await sql`delete from song where entity_id > ${FIRST_ID}`
  await sql`update genre_counter set songs = songs - ${SONGS} where genre_id = 0 and song_section_id = 1`
}

async function measureCpu<T>(sql: Pool, work: () => Promise<T>): Promise<{ cpu: Cpu; result: T }> {
  const database = await cpuOfBackends(sql)
  const server = cpuSeconds(process.pid)
  const { ms: wall, result } = await timed(work)
  const cpu = { server: cpuSeconds(process.pid) - server, database: 0, wall: wall / 1000 }
  for (const [pid, seconds] of await cpuOfBackends(sql)) cpu.database += seconds - (database.get(pid) ?? 0)
  return { cpu, result }
}

async function cpuOfBackends(sql: Pool): Promise<Map<number, number>> {
  const backends = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`
  return new Map(backends.map(({ pid }) => [pid, cpuSecondsOf([pid])]))
}

const total = ({ server, database }: Cpu): number => server + database
const showCpu = (cpu: Cpu): string =>
  `${total(cpu).toFixed(1)} s (database ${cpu.database.toFixed(1)} s), ${cpu.wall.toFixed(1)} s wall-clock`

function cpuFindings(inMemory: Cpu, lookedUp: Cpu, imported: Cpu, matched: Cpu): Finding[] {
  const against = `${total(inMemory).toFixed(1)} s (index in memory)`
  const ratioOf = (cpu: Cpu) => total(cpu) / total(inMemory)
  return [
    { what: 'comparing the files with the songs', ours: showCpu(lookedUp), against, ratio: ratioOf(lookedUp) },
    {
      ...{ what: 'the same by the worker, stored', ours: showCpu(matched), against, ratio: ratioOf(matched) },
      target: atMostTarget(ratioOf(matched), 2),
    },
    { what: 'receiving the files', ours: showCpu(imported), against, ratio: ratioOf(imported) },
  ]
}

const percent = (value: number): string => `${(value * 100).toFixed(2)} %`

const share = (what: string, ours: number, against: number, bound: number): Finding => ({
  ...{ what, ours: percent(ours), against: `${percent(against)} (index in memory)` },
  target: atLeastTarget(ours * 100, bound, ' %'),
})

/** What screens ask for, for a member with this library. */
async function readFindings(sql: Pool, customerId: number): Promise<Finding[]> {
  const ctx = { sql, settings: { downloadLimit: 2 } } as never
  const reads: Record<string, () => Promise<unknown>> = {
    'the ids of all owned songs, p50': () => getOwned(sql, customerId, ''),
    'the overview, p50': () => getOverview(sql, customerId),
    'a page of better versions, p50': () => listBetterVersions(ctx, customerId, { show: 'all', page: 1 }),
  }
  const findings: Finding[] = []
  for (const [what, read] of Object.entries(reads)) {
    const walls: number[] = []
    for (let n = 0; n < READS; n++) walls.push((await timed(read)).ms)
    findings.push({ what, ours: ms(quantile(walls, 0.5)), against: '' })
  }
  const { owned } = await getOwned(sql, customerId, '')
  return [
    ...findings,
    { what: 'their size as JSON', ours: `${Math.round(JSON.stringify(owned).length / 1000)} kB`, against: '' },
  ]
}
