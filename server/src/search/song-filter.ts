import { camelotOrder, catalogue, KEYS, mixesWith, parseKey, type SongFilter } from '@dubplate/contract'
import { currentGenre } from '../catalogue/genres.ts'
import { type ListSongsParams, sortColumn } from '../catalogue/lists.ts'
import { currentSong } from '../catalogue/merged-songs.ts'
import type { SongFiltering, SongFilterQuery } from '../catalogue/song-filtering.ts'
import { songsOf } from '../catalogue/songs.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { bpmFacets, type Range, readKeys, readRange, readYears } from './search-facets.ts'
import type { SearchParams } from './search-params.ts'
import { anyOf, planWithin, type RowChecks } from './search-plan.ts'
import { around, findExact, findIds, prepareSearch } from './search-tiers.ts'

const { SONGS_PER_PAGE, MIXABLE_TEMPO_RATIO } = catalogue
const MAX_COUNT = 1000
/** In an order other than newest first, the newest of a long list are sorted, up to this many. */
const MAX_SORTED = 10_000

/** The groups whose options have counts. */
export type FilterGroup = 'versions' | 'genres' | 'years' | 'keys'

/** A filter with the names and codes of this pool resolved. */
export type ReadFilter = {
  groups: Partial<Record<FilterGroup, string[]>>
  /** Alternatives of facet words, one of each list must match. */
  fitting: string[][]
  bpm: Range | undefined
  checks: Pick<RowChecks, 'downloads' | 'notInLibraryOf' | 'notOwnedBy'>
}

/** Resolves a filter. Throws `invalid_filter`, and `unknown_song` for the song that others should fit. */
export async function readFilter(sql: Sql, { filter, customer_id }: SongFilterQuery): Promise<ReadFilter> {
  const { versions = [], genres = [], fits } = filter
  const [versionFacets, genreFacets, fitting] = await Promise.all([
    versions.length > 0 ? facetsOfVersions(sql, versions) : undefined,
    genres.length > 0 ? Promise.all(genres.map(async (id) => `#g${await currentGenre(sql, id)}`)) : undefined,
    fits ? facetsThatFit(sql, fits) : [],
  ])
  const years = readYears(filter.year ?? '')
  const keys = readKeys(filter.key ?? '')?.facets
  return {
    groups: {
      ...(versionFacets && { versions: versionFacets }),
      ...(genreFacets && { genres: genreFacets }),
      ...(years && { years }),
      ...(keys && { keys }),
    },
    fitting,
    bpm: readRange(filter.bpm ?? '', 'bpm'),
    checks: customer_id === undefined ? {} : memberChecks(filter, customer_id),
  }
}

/** A visitor has no library and has downloaded nothing, so there is nothing to leave out. */
const memberChecks = ({ not_downloaded, not_in_library, not_owned }: SongFilter, customer_id: number) => ({
  ...(not_downloaded ? { downloads: { customer_id, downloaded: false } } : {}),
  ...(not_in_library ? { notInLibraryOf: customer_id } : {}),
  ...(not_owned ? { notOwnedBy: customer_id } : {}),
})

/** Codes that do not exist match nothing. */
async function facetsOfVersions(sql: Sql, codes: readonly string[]): Promise<string[]> {
  const kinds = await sql<{ id: number }[]>`
    select version_kind_id as id from version_kind where version_code = any(${[...codes]}::text[])`
  return kinds.length > 0 ? kinds.map(({ id }) => `#v${id}`) : ['#v0']
}

/** Keys and tempos that mix well after a song, to the nearest whole BPM; a song without a key or tempo fits nothing. */
async function facetsThatFit(sql: Sql, entityId: number): Promise<string[][]> {
  const [song] = await sql<{ song_key: string | null; bpm: number | null }[]>`
    select song_key, coalesce(max_bpm, min_bpm) as bpm from song where entity_id = ${await currentSong(sql, entityId)}`
  if (!song) throw new ApiError('unknown_song', 'Song not found. It may have been unpublished.')
  const key = parseKey(song.song_key ?? '')
  const keys = key ? KEYS.filter((other) => mixesWith(key, other)).map((other) => `#k${camelotOrder(other)}`) : ['#k0']
  const tempos = song.bpm ? [song.bpm, song.bpm / 2, song.bpm * 2].flatMap((bpm) => bpmFacets(tempoRange(bpm))) : []
  return [keys, tempos.length > 0 ? tempos : ['#b0']]
}

const tempoRange = (bpm: number): Range => [
  Math.ceil(bpm * (1 - MIXABLE_TEMPO_RATIO)),
  Math.floor(bpm * (1 + MIXABLE_TEMPO_RATIO)),
]

/** Alternatives of facet words: one of each list must match. */
export const choicesOf = ({ groups, fitting }: ReadFilter): string[][] => [...Object.values(groups), ...fitting]

/** The filter as a search without words; a section and a genre narrow it. */
export const toSearchParams = (
  read: ReadFilter,
  list: { song_section_id: number; genre_id?: number | undefined },
): SearchParams => ({
  section: list.song_section_id,
  words: [],
  genres: [],
  facets: [...(list.genre_id ? [[`#g${list.genre_id}`]] : []), ...choicesOf(read)],
  bpm: read.bpm,
  checks: read.checks,
})

/** The songs of a short list that match, in the same order. */
export async function matchingOf(sql: Sql, entityIds: readonly number[], read: ReadFilter): Promise<number[]> {
  if (entityIds.length === 0) return []
  const choices = [...choicesOf(read), ...(read.bpm ? [bpmFacets(read.bpm)] : [])]
  const plan = planWithin(
    entityIds,
    choices.map((choice) => ({ match: anyOf(choice) })),
    { ...read.checks, fastest: read.bpm && around(read.bpm) },
  )
  const rows = await sql.unsafe<{ entity_id: number }[]>(plan.text, plan.values)
  const matching = new Set(rows.map(({ entity_id }) => entity_id))
  return entityIds.filter((id) => matching.has(id))
}

/** A page of the songs of a section that match, with their number. */
async function findMatchingPage(sql: Sql, params: ListSongsParams, read: ReadFilter) {
  const searchQuery = await prepareSearch(sql, toSearchParams(read, params))
  if (searchQuery.vocabulary.newest === 0) return { ids: [], count: 0 }
  const offset = (params.page - 1) * SONGS_PER_PAGE
  if (params.order === 'entity_id' && params.orderDir === 'DESC')
    return findExact(searchQuery, { offset, limit: SONGS_PER_PAGE }, MAX_COUNT + 1)
  const found = await findIds(searchQuery, [], { offset: 0, limit: MAX_SORTED })
  return { ids: await sortIds(sql, found, params), count: found.length }
}

async function sortIds(sql: Sql, entityIds: readonly number[], { order, orderDir, page }: ListSongsParams) {
  const by = order === 'entity_id' ? sql`s.entity_id` : sortColumn(sql, order)
  const direction = orderDir === 'ASC' ? sql`asc` : sql`desc`
  const rows = await sql<{ entity_id: number }[]>`
    select s.entity_id from song s where s.entity_id = any(${[...entityIds]}::bigint[])
    order by ${by} ${direction} nulls last, s.entity_id ${direction}
    limit ${SONGS_PER_PAGE} offset ${(page - 1) * SONGS_PER_PAGE}`
  return rows.map(({ entity_id }) => entity_id)
}

export const songFiltering: SongFiltering = {
  matchingIds: async (sql, entityIds, query) => matchingOf(sql, entityIds, await readFilter(sql, query)),
  listMatching: async (sql, params, query, downloadLimit) => {
    const { ids, count } = await findMatchingPage(sql, params, await readFilter(sql, query))
    const songs = await songsOf(sql, ids, downloadLimit)
    const totalCount = Math.min(count, MAX_COUNT)
    const pagination = { page: params.page, perPageLimit: SONGS_PER_PAGE, totalCount, more: count > MAX_COUNT }
    return { songs, pagination }
  },
}
