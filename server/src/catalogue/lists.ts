import { catalogue } from '@dubplate/contract'
import type { PendingQuery, Row } from 'postgres'
import type { Sql } from '../platform/db.ts'
import { countSongs } from './genres.ts'
import { sectionsOf } from './sections.ts'
import { songsOf, theseSongs } from './songs.ts'

const { SONGS_A_PAGE } = catalogue

export type Order = 'entity_id' | 'title' | 'artist' | 'min_bpm' | 'song_key' | 'year' | 'created_at'
export type Wish = {
  genre_id?: number | undefined
  song_section_id: number
  page: number
  order: Order
  orderDir: 'ASC' | 'DESC'
}

type Found = { entity_id: number }

/** Pages of one anchor: a far page is found by stepping from the nearest anchor above it. */
export const ANCHOR_PAGES = 50

/** A genre up to this size is sorted whole; a larger one is met soon enough on a walk along the column's index. */
const SMALL_GENRE = 20_000

/** Sorted pages end here: beyond, only newest first has anchors to step from. */
const SORTED_PAGES = 5000

/** One page of a section's songs, of one genre or of all, with the exact count the counters keep. */
export async function listSongs(sql: Sql, wish: Wish, downloadLimit: number) {
  const totalCount = await countSongs(sql, wish.genre_id ?? 0, wish.song_section_id)
  const ids = isBeyond(wish, totalCount) ? [] : await findPage(sql, wish, totalCount)
  // Found first and fetched then: as one statement it would be planned anew each time, which costs more than it does.
  const songs = ids.length > 0 ? await songsOf(sql, theseSongs(sql, ids), downloadLimit) : []
  return { songs, pagination: { page: wish.page, perPageLimit: SONGS_A_PAGE, totalCount } }
}

const isBeyond = (wish: Wish, totalCount: number): boolean =>
  (wish.page - 1) * SONGS_A_PAGE >= totalCount || (wish.order !== 'entity_id' && wish.page > SORTED_PAGES)

async function findPage(sql: Sql, wish: Wish, totalCount: number): Promise<number[]> {
  const rows = await (wish.order === 'entity_id'
    ? newestFirst(sql, wish, await nearestAnchor(sql, wish))
    : wish.genre_id && totalCount < SMALL_GENRE
      ? sortedGenre(sql, wish)
      : sorted(sql, wish))
  return rows.map((row) => row.entity_id)
}

/** The columns a list can be sorted by, each with the index behind it. */
export const column = (sql: Sql, order: Exclude<Order, 'entity_id'>) =>
  ({
    title: sql`lower(s.title) collate "C"`,
    artist: sql`lower(s.artist) collate "C"`,
    min_bpm: sql`s.min_bpm`,
    song_key: sql`s.key_position`,
    year: sql`s.year`,
    created_at: sql`s.created_at`,
  })[order]

const direction = (sql: Sql, wish: Wish) => (wish.orderDir === 'ASC' ? sql`asc` : sql`desc`)

const MAY_BE_EMPTY = new Set<Order>(['min_bpm', 'song_key', 'year'])

/** In the order of a column's index, forwards or backwards, songs without a value last. */
function sorted(sql: Sql, wish: Wish): PendingQuery<Found[]> {
  const { order, page } = wish
  if (order === 'entity_id') throw new TypeError('The newest-first order has its own index')
  const by = column(sql, order)
  const way = direction(sql, wish)
  const skipped = (page - 1) * SONGS_A_PAGE
  // Backwards the index begins with the songs that have no value, so these are found by themselves.
  const isSplit = wish.orderDir === 'DESC' && MAY_BE_EMPTY.has(order)
  const ofGenre = wish.genre_id
    ? sql`and exists (select 1 from song_genre sg where sg.genre_id = ${wish.genre_id} and sg.entity_id = s.entity_id)`
    : sql``
  const arms = sectionsOf(wish.song_section_id).flatMap((section) =>
    (isSplit ? [sql`and ${by} is not null`, sql`and ${by} is null`] : [sql``]).map(
      (part) => sql`
        (select s.entity_id, ${by} as value from song s
        where s.status = 'published' and s.song_section_id = ${section} ${ofGenre} ${part}
        order by ${by} ${way}, s.entity_id ${way} limit ${skipped + SONGS_A_PAGE})`,
    ),
  )
  const emptyLast = isSplit ? sql`nulls last` : sql``
  return sql`
    select entity_id from (${unionAll(sql, arms)}) arms
    order by value ${way} ${emptyLast}, entity_id ${way} limit ${SONGS_A_PAGE} offset ${skipped}`
}

const unionAll = (sql: Sql, arms: PendingQuery<Row[]>[]): PendingQuery<Row[]> =>
  arms.reduce((before, arm) => sql`${before} union all ${arm}`)

/** All of a small genre, sorted: its songs are fewer than a walk along the column's index would pass. */
function sortedGenre(sql: Sql, wish: Wish): PendingQuery<Found[]> {
  if (wish.order === 'entity_id') throw new TypeError('The newest-first order has its own index')
  const way = direction(sql, wish)
  return sql`
    select s.entity_id from (
      select entity_id from song_genre
      where genre_id = ${wish.genre_id ?? 0} and listed_section = any(${sectionsOf(wish.song_section_id)}::smallint[])
      offset 0) listed
    join song s using (entity_id)
    order by ${column(sql, wish.order)} ${way} nulls last, s.entity_id ${way}
    limit ${SONGS_A_PAGE} offset ${(wish.page - 1) * SONGS_A_PAGE}`
}

/** Walks the narrow index of a genre (or of the whole section), from the nearest anchor when the page is far down. */
function newestFirst(sql: Sql, wish: Wish, anchor: Anchor | undefined): PendingQuery<Found[]> {
  const skipped = (wish.page - (anchor?.page ?? 1)) * SONGS_A_PAGE
  const from = anchor ? sql`and entity_id <= ${anchor.entity_id}` : sql``
  const way = direction(sql, wish)
  const narrow = (section: number) =>
    wish.genre_id
      ? sql`song_genre where genre_id = ${wish.genre_id} and listed_section = ${section}`
      : sql`song where status = 'published' and song_section_id = ${section}`
  const arms = sectionsOf(wish.song_section_id).map(
    (section) => sql`
      (select entity_id from ${narrow(section)} ${from} order by entity_id ${way} limit ${skipped + SONGS_A_PAGE})`,
  )
  return sql`
    select entity_id from (${unionAll(sql, arms)}) arms
    order by entity_id ${way} limit ${SONGS_A_PAGE} offset ${skipped}`
}

type Anchor = { page: number; entity_id: number }

async function nearestAnchor(sql: Sql, wish: Wish): Promise<Anchor | undefined> {
  if (wish.page <= ANCHOR_PAGES || wish.order !== 'entity_id' || wish.orderDir === 'ASC') return undefined
  const [anchor] = await sql<Anchor[]>`
    select page, entity_id from list_anchor
    where genre_id = ${wish.genre_id ?? 0} and song_section_id = ${wish.song_section_id} and page <= ${wish.page}
    order by page desc limit 1`
  return anchor
}

/** Notes the first song of every 50th page anew: nightly and after an import; in between, new songs shift far pages a little. */
export const rebuildAnchors = (sql: Sql): Promise<void> => noteAnchors(sql, sql`true`)

/** The same of some genres alone, with the list of all songs. */
export const rebuildAnchorsOf = (sql: Sql, genreIds: readonly number[]): Promise<void> =>
  noteAnchors(sql, sql`genre_id = any(${[0, ...genreIds]}::int[])`)

async function noteAnchors(sql: Sql, chosen: ReturnType<Sql>): Promise<void> {
  const songsBetween = ANCHOR_PAGES * SONGS_A_PAGE
  await sql`
    with of_sections as (
      select genre_id, listed_section as section, entity_id from song_genre where listed_section is not null and ${chosen}
      union all select 0, song_section_id, entity_id from song where status = 'published'
    ), listed as (
      select * from of_sections union all select genre_id, ${catalogue.ALL_SECTIONS}::smallint, entity_id from of_sections
    ), numbered as (
      select genre_id, section, entity_id, row_number() over (partition by genre_id, section order by entity_id desc) - 1 as n
      from listed
    ), fresh as (
      select genre_id, section, n / ${SONGS_A_PAGE} + 1 as page, entity_id from numbered where n > 0 and n % ${songsBetween} = 0
    ), gone as (
      delete from list_anchor old where ${chosen} and not exists (
        select 1 from fresh where (fresh.genre_id, fresh.section, fresh.page) = (old.genre_id, old.song_section_id, old.page)))
    insert into list_anchor (genre_id, song_section_id, page, entity_id) select genre_id, section, page, entity_id from fresh
    on conflict (genre_id, song_section_id, page) do update set entity_id = excluded.entity_id`
}
