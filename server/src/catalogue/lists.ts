import { catalogue } from '@dubplate/contract'
import type { PendingQuery, Row } from 'postgres'
import type { Sql } from '../platform/db.ts'
import { countSongs } from './genres.ts'
import { sectionsOf } from './sections.ts'
import { songsOf } from './songs.ts'

const { MAX_NEW_SONGS, SECTIONS, SONGS_PER_PAGE } = catalogue

export type SongOrder = 'entity_id' | 'title' | 'artist' | 'min_bpm' | 'song_key' | 'year' | 'created_at'
export type ListSongsParams = {
  genre_id?: number | undefined
  song_section_id: number
  page: number
  order: SongOrder
  orderDir: 'ASC' | 'DESC'
}

type SongId = { entity_id: number }

/** Pages per anchor: a far page is found by stepping from the nearest anchor above it. */
const ANCHOR_PAGES = 50

/** Sorted pages end here, because only newest first has anchors to step from. */
const SORTED_PAGES = 5000

/** Returns the number of songs added in the last seven days, at most MAX_NEW_SONGS. */
export async function countNewSongs(sql: Sql): Promise<number> {
  const [newSongs] = await sql<{ n: number }[]>`
    select count(*)::int as n from (
      select from song where status = 'published' and song_section_id = ${SECTIONS.songs}
        and created_at > now() - interval '7 days' limit ${MAX_NEW_SONGS}) s`
  return newSongs?.n ?? 0
}

/** One page of a section's songs, of one genre or of all, with the exact count from the counters. */
export async function listSongs(sql: Sql, params: ListSongsParams, downloadLimit: number) {
  const totalCount = await countSongs(sql, params.genre_id ?? 0, params.song_section_id)
  const ids = isPastEnd(params, totalCount) ? [] : await findPage(sql, params, totalCount)
  // Two queries: as one statement it would be planned each time, which costs more than running it.
  const songs = await songsOf(sql, ids, downloadLimit)
  return { songs, pagination: { page: params.page, perPageLimit: SONGS_PER_PAGE, totalCount } }
}

const isPastEnd = (params: ListSongsParams, totalCount: number): boolean =>
  (params.page - 1) * SONGS_PER_PAGE >= totalCount || (params.order !== 'entity_id' && params.page > SORTED_PAGES)

async function findPage(sql: Sql, params: ListSongsParams, totalCount: number): Promise<number[]> {
  const rows = await (params.order === 'entity_id'
    ? newestFirst(sql, params, await nearestAnchor(sql, params))
    : params.genre_id && (await isSortedWhole(sql, params, totalCount))
      ? sortedGenre(sql, params)
      : sorted(sql, params))
  return rows.map((row) => row.entity_id)
}

/**
 * Whether to sort all `totalCount` songs of a list, or to scan the index of the column until it has passed enough of
 * them: whichever reads fewer songs if they are spread evenly over the index.
 */
export async function isSortedWhole(
  sql: Sql,
  { page, song_section_id }: Pick<ListSongsParams, 'page' | 'song_section_id'>,
  totalCount: number,
): Promise<boolean> {
  const scanned = (page * SONGS_PER_PAGE * (await countSongs(sql, 0, song_section_id))) / totalCount
  return totalCount <= scanned
}

/** The columns that a list can be sorted by; each has an index. */
export const sortColumn = (sql: Sql, order: Exclude<SongOrder, 'entity_id'>) =>
  ({
    title: sql`lower(s.title) collate "C"`,
    artist: sql`lower(s.artist) collate "C"`,
    min_bpm: sql`s.min_bpm`,
    song_key: sql`s.key_position`,
    year: sql`s.year`,
    created_at: sql`s.created_at`,
  })[order]

const direction = (sql: Sql, params: ListSongsParams) => (params.orderDir === 'ASC' ? sql`asc` : sql`desc`)

const NULLABLE_COLUMNS = new Set<SongOrder>(['min_bpm', 'song_key', 'year'])

/**
 * Songs in the order of a column's index, forwards or backwards, those without a value last.
 * @param condition limits them further; the song is `s`
 */
export function sorted(
  sql: Sql,
  params: ListSongsParams,
  condition: PendingQuery<Row[]> = sql``,
): PendingQuery<SongId[]> {
  const { order, page } = params
  if (order === 'entity_id') throw new TypeError('The newest-first order has its own index')
  const by = sortColumn(sql, order)
  const sortDirection = direction(sql, params)
  const skipped = (page - 1) * SONGS_PER_PAGE
  // Backwards the index starts with the songs that have no value, so these are queried separately.
  const isSplit = params.orderDir === 'DESC' && NULLABLE_COLUMNS.has(order)
  const ofGenre = params.genre_id
    ? sql`and exists (select 1 from song_genre sg where sg.genre_id = ${params.genre_id} and sg.entity_id = s.entity_id)`
    : sql``
  const sectionQueries = sectionsOf(params.song_section_id).flatMap((section) =>
    (isSplit ? [sql`and ${by} is not null`, sql`and ${by} is null`] : [sql``]).map(
      (part) => sql`
        (select s.entity_id, ${by} as value from song s
        where s.status = 'published' and s.song_section_id = ${section} ${ofGenre} ${condition} ${part}
        order by ${by} ${sortDirection}, s.entity_id ${sortDirection} limit ${skipped + SONGS_PER_PAGE})`,
    ),
  )
  const emptyLast = isSplit ? sql`nulls last` : sql``
  return sql`
    select entity_id from (${unionAll(sql, sectionQueries)}) arms
    order by value ${sortDirection} ${emptyLast}, entity_id ${sortDirection} limit ${SONGS_PER_PAGE} offset ${skipped}`
}

const unionAll = (sql: Sql, sectionQueries: PendingQuery<Row[]>[]): PendingQuery<Row[]> =>
  sectionQueries.reduce((before, sectionQuery) => sql`${before} union all ${sectionQuery}`)

/** Sorts all songs of a small genre, because they are fewer than a scan of the column's index would pass. */
function sortedGenre(sql: Sql, params: ListSongsParams): PendingQuery<SongId[]> {
  if (params.order === 'entity_id') throw new TypeError('The newest-first order has its own index')
  const sortDirection = direction(sql, params)
  return sql`
    select s.entity_id from (
      select entity_id from song_genre
      where genre_id = ${params.genre_id ?? 0} and listed_section = any(${sectionsOf(params.song_section_id)}::smallint[])
      offset 0) listed
    join song s using (entity_id)
    order by ${sortColumn(sql, params.order)} ${sortDirection} nulls last, s.entity_id ${sortDirection}
    limit ${SONGS_PER_PAGE} offset ${(params.page - 1) * SONGS_PER_PAGE}`
}

/** Scans the narrow index of a genre (or of the whole section), from the nearest anchor when the page is far down. */
function newestFirst(sql: Sql, params: ListSongsParams, anchor: PageAnchor | undefined): PendingQuery<SongId[]> {
  const skipped = (params.page - (anchor?.page ?? 1)) * SONGS_PER_PAGE
  const from = anchor ? sql`and entity_id <= ${anchor.entity_id}` : sql``
  const sortDirection = direction(sql, params)
  const sectionRows = (section: number) =>
    params.genre_id
      ? sql`song_genre where genre_id = ${params.genre_id} and listed_section = ${section}`
      : sql`song where status = 'published' and song_section_id = ${section}`
  const sectionQueries = sectionsOf(params.song_section_id).map(
    (section) => sql`
      (select entity_id from ${sectionRows(section)} ${from} order by entity_id ${sortDirection} limit ${skipped + SONGS_PER_PAGE})`,
  )
  return sql`
    select entity_id from (${unionAll(sql, sectionQueries)}) arms
    order by entity_id ${sortDirection} limit ${SONGS_PER_PAGE} offset ${skipped}`
}

type PageAnchor = { page: number; entity_id: number }

async function nearestAnchor(sql: Sql, params: ListSongsParams): Promise<PageAnchor | undefined> {
  if (params.page <= ANCHOR_PAGES || params.order !== 'entity_id' || params.orderDir === 'ASC') return undefined
  const [anchor] = await sql<PageAnchor[]>`
    select page, entity_id from list_anchor
    where genre_id = ${params.genre_id ?? 0} and song_section_id = ${params.song_section_id} and page <= ${params.page}
    order by page desc limit 1`
  return anchor
}

/**
 * Saves the first song of every 50th page again: nightly and after an import. In between, new songs shift far pages a
 * little.
 */
export const rebuildAnchors = (sql: Sql): Promise<void> => saveAnchors(sql, sql`true`)

/** Does the same for some genres, and for the list of all songs. */
export const rebuildAnchorsOf = (sql: Sql, genreIds: readonly number[]): Promise<void> =>
  saveAnchors(sql, sql`genre_id = any(${[0, ...genreIds]}::int[])`)

async function saveAnchors(sql: Sql, genreRows: ReturnType<Sql>): Promise<void> {
  const songsBetween = ANCHOR_PAGES * SONGS_PER_PAGE
  await sql`
    with of_sections as (
      select genre_id, listed_section as section, entity_id from song_genre where listed_section is not null and ${genreRows}
      union all select 0, song_section_id, entity_id from song where status = 'published'
    ), listed as (
      select * from of_sections union all select genre_id, ${catalogue.ALL_SECTIONS}::smallint, entity_id from of_sections
    ), numbered as (
      select genre_id, section, entity_id, row_number() over (partition by genre_id, section order by entity_id desc) - 1 as n
      from listed
    ), fresh as (
      select genre_id, section, n / ${SONGS_PER_PAGE} + 1 as page, entity_id from numbered where n > 0 and n % ${songsBetween} = 0
    ), gone as (
      delete from list_anchor old where ${genreRows} and not exists (
        select 1 from fresh where (fresh.genre_id, fresh.section, fresh.page) = (old.genre_id, old.song_section_id, old.page)))
    insert into list_anchor (genre_id, song_section_id, page, entity_id) select genre_id, section, page, entity_id from fresh
    on conflict (genre_id, song_section_id, page) do update set entity_id = excluded.entity_id`
}
