import { camelotOrder, type catalogue, KEYS, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { findGenre } from '../catalogue/genres.ts'
import { sectionsOf } from '../catalogue/sections.ts'
import { filterQuery } from '../catalogue/song-filtering.ts'
import { chartPlaces } from '../charts/charts.ts'
import { top20Songs } from '../curation/collections.ts'
import { spotlightSongIds, spotlightSongs } from '../curation/curated.ts'
import { getCratePage } from '../library/crate.ts'
import { listFavouriteIds } from '../library/favourites.ts'
import { findPlaylist, listVisibleSongIds } from '../library/playlists.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { listPlayedIds } from '../player/recent-played.ts'
import { FEW_RESULTS, MAX_COUNT, search } from './search.ts'
import { versionKinds } from './search-call.ts'
import { allGenres } from './search-names.ts'
import { parseSearch, type SearchParams } from './search-params.ts'
import { findIds, groupOf, prepareSearch } from './search-tiers.ts'
import { type FilterGroup, matchingOf, type ReadFilter, readFilter, toSearchParams } from './song-filter.ts'

type OptionsRequest = ParsedInputOf<typeof catalogue.getFilterOptions>
type Options = ReplyOf<typeof catalogue.getFilterOptions>
type Caller = { customer_id: number } | undefined

/** All songs of a list are counted up to this many; of a longer list, only COUNTED_OF_MORE of the newest. */
const MAX_COUNTED = 5000
const COUNTED_OF_MORE = 2000
const GROUPS: readonly FilterGroup[] = ['versions', 'genres', 'years', 'keys']
const SIGNS: Record<FilterGroup, string> = { versions: '#v', genres: '#g', years: '#y', keys: '#k' }

const EMPTY: ReadFilter = { groups: {}, fitting: [], bpm: undefined, checks: {} }

/** Counts the options of a list's filter: those of each group among the songs that match the rest of the filter. */
export async function filterOptions(sql: Pool, request: OptionsRequest, caller: Caller): Promise<Options> {
  const query = filterQuery({ input: request, caller })
  const read = query ? await readFilter(sql, query) : EMPTY
  const find = await songsOfList(sql, request, caller)
  const whole = countFacets(sql, request, find, read)
  const counts = await Promise.all(
    GROUPS.map((group) => (read.groups[group] ? countFacets(sql, request, find, without(read, group)) : whole)),
  )
  const options = Object.fromEntries(
    GROUPS.map((group, n) => [group, optionsOf(group, read, counts[n]?.facets ?? [])]),
  ) as Record<FilterGroup, Option[]>
  return { ...(await nameOptions(sql, options)), more: counts.some(({ more }) => more) }
}

const without = (read: ReadFilter, group: FilterGroup): ReadFilter => ({
  ...read,
  groups: Object.fromEntries(Object.entries(read.groups).filter(([name]) => name !== group)),
})

type FindSongs = (read: ReadFilter) => Promise<number[]>

/** Finds the songs of a list that match, at most one more than are counted. */
async function songsOfList(sql: Pool, request: OptionsRequest, caller: Caller): Promise<FindSongs> {
  const { list, song_section_id } = request
  if (list === 'search') return (read) => findResults(sql, request, read)
  if (list === 'new_releases' || list === 'genre') {
    const genreId = list === 'genre' ? request.id : request.genre_id
    const genre = genreId ? await findGenre(sql, genreId) : undefined
    return (read) => findByIndex(sql, toSearchParams(read, { song_section_id, genre_id: genre?.genre_id }))
  }
  const ids = await shortList(sql, request, caller)
  return (read) => matchingOf(sql, ids, read)
}

async function findByIndex(sql: Sql, params: SearchParams): Promise<number[]> {
  const searchQuery = await prepareSearch(sql, params)
  const words = params.words.map((wanted) => groupOf(wanted, searchQuery.vocabulary))
  if (searchQuery.vocabulary.newest === 0 || words.some(({ expected }) => expected === 0)) return []
  return findIds(searchQuery, words, { offset: 0, limit: MAX_COUNTED + 1 })
}

/** The results of a search; also the similar ones when these are in the list, because there are few exact ones. */
async function findResults(sql: Pool, { searchTerm, ...request }: OptionsRequest, filter: ReadFilter) {
  const [genres, kinds] = await Promise.all([allGenres(sql), versionKinds(sql)])
  const form = {
    SongEntitySearch: { title: '', artist: '', bpm: '', song_key: '', year: '' },
    song_section_id: request.song_section_id,
    genre_id: undefined,
    versions: [],
    not_downloaded: false,
  }
  const { params } = parseSearch(searchTerm, form, { genres, kinds, customer_id: undefined, filter })
  if (!params) return []
  const exact = await findByIndex(sql, params)
  if (exact.length >= FEW_RESULTS) return exact
  const { songs } = await search(sql, params, { offset: 0, limit: MAX_COUNT })
  return songs.map(({ entity_id }) => entity_id)
}

/** All songs of a list that is short enough to be read as a whole. */
async function shortList(sql: Sql, request: OptionsRequest, caller: Caller): Promise<number[]> {
  const { list, id = 0, genre_id, chart_type, song_section_id } = request
  const idsOf = (rows: readonly { entity_id: number }[]) => rows.map(({ entity_id }) => entity_id)
  if (list === 'chart')
    return idsOf(await chartPlaces(sql, { chart_type, genre_id, song_section_id, order: 'rank', orderDir: 'ASC' }))
  if (list === 'spotlight') {
    // Throws if the list is not visible.
    await spotlightSongs(sql, id, 1, 1)
    return spotlightSongIds(sql, id)
  }
  if (list === 'top20') return idsOf((await top20Songs(sql, id, 1, 1)).songs)
  if (!caller?.customer_id) throw new ApiError('not_signed_in', 'Sign in to continue.')
  const { customer_id } = caller
  if (list === 'playlist') return listVisibleSongIds(sql, (await findPlaylist(sql, customer_id, id)).playlist_id)
  if (list === 'crate') return (await getCratePage(sql, customer_id, { page: 1, pageLimit: 1, genre_id }, 1)).list
  return list === 'favourites' ? listFavouriteIds(sql, customer_id) : listPlayedIds(sql, customer_id)
}

type FacetCount = { word: string; n: number }
type FacetCounts = { facets: FacetCount[]; more: boolean }

async function countFacets(sql: Sql, request: OptionsRequest, find: FindSongs, read: ReadFilter): Promise<FacetCounts> {
  const ids = await find(read)
  const more = ids.length > MAX_COUNTED
  if (more && request.list === 'new_releases' && !request.genre_id && isWhole(read))
    return { facets: await countersOf(sql, request.song_section_id), more: false }
  const counted = more ? ids.slice(0, COUNTED_OF_MORE) : ids
  const words = `select tsv from song_search where entity_id = any('{${counted.join()}}'::bigint[])`
  // Takes half as long as grouping the words of all songs.
  const facets = await sql<FacetCount[]>`
    select word, ndoc as n from ts_stat(${words}) where word ~ '^#[vgyk][1-9]'`
  return { facets, more }
}

const isWhole = ({ groups, fitting, bpm, checks }: ReadFilter): boolean =>
  Object.keys(groups).length + fitting.length + Object.keys(checks).length === 0 && !bpm

/** The counts of the whole catalogue, as the search keeps them: genres are current, the others are from last night. */
const countersOf = async (sql: Sql, section: number): Promise<FacetCount[]> => sql<FacetCount[]>`
  select '#g' || genre_id as word, sum(songs)::int as n from genre_counter
  where genre_id > 0 and song_section_id = any(${sectionsOf(section)}::smallint[]) group by genre_id
  union all select word, df from search_word where word > '#' and word < '#z' and word ~ '^#[vyk][0-9]'`

type Option = { facet: string; count: number }

/** The options that songs have, and the chosen ones, which stay in sight when the other groups leave none of them. */
function optionsOf(group: FilterGroup, read: ReadFilter, counts: readonly FacetCount[]): Option[] {
  const found = new Map(counts.filter(({ word }) => word.startsWith(SIGNS[group])).map(({ word, n }) => [word, n]))
  const facets = new Set([...found.keys(), ...(group === 'years' ? [] : (read.groups[group] ?? []))])
  return [...facets].map((facet) => ({ facet, count: found.get(facet) ?? 0 }))
}

const idOf = ({ facet }: Option): number => Number(facet.slice(2))

/** Options with their names: versions and genres in their usual order, years newest first, keys round the wheel. */
async function nameOptions(sql: Sql, options: Record<FilterGroup, Option[]>) {
  const [kinds, genres] = await Promise.all([
    versionKinds(sql),
    sql<{ genre_id: number; name: string }[]>`
      select g.genre_id, g.name from genre g left join genre main on main.genre_id = g.parent_id
      where g.kind = 'genre' and g.genre_id = any(${options.genres.map(idOf)}::int[])
      order by coalesce(main.position, g.position), coalesce(main.genre_id, g.genre_id), g.parent_id is not null,
        g.position, g.genre_id`,
  ])
  const countOf = (group: FilterGroup, id: number) => options[group].find((option) => idOf(option) === id)?.count
  const keys = [...KEYS].sort((a, b) => camelotOrder(a) - camelotOrder(b))
  return {
    versions: kinds.flatMap(({ id, version_code, name }) => {
      const count = countOf('versions', id)
      return count === undefined ? [] : [{ version_code, name, count }]
    }),
    genres: genres.map((genre) => ({ ...genre, count: countOf('genres', genre.genre_id) ?? 0 })),
    years: options.years.map((option) => ({ year: idOf(option), count: option.count })).sort((a, b) => b.year - a.year),
    keys: keys.flatMap((key) => {
      const count = countOf('keys', camelotOrder(key))
      return count === undefined ? [] : [{ key, count }]
    }),
  }
}
