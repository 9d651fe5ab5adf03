import { catalogue } from '@dubplate/contract'
import { COUNTED_TO } from '../server/src/catalogue/search.ts'
import { bpmFacets, type Range, yearFacets } from '../server/src/catalogue/search-facets.ts'
import { FIELDS } from '../server/src/catalogue/search-index.ts'
import { allGenres } from '../server/src/catalogue/search-names.ts'
import { anyOf } from '../server/src/catalogue/search-plan.ts'
import { tokenOf } from '../server/src/catalogue/search-vocabulary.ts'
import { type Around, readWish } from '../server/src/catalogue/search-wish.ts'
import { songsOf, theseSongs } from '../server/src/catalogue/songs.ts'
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
    const check = await compareWithPlainScan(pool.sql, answers)
    const typed = await measureSuggestions(server, backends, queries)
    return report(pool.songs, answers, raw, typed, check, peakMemoryMb(server.pid))
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

type Typed = { wall: number; backend: number }

/** What is suggested while searches are being typed: a part of each. */
async function measureSuggestions(server: Server, backends: number[], queries: Query[]): Promise<Typed[]> {
  const typed: Typed[] = []
  for (const [n, { asked }] of queries.entries()) {
    const text = (asked.searchTerm ?? '').slice(0, 2 + (n % 9))
    if (text.trim().length < 2) continue
    const before = cpuSecondsOf(backends)
    const { ms: wall } = await timed(() => server.ask(catalogue.suggestSearch, { text }))
    typed.push({ wall, backend: (cpuSecondsOf(backends) - before) * 1000 })
  }
  return typed
}

type Check = { compared: number; wrong: string[] }

/** Every third search against a plain scan of the whole index: the same songs as typed on the first page, the same count. */
async function compareWithPlainScan(sql: Pool, answers: Answer[]): Promise<Check> {
  const around = { ...(await namesOf(sql)), customer_id: undefined }
  const some = answers.filter((_, n) => n % 3 === 0)
  const wrong: string[] = []
  for (const { query, found } of some) {
    const { exact, others } = await plainScan(sql, query.asked, around)
    const asTyped = [...exact, ...others].slice(0, catalogue.SONGS_A_PAGE).join()
    const shown = found.songs.filter((song) => song.found.words === 'exact').map((song) => song.entity_id)
    const sameCount = found.exact_count === Math.min(exact.length, COUNTED_TO)
    const isTotal = found.pagination.totalCount === Math.min(exact.length + others.length, COUNTED_TO)
    const sameTotal = isTotal || shown.length < catalogue.SONGS_A_PAGE
    if (shown.join() !== asTyped || !sameCount || !sameTotal) wrong.push(JSON.stringify(query.asked))
  }
  return { compared: some.length, wrong }
}

async function namesOf(sql: Pool): Promise<Pick<Around, 'genres' | 'kinds'>> {
  const kinds = await sql<Around['kinds']>`select version_kind_id as id, version_code, name from version_kind`
  return { genres: await allGenres(sql), kinds: [...kinds] }
}

/** A search as one tsquery, asked of every row: as typed at the tempo asked for, then at half and at double tempo. */
async function plainScan(sql: Pool, asked: Asked, around: Around): Promise<{ exact: number[]; others: number[] }> {
  const { wish } = readWish(asked.searchTerm ?? '', catalogue.searchSongs.input.parse(asked), around)
  if (!wish) return { exact: [], others: [] }
  const { section, words, facets, years, bpm, checks } = wish
  const choices = [[`#s${section}`], ...facets, ...(years ? [yearFacets(years)] : [])]
  const fixed = [
    ...choices.map((choice) => `(${anyOf(choice)})`),
    ...(checks?.without ?? []).map((query) => `!(${query})`),
  ]
  const everyWord = words.map((word) => anyOf([tokenOf(word)]))
  const scan = (tokens: string[], range: Range | undefined) => scanFor(sql, [...fixed, ...tokens], range)
  const at = (sign: string, count: string) => {
    const isElsewhere = words.some(({ field }) => field !== 'any' && FIELDS[field] !== sign)
    if (isElsewhere || words.length === 0) return []
    return scan([...words.map(({ word }) => anyOf([`${sign}${word}`])), anyOf([`${count}${words.length}`])], bpm)
  }
  const whole = [(await at('=', '#t')).slice(0, 24), (await at('@', '#a')).slice(0, 24)].flat()
  const exact = new Set([...whole, ...(await scan(everyWord, bpm))])
  if (!bpm || exact.size >= COUNTED_TO) return { exact: [...exact], others: [] }
  const half = await scan(everyWord, [Math.floor(bpm[0] / 2), Math.ceil(bpm[1] / 2)])
  const others = [...half, ...(await scan(everyWord, [bpm[0] * 2, bpm[1] * 2]))]
  return { exact: [...exact], others: others.filter((id) => !exact.has(id)) }
}

async function scanFor(sql: Pool, parts: string[], bpm: Range | undefined): Promise<number[]> {
  const match = [...parts, ...(bpm ? [`(${anyOf(bpmFacets(bpm))})`] : [])].join(' & ')
  const rows = await sql<{ entity_id: number }[]>`
    select entity_id from song_search where tsv @@ ${match}::text::tsquery
      ${bpm ? sql`and max_bpm < ${bpm[1] + 0.5}::real` : sql``} order by entity_id desc`
  return rows.map((row) => row.entity_id)
}

const spread = (values: number[]): string =>
  `p50 ${ms(quantile(values, 0.5))}, p95 ${ms(quantile(values, 0.95))}, max ${ms(Math.max(...values))}`

function report(
  songs: number,
  answers: Answer[],
  raw: { wall: number[]; cpu: number[] },
  typed: Typed[],
  check: Check,
  peakMb: number,
): Report {
  const wall = answers.map((answer) => answer.wall)
  const backend = answers.map((answer) => answer.backend)
  const p95 = quantile(wall, 0.95)
  const findings: Finding[] = [
    {
      what: `${answers.length} searches, wall`,
      ours: spread(wall),
      against: `${spread(raw.wall)} (the SQL of the same pages by their ids)`,
      ratio: quantile(wall, 0.5) / quantile(raw.wall, 0.5),
      aim: atMost(p95, songs <= 100_000 ? 25 : 40, ' ms at p95'),
    },
    {
      what: 'the same, CPU of the database',
      ours: spread(backend),
      against: spread(raw.cpu),
      ratio: quantile(backend, 0.5) / quantile(raw.cpu, 0.5),
    },
    { what: 'the same, CPU of the web process', ours: spread(answers.map((answer) => answer.server)), against: '' },
    {
      what: `${typed.length} suggestions while typing, wall`,
      ours: spread(typed.map((one) => one.wall)),
      against: `database CPU ${spread(typed.map((one) => one.backend))}`,
    },
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
    title: `Search, ${songs.toLocaleString('en')} songs`,
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
