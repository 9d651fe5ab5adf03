import type { Pagination, ParsedInputOf, playlists, ReplyOf } from '@dubplate/contract'
import { containsPattern, prefixQuery, wordsOf } from '../membership/member-search.ts'
import { countPages } from '../platform/count-up-to.ts'
import type { Sql, SqlFragment } from '../platform/db.ts'
import { normaliseTitle } from './own-playlists.ts'
import { readPlaylists, thesePlaylists } from './playlists.ts'

/** At most so many public playlists that match a search are sorted and counted. */
export const MAX_MATCHES = 500

/** Follows every other character, so that `x` … `x` + this are the texts that begin with x. */
const LAST_CHARACTER = '\u{10FFFF}'

/** Rows of `playlist`, and the order of their pages. */
type ListedRows = { rows: SqlFragment; order: SqlFragment; maxCount?: number }

type PlaylistPage = { playlists: playlists.Playlist[]; pagination: Pagination }
type ListParams = ParsedInputOf<typeof playlists.getPlaylists>

/** Returns a page of a member's own playlists, last changed first, and one of the public ones of others, by title. */
export async function listPlaylists(
  sql: Sql,
  customerId: number,
  { list, search, ...page }: ListParams,
): Promise<ReplyOf<typeof playlists.getPlaylists>> {
  const searched = plainTitle(search)
  const read = (rows: ListedRows) => readPage(sql, customerId, rows, page)
  const [own, shared] = await Promise.all([
    list === 'public' ? undefined : read(ownPlaylists(sql, customerId, searched)),
    list === 'mine' ? undefined : read(publicPlaylists(sql, customerId, searched)),
  ])
  return {
    playlists: own?.playlists ?? [],
    public_playlists: shared?.playlists ?? [],
    ...(own ? { pagination: own.pagination } : {}),
    ...(shared ? { public_pagination: shared.pagination } : {}),
  }
}

/** The value of `playlist.plain_title` for a title. */
const plainTitle = (title: string): string =>
  normaliseTitle(title)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')

async function readPage(
  sql: Sql,
  customerId: number,
  { rows, order, maxCount }: ListedRows,
  { page, pageLimit }: Pick<ListParams, 'page' | 'pageLimit'>,
): Promise<PlaylistPage> {
  const [ids, count] = await Promise.all([
    sql<{ playlist_id: number }[]>`
      select playlist_id from (${rows}) listed order by ${order} limit ${pageLimit} offset ${(page - 1) * pageLimit}`,
    countPages(sql, sql`select 1 from (${rows}) listed`, maxCount),
  ])
  const pageIds = ids.map(({ playlist_id }) => playlist_id)
  return {
    // Given ids let PostgreSQL keep the plan of this statement, which takes longer to make than to find the page.
    playlists: pageIds.length > 0 ? await readPlaylists(sql, thesePlaylists(sql, pageIds, customerId), customerId) : [],
    pagination: { page, perPageLimit: pageLimit, ...count },
  }
}

/** Names that equal the search come first, then those that begin with it. */
const closeness = (sql: Sql, searched: string) => sql`
  case when plain_title = ${searched} then 0 when starts_with(plain_title, ${searched}) then 1 else 2 end`

function ownPlaylists(sql: Sql, customerId: number, searched: string): ListedRows {
  const rows = sql`
    select playlist_id, changed_at, plain_title from playlist where customer_id = ${customerId} and deleted_at is null`
  const order = sql`changed_at desc, playlist_id desc`
  if (searched === '') return { rows, order }
  const words = wordsOf(searched)
  const patterns = (words.length > 0 ? words : [searched]).map(containsPattern)
  // Members have few playlists: their names are compared one by one.
  return {
    rows: sql`${rows} and plain_title like all(${patterns}::text[])`,
    order: sql`${closeness(sql, searched)}, ${order}`,
  }
}

function publicPlaylists(sql: Sql, customerId: number, searched: string): ListedRows {
  const shared = sql`
    select playlist_id, title_order, plain_title from playlist
    where public and deleted_at is null and customer_id <> ${customerId}`
  const order = sql`title_order, playlist_id`
  if (searched === '') return { rows: shared, order }
  const rows = sql`select playlist_id, title_order, plain_title from (${matchingPlaylists(sql, shared, searched)}) matching`
  return { rows, order: sql`${closeness(sql, searched)}, ${order}`, maxCount: MAX_MATCHES }
}

/**
 * The public playlists that match a search: up to MAX_MATCHES whose names begin with it, so that these are never
 * missing, and as many with words that begin with its words.
 */
function matchingPlaylists(sql: Sql, shared: SqlFragment, searched: string): SqlFragment {
  const query = prefixQuery(searched)
  if (query === '') return sql`${shared} and plain_title like ${containsPattern(searched)} limit ${MAX_MATCHES + 1}`
  return sql`
    (${shared} and plain_title >= ${searched} and plain_title < ${searched + LAST_CHARACTER} limit ${MAX_MATCHES + 1})
    union
    (${shared} and ${searchText(sql)} @@ to_tsquery('simple', ${query}) limit ${MAX_MATCHES + 1})`
}

/** The text of the index `playlist_public_search`; characters between words are not searched for. */
const searchText = (sql: Sql) => sql`to_tsvector('simple', translate(plain_title, '@.-_+/:<>&''', '           '))`
