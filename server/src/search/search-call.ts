import { catalogue, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { currentGenre } from '../catalogue/genres.ts'
import { type SongOrder, sortColumn } from '../catalogue/lists.ts'
import { filterQuery } from '../catalogue/song-filtering.ts'
import { songsOf } from '../catalogue/songs.ts'
import type { Pool, Sql } from '../platform/db.ts'
import type { Settings } from '../platform/settings.ts'
import { findCorrections, NO_CORRECTIONS } from './corrections.ts'
import { MAX_COUNT, NO_RESULTS, type SearchHit, type SearchResult, search } from './search.ts'
import { allGenres, type NamedItem } from './search-names.ts'
import { parseSearch, type SearchParams } from './search-params.ts'
import { readFilter } from './song-filter.ts'

type SearchRequestParams = ParsedInputOf<typeof catalogue.searchSongs>
const { SONGS_PER_PAGE } = catalogue

/** Searches songs by words, the search language and filters. Throws `query_too_short` or `invalid_filter`. */
export async function runSearchCall(
  sql: Pool,
  searchRequest: SearchRequestParams,
  caller: { customer_id: number } | undefined,
  { downloadLimit, hidden }: Pick<Settings, 'downloadLimit' | 'hidden'>,
): Promise<ReplyOf<typeof catalogue.searchSongs>> {
  const query = filterQuery({ input: searchRequest, caller })
  const [genres, kinds, filter] = await Promise.all([
    allGenres(sql, searchRequest.song_section_id),
    versionKinds(sql),
    query && readFilter(sql, query),
  ])
  const genre_id = searchRequest.genre_id && (await currentGenre(sql, searchRequest.genre_id))
  const { params, understood } = parseSearch(
    searchRequest.searchTerm,
    { ...searchRequest, genre_id },
    {
      genres,
      kinds,
      customer_id: caller?.customer_id,
      filter,
    },
  )
  const found = params ? await findPage(sql, params, searchRequest) : NO_RESULTS
  const matchTypes = new Map(found.songs.map(({ entity_id, words, tempo }) => [entity_id, { words, tempo }]))
  const songs = await songsOf(sql, [...matchTypes.keys()], downloadLimit)
  return {
    songs: songs.map((song) => ({
      ...song,
      found: matchTypes.get(song.entity_id) ?? { words: 'exact', tempo: 'same' },
    })),
    genres: genres
      .filter(({ kind, parent_id, song_count }) => kind === 'genre' && parent_id === null && song_count > 0)
      .map(({ id, name }) => ({ genre_id: id, name })),
    versions: kinds.map(({ version_code, name }) => ({ version_code, name })),
    pagination: {
      page: searchRequest.page,
      perPageLimit: SONGS_PER_PAGE,
      totalCount: found.totalCount,
      more: found.more,
    },
    exact_count: found.exactCount,
    understood,
    did_you_mean:
      params && found.hasNoMatch
        ? await findCorrections(
            sql,
            params,
            genres.filter(({ kind }) => kind === 'genre' || !hidden.has('moods')),
          )
        : NO_CORRECTIONS,
  }
}

/** The kinds of version that can be chosen. */
export const versionKinds = async (sql: Sql): Promise<(NamedItem & { version_code: string })[]> =>
  sql<(NamedItem & { version_code: string })[]>`
    select version_kind_id as id, version_code, name from version_kind where offered
    order by position = 0, position, version_kind_id`

/** One page: in the order of the search, or all counted results sorted by another column. */
async function findPage(sql: Pool, params: SearchParams, searchRequest: SearchRequestParams): Promise<SearchResult> {
  const offset = (searchRequest.page - 1) * SONGS_PER_PAGE
  if (searchRequest.order === 'entity_id' && searchRequest.orderDir === 'DESC')
    return search(sql, params, { offset, limit: SONGS_PER_PAGE })
  const found = await search(sql, params, { offset: 0, limit: MAX_COUNT })
  return { ...found, songs: await sortHits(sql, found.songs, searchRequest) }
}

async function sortHits(
  sql: Pool,
  songs: readonly SearchHit[],
  searchRequest: SearchRequestParams,
): Promise<SearchHit[]> {
  const by =
    searchRequest.order === 'entity_id' ? sql`s.entity_id` : sortColumn(sql, searchRequest.order satisfies SongOrder)
  const way = searchRequest.orderDir === 'ASC' ? sql`asc` : sql`desc`
  const rows = await sql<{ entity_id: number }[]>`
    select s.entity_id from song s where s.entity_id = any(${songs.map((song) => song.entity_id)}::bigint[])
    order by ${by} ${way} nulls last, s.entity_id desc
    limit ${SONGS_PER_PAGE} offset ${(searchRequest.page - 1) * SONGS_PER_PAGE}`
  const byId = new Map(songs.map((song) => [song.entity_id, song]))
  return rows.flatMap((row) => byId.get(row.entity_id) ?? [])
}
