import { catalogue } from '@dubplate/contract'
import { FIELDS } from '../server/src/catalogue/search-index.ts'
import type { Pool } from '../server/src/platform/db.ts'
import { MAX_COUNT } from '../server/src/search/search.ts'
import { bpmFacets, type Range, yearFacets } from '../server/src/search/search-facets.ts'
import { allGenres } from '../server/src/search/search-names.ts'
import { parseSearch, type SearchContext } from '../server/src/search/search-params.ts'
import { anyOf } from '../server/src/search/search-plan.ts'
import { type SearchWord, tokenOf } from '../server/src/search/search-vocabulary.ts'
import type { BenchPool, Server } from './bench-pool.ts'
import { checkLabelledSearches, type LabelledResult } from './labelled-searches.ts'
import { cpuSeconds, cpuSecondsOf, peakMemoryMb, quantile, timed } from './measure.ts'
import { atMostTarget, type Finding, megabytes, ms, type Report } from './results.ts'
import { makeQueries, type Query, type SearchInput } from './search-queries.ts'
import { readSongPages, type SongReads } from './song-reads.ts'

type QueryResult = { query: Query; wall: number; backend: number; server: number; found: SearchReply }
type SearchReply = Awaited<ReturnType<typeof measureQuery>>

const measureQuery = (server: Server, searchParams: SearchInput) => server.callApi(catalogue.searchSongs, searchParams)

/**
 * Runs 500 searches one after another through the server, the SQL of the final page of each, a comparison with brute
 * force, and labelled searches.
 */
export async function benchSearch(pool: BenchPool): Promise<Report> {
  const queries = await makeQueries(pool.sql)
  const server = await pool.startServer()
  try {
    for (const { searchParams } of queries) await measureQuery(server, searchParams)
    const backends = await server.backends()
    const queryResults: QueryResult[] = []
    for (const query of queries) queryResults.push(await measureOne(server, backends, query))
    const pages = queryResults.map(({ found }) => found.songs.map((song) => song.entity_id))
    const rowReads = await readSongPages(pool.sql, pages)
    const check = await compareWithPlainScan(pool.sql, queryResults)
    const suggestionTimings = await measureSuggestions(server, backends, queries)
    const labelled = await checkLabelledSearches(pool.sql, server)
    return report(
      pool.songs,
      queryResults,
      rowReads,
      suggestionTimings,
      { ...check, labelled },
      peakMemoryMb(server.pid),
    )
  } finally {
    await server.stop()
  }
}

async function measureOne(server: Server, backends: number[], query: Query): Promise<QueryResult> {
  const [backendBefore, serverBefore] = [cpuSecondsOf(backends), cpuSeconds(server.pid)]
  const { ms: wall, result: matches } = await timed(() => measureQuery(server, query.searchParams))
  return {
    query,
    wall,
    backend: (cpuSecondsOf(backends) - backendBefore) * 1000,
    server: (cpuSeconds(server.pid) - serverBefore) * 1000,
    found: matches,
  }
}

type SuggestionTiming = { wall: number; backend: number }

/** Measures suggestions while searches are being typed, for a prefix of each query. */
async function measureSuggestions(server: Server, backends: number[], queries: Query[]): Promise<SuggestionTiming[]> {
  const suggestionTimings: SuggestionTiming[] = []
  for (const [n, { searchParams }] of queries.entries()) {
    const text = (searchParams.searchTerm ?? '').slice(0, 2 + (n % 9))
    if (text.trim().length < 2) continue
    const before = cpuSecondsOf(backends)
    const { ms: wall } = await timed(() => server.callApi(catalogue.suggestSearch, { text }))
    suggestionTimings.push({ wall, backend: (cpuSecondsOf(backends) - before) * 1000 })
  }
  return suggestionTimings
}

type Check = { comparedCount: number; wrongResults: string[] }

/**
 * Compares every third search with a sequential scan of the whole index: the exact matches on the first page and the
 * count must be the same.
 */
async function compareWithPlainScan(sql: Pool, queryResults: QueryResult[]): Promise<Check> {
  const context = { ...(await loadNames(sql)), customer_id: undefined }
  const some = queryResults.filter((_, n) => n % 3 === 0)
  const wrongResults: string[] = []
  for (const { query, found: matches } of some) {
    const { exact, otherResults } = await scanQuery(sql, query.searchParams, context)
    const expectedIds = [...exact, ...otherResults].slice(0, catalogue.SONGS_PER_PAGE).join()
    const exactIds = matches.songs.filter((song) => song.found.words === 'exact').map((song) => song.entity_id)
    const hasSameCount = matches.exact_count === Math.min(exact.length, MAX_COUNT)
    const isTotal = matches.pagination.totalCount === Math.min(exact.length + otherResults.length, MAX_COUNT)
    const hasSameTotal = isTotal || exactIds.length < catalogue.SONGS_PER_PAGE
    if (exactIds.join() !== expectedIds || !hasSameCount || !hasSameTotal)
      wrongResults.push(JSON.stringify(query.searchParams))
  }
  return { comparedCount: some.length, wrongResults }
}

async function loadNames(sql: Pool): Promise<Pick<SearchContext, 'genres' | 'kinds'>> {
  const kinds = await sql<SearchContext['kinds']>`select version_kind_id as id, version_code, name from version_kind`
  return { genres: await allGenres(sql), kinds: [...kinds] }
}

/** Runs a search as one tsquery on every row: as typed at the requested tempo first, then at half and double tempo. */
async function scanQuery(
  sql: Pool,
  searchParams: SearchInput,
  context: SearchContext,
): Promise<{ exact: number[]; otherResults: number[] }> {
  const { params: pageRequest } = parseSearch(
    searchParams.searchTerm ?? '',
    catalogue.searchSongs.input.parse(searchParams),
    context,
  )
  if (!pageRequest) return { exact: [], otherResults: [] }
  const { section, words, facets, years, bpm, checks } = pageRequest
  const choices = [[`#s${section}`], ...facets, ...(years ? [yearFacets(years)] : [])]
  const fixed = [
    ...choices.map((choice) => `(${anyOf(choice)})`),
    ...(checks?.without ?? []).map((query) => `!(${query})`),
  ]
  const genresOf = (word: SearchWord) => (word.genres ?? []).map(({ id }) => `#g${id}`)
  const tokenGroups = words.map((word) => `(${anyOf([tokenOf(word), ...(word.facets ?? []), ...genresOf(word)])})`)
  const leadingGroups = words.map((word) => {
    const tokens = word.field === 'any' ? [`=${word.word}`, `@${word.word}`] : [tokenOf(word)]
    return `(${anyOf([...tokens, ...(word.facets ?? [])])})`
  })
  const scan = (tokens: string[], range: Range | undefined) => scanFor(sql, [...fixed, ...tokens], range)
  const at = (character: string, count: string) => {
    const isElsewhere = words.some(({ field }) => field !== 'any' && FIELDS[field] !== character)
    if (isElsewhere || words.length === 0) return []
    return scan([...words.map(({ word }) => anyOf([`${character}${word}`])), anyOf([`${count}${words.length}`])], bpm)
  }
  const whole = [(await at('=', '#t')).slice(0, 24), (await at('@', '#a')).slice(0, 24)].flat()
  const exact = new Set([...whole, ...(await scan(leadingGroups, bpm)), ...(await scan(tokenGroups, bpm))])
  if (!bpm || exact.size >= MAX_COUNT) return { exact: [...exact], otherResults: [] }
  const half = await scan(tokenGroups, [Math.floor(bpm[0] / 2), Math.ceil(bpm[1] / 2)])
  const otherResults = [...half, ...(await scan(tokenGroups, [bpm[0] * 2, bpm[1] * 2]))]
  return { exact: [...exact], otherResults: otherResults.filter((id) => !exact.has(id)) }
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
  queryResults: QueryResult[],
  rowReads: SongReads,
  suggestionTimings: SuggestionTiming[],
  check: Check & { labelled: LabelledResult },
  peakMb: number,
): Report {
  const wall = queryResults.map((result) => result.wall)
  const backend = queryResults.map((result) => result.backend)
  const p95 = quantile(wall, 0.95)
  const findings: Finding[] = [
    {
      what: `${queryResults.length} searches, wall`,
      ours: spread(wall),
      against: `${spread(rowReads.wall)} (the SQL of the same pages by their ids)`,
      ratio: quantile(wall, 0.5) / quantile(rowReads.wall, 0.5),
      target: atMostTarget(p95, songs <= 100_000 ? 25 : 40, ' ms at p95'),
    },
    {
      what: 'the same, CPU of the database',
      ours: spread(backend),
      against: spread(rowReads.cpu),
      ratio: quantile(backend, 0.5) / quantile(rowReads.cpu, 0.5),
    },
    {
      what: 'the same, CPU of the web process',
      ours: spread(queryResults.map((result) => result.server)),
      against: '',
    },
    {
      what: `${suggestionTimings.length} suggestions while typing, wall`,
      ours: spread(suggestionTimings.map((one) => one.wall)),
      against: `database CPU ${spread(suggestionTimings.map((one) => one.backend))}`,
    },
    ...[...new Set(queryResults.map(({ query }) => query.kind))]
      .sort()
      .map((kind) => queriesOfKind(queryResults, kind)),
    {
      what: 'pages and counts that differ from a plain scan',
      ours: `${check.wrongResults.length} of ${check.comparedCount}`,
      against: '',
      target: atMostTarget(check.wrongResults.length, 0),
    },
    {
      what: 'labelled searches that show something else first',
      ours: `${check.labelled.misses.length} of ${check.labelled.count}`,
      against: '',
      target: atMostTarget(check.labelled.misses.length, 3),
    },
    {
      what: 'resident memory of the web process, at most',
      ours: megabytes(peakMb),
      against: '',
      target: atMostTarget(peakMb, 250, ' MB'),
    },
  ]
  const typoQueries = queryResults.filter(({ query }) => query.kind === 'a slip')
  const helped = typoQueries.filter(({ found: matches }) => matches.songs.length > 0).length
  return {
    title: `Search, ${songs.toLocaleString('en')} songs`,
    findings,
    notes: [
      `Of ${typoQueries.length} words with one slip ${helped} found songs.`,
      ...check.labelled.misses.map((miss) => `Labelled search missed: ${miss}.`),
      ...check.wrongResults.slice(0, 5).map((searchParams) => `Differs from a plain scan: \`${searchParams}\``),
    ],
  }
}

function queriesOfKind(queryResults: QueryResult[], kind: string): Finding {
  const some = queryResults.filter(({ query }) => query.kind === kind)
  return {
    what: `${kind} (${some.length})`,
    ours: `wall ${spread(some.map((result) => result.wall))}`,
    against: `database CPU ${spread(some.map((result) => result.backend))}`,
  }
}
