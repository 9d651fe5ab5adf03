import { camelotOrder, catalogue, parseKey } from '@dubplate/contract'
import { bpmFacets, readRange } from '../server/src/catalogue/search.ts'
import { anyOf, prefixOf } from '../server/src/catalogue/search-plan.ts'
import { songsOf, theseSongs } from '../server/src/catalogue/songs.ts'
import { wordsOf } from '../server/src/catalogue/words.ts'
import type { Pool } from '../server/src/platform/db.ts'
import type { BenchPool, Server } from './bench-pool.ts'
import { cpuSeconds, cpuSecondsOf, peakMemoryMb, quantile, timed } from './measure.ts'
import { atMost, type Finding, megabytes, ms, type Report } from './results.ts'
import { type Asked, makeQueries, type Query } from './search-queries.ts'

type Answer = { query: Query; wall: number; backend: number; server: number; found: Found }
type Found = Awaited<ReturnType<typeof answerOf>>

const answerOf = (server: Server, asked: Asked) => server.ask(catalogue.searchSongs, asked)

/** 500 searches one after another through the server; the SQL of the page each ends with; a comparison with brute force. */
export async function benchSearch(pool: BenchPool): Promise<Report> {
  const queries = await makeQueries(pool.sql)
  const server = await pool.startServer()
  try {
    for (const { asked } of queries) await answerOf(server, asked)
    const backends = await server.backends()
    const answers: Answer[] = []
    for (const query of queries) answers.push(await measureOne(server, backends, query))
    const raw = await rawPages(pool.sql, answers)
    const check = await compareWithBruteForce(pool.sql, answers)
    return report(answers, raw, check, peakMemoryMb(server.pid))
  } finally {
    await server.stop()
  }
}

async function measureOne(server: Server, backends: number[], query: Query): Promise<Answer> {
  const [backendBefore, serverBefore] = [cpuSecondsOf(backends), cpuSeconds(server.pid)]
  const { ms: wall, result: found } = await timed(() => answerOf(server, query.asked))
  return {
    query,
    wall,
    backend: (cpuSecondsOf(backends) - backendBefore) * 1000,
    server: (cpuSeconds(server.pid) - serverBefore) * 1000,
    found,
  }
}

/** What the rows of the same pages cost when their ids are known: the least any search can cost. */
async function rawPages(sql: Pool, answers: Answer[]): Promise<{ wall: number[]; cpu: number[] }> {
  const connection = await sql.reserve()
  try {
    const [self] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`
    const raw: { wall: number[]; cpu: number[] } = { wall: [], cpu: [] }
    for (const { found } of answers) {
      const ids = found.songs.map((song) => song.entity_id)
      const before = cpuSecondsOf([self?.pid ?? 0])
      raw.wall.push((await timed(() => songsOf(connection, theseSongs(connection, ids), 2))).ms)
      raw.cpu.push((cpuSecondsOf([self?.pid ?? 0]) - before) * 1000)
    }
    return raw
  } finally {
    connection.release()
  }
}

type Check = { compared: number; wrong: string[] }

/** Every third search that was read as typed, against a plain scan of the whole index: the same page, the same count. */
async function compareWithBruteForce(sql: Pool, answers: Answer[]): Promise<Check> {
  const exact = answers.filter(({ found }, n) => n % 3 === 0 && !found.similar)
  const wrong: string[] = []
  for (const { query, found } of exact) {
    const { match, maxBpm } = await bruteForce(sql, query.asked)
    const rows = await sql<{ entity_id: number }[]>`
      select entity_id from song_search where tsv @@ ${match}::text::tsquery
        ${maxBpm === undefined ? sql`` : sql`and max_bpm <= ${maxBpm}::real`} order by entity_id desc`
    const page = rows.slice(0, catalogue.SONGS_A_PAGE).map((row) => row.entity_id)
    const samePage = page.join() === found.songs.map((song) => song.entity_id).join()
    if (!samePage || found.pagination.totalCount !== Math.min(rows.length, 1000))
      wrong.push(JSON.stringify(query.asked))
  }
  return { compared: exact.length, wrong }
}

/** A search as one tsquery. */
async function bruteForce(sql: Pool, asked: Asked): Promise<{ match: string; maxBpm: number | undefined }> {
  const { bpm = '', song_key = '', year = '' } = asked.SongEntitySearch ?? {}
  const words = wordsOf(asked.searchTerm ?? '').slice(0, 8)
  const last = words.at(-1)
  const bpmRange = readRange(String(bpm), 'BPM', 20, 400)
  const years = readRange(String(year), 'Year', 1900, 2100)
  const kinds = await sql<{ facet: string }[]>`
    select '#v' || version_kind_id as facet from version_kind where version_code = any(${asked.versions ?? []}::text[])`
  const keys = song_key.split(',').flatMap((text) => parseKey(text) ?? [])
  const groups = [
    ...words.slice(0, -1).map((word) => [word]),
    ['#s1'],
    asked.genre_id ? [`#g${asked.genre_id}`] : [],
    kinds.map(({ facet }) => facet),
    keys.map((key) => `#k${camelotOrder(key)}`),
    years ? Array.from({ length: years[1] - years[0] + 1 }, (_, n) => `#y${years[0] + n}`) : [],
    bpmRange ? bpmFacets(bpmRange) : [],
  ]
  const parts = groups.filter((group) => group.length > 0).map((group) => `(${anyOf(group)})`)
  const prefix = last === undefined ? [] : [last.length >= 2 ? prefixOf(last) : anyOf([last])]
  return { match: [...parts, ...prefix].join(' & '), maxBpm: bpmRange?.[1] }
}

const spread = (values: number[]): string =>
  `p50 ${ms(quantile(values, 0.5))}, p95 ${ms(quantile(values, 0.95))}, max ${ms(Math.max(...values))}`

function report(answers: Answer[], raw: { wall: number[]; cpu: number[] }, check: Check, peakMb: number): Report {
  const wall = answers.map((answer) => answer.wall)
  const backend = answers.map((answer) => answer.backend)
  const p95 = quantile(wall, 0.95)
  const findings: Finding[] = [
    {
      what: `${answers.length} searches, wall`,
      ours: spread(wall),
      against: `${spread(raw.wall)} (the SQL of the same pages by their ids)`,
      ratio: quantile(wall, 0.5) / quantile(raw.wall, 0.5),
      aim: atMost(p95, 25, ' ms at p95'),
    },
    {
      what: 'the same, CPU of the database',
      ours: spread(backend),
      against: spread(raw.cpu),
      ratio: quantile(backend, 0.5) / quantile(raw.cpu, 0.5),
    },
    { what: 'the same, CPU of the web process', ours: spread(answers.map((answer) => answer.server)), against: '' },
    ...[...new Set(answers.map(({ query }) => query.kind))].sort().map((kind) => ofKind(answers, kind)),
    {
      what: 'pages and counts that differ from a plain scan',
      ours: `${check.wrong.length} of ${check.compared}`,
      against: '',
      aim: atMost(check.wrong.length, 0),
    },
    {
      what: 'resident memory of the web process, at most',
      ours: megabytes(peakMb),
      against: '',
      aim: atMost(peakMb, 250, ' MB'),
    },
  ]
  const slips = answers.filter(({ query }) => query.kind === 'a slip')
  const helped = slips.filter(({ found }) => found.songs.length > 0).length
  return {
    title: 'Search',
    findings,
    notes: [
      `Of ${slips.length} words with one slip ${helped} found songs.`,
      ...check.wrong.slice(0, 5).map((asked) => `Differs from a plain scan: \`${asked}\``),
    ],
  }
}

function ofKind(answers: Answer[], kind: string): Finding {
  const some = answers.filter(({ query }) => query.kind === kind)
  return {
    what: `${kind} (${some.length})`,
    ours: `wall ${spread(some.map((answer) => answer.wall))}`,
    against: `database CPU ${spread(some.map((answer) => answer.backend))}`,
  }
}
