import { catalogue, type ParsedInputOf, type ReplyOf, type spotlights } from '@dubplate/contract'
import { listImage } from '../catalogue/images.ts'
import type { KeepMatching } from '../catalogue/song-filtering.ts'
import { songsOf } from '../catalogue/songs.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { isSuggested, isVisible, suggestedSince } from './visibility.ts'

const MAX_HOME_SPOTLIGHTS = 12
const MAX_SUGGESTED = 12
const { SONGS_PER_PAGE } = catalogue

type ListRow = Omit<spotlights.CuratedList, 'image'> & { artwork: string | null; cover_seed: number }

/** The columns of a list's tile; the list is `l`, its artwork `a`. Counts only available songs. */
const tileColumns = (sql: Sql) => sql`
  l.curated_list_id, l.title, l.created_by, l.cover_seed, encode(a.sha256, 'hex') as artwork,
  (select count(*)::int from curated_list_song c join song s using (entity_id)
    where c.curated_list_id = l.curated_list_id and s.status = 'published') as song_count`

const toTile = ({ artwork, cover_seed, ...list }: ListRow): spotlights.CuratedList => ({
  curated_list_id: list.curated_list_id,
  title: list.title,
  created_by: list.created_by,
  song_count: list.song_count,
  image: listImage('list', list.curated_list_id, { artwork, title: list.title, cover_seed }),
})

/** The newest spotlights, for the slider of the home page. */
export async function newestSpotlights(sql: Sql): Promise<spotlights.CuratedList[]> {
  const rows = await sql<ListRow[]>`
    select ${tileColumns(sql)} from curated_list l left join artwork a using (artwork_id)
    where ${isVisible(sql)} order by l.published_at desc, l.curated_list_id desc limit ${MAX_HOME_SPOTLIGHTS}`
  return rows.map(toTile)
}

/** The suggested spotlights, the most recently suggested first. */
export async function suggestedLists(sql: Sql): Promise<spotlights.CuratedList[]> {
  const rows = await sql<ListRow[]>`
    select ${tileColumns(sql)} from curated_list l left join artwork a using (artwork_id)
    where ${isSuggested(sql)} order by ${suggestedSince(sql)} desc, l.curated_list_id desc limit ${MAX_SUGGESTED}`
  return rows.map(toTile)
}

type GetCuratedListsParams = ParsedInputOf<typeof spotlights.getCuratedLists>

/** A page of the spotlights, newest first; a main genre includes those of its sub-genres. Throws `unknown_genre`. */
export async function curatedLists(
  sql: Sql,
  params: GetCuratedListsParams,
): Promise<ReplyOf<typeof spotlights.getCuratedLists>> {
  const genre = params.curated_genres_id
  if (genre) await findCuratedGenre(sql, genre)
  const genreFilter = genre
    ? sql`and curated_genre_id in (
        select curated_genre_id from curated_genre where curated_genre_id = ${genre} or parent_id = ${genre})`
    : sql``
  const rows = await sql<(Partial<ListRow> & { total: number })[]>`
    with chosen as (select * from curated_list where ${isVisible(sql)} ${genreFilter})
    select counted.total, shown.* from (select count(*)::int as total from chosen) counted
    left join lateral (
      select ${tileColumns(sql)} from chosen l left join artwork a using (artwork_id)
      order by l.published_at desc, l.curated_list_id desc
      limit ${params.pageLimit} offset ${(params.page - 1) * params.pageLimit}) shown on true`
  return {
    // A page after the last is one row with only the count.
    curatedlist: rows.filter((row): row is ListRow & { total: number } => row.curated_list_id != null).map(toTile),
    pagination: { page: params.page, perPageLimit: params.pageLimit, totalCount: rows[0]?.total ?? 0 },
  }
}

/** The songs of one spotlight in order. Throws `unknown_list`. */
export async function spotlightSongs(
  sql: Sql,
  listId: number,
  page: number,
  downloadLimit: number,
  keep?: KeepMatching,
) {
  const [list] = await sql<{ title: string; songs: number }[]>`
    select title, (select count(*)::int from curated_list_song c join song s using (entity_id)
      where c.curated_list_id = ${listId} and s.status = 'published') as songs
    from curated_list where curated_list_id = ${listId} and ${isVisible(sql)}`
  if (!list) throw new ApiError('unknown_list', 'This list doesn’t exist or has been unpublished.')
  if (keep) {
    const ids = await keep(await spotlightSongIds(sql, listId))
    const shown = ids.slice((page - 1) * SONGS_PER_PAGE, page * SONGS_PER_PAGE)
    return {
      title: list.title,
      songs: await songsOf(sql, shown, downloadLimit),
      pagination: { page, perPageLimit: SONGS_PER_PAGE, totalCount: ids.length },
    }
  }
  const rows = await sql<{ entity_id: number }[]>`
    select c.entity_id from curated_list_song c join song s using (entity_id)
    where c.curated_list_id = ${listId} and s.status = 'published'
    order by c.position limit ${SONGS_PER_PAGE} offset ${(page - 1) * SONGS_PER_PAGE}`
  return {
    title: list.title,
    songs: await songsOf(
      sql,
      rows.map(({ entity_id }) => entity_id),
      downloadLimit,
    ),
    pagination: { page, perPageLimit: SONGS_PER_PAGE, totalCount: list.songs },
  }
}

/** All songs of one spotlight in order. */
export async function spotlightSongIds(sql: Sql, listId: number): Promise<number[]> {
  const rows = await sql<{ entity_id: number }[]>`
    select c.entity_id from curated_list_song c join song s using (entity_id)
    where c.curated_list_id = ${listId} and s.status = 'published' order by c.position`
  return rows.map(({ entity_id }) => entity_id)
}

/** One curated genre with its parent. Throws `unknown_genre`. */
export async function findCuratedGenre(sql: Sql, genreId: number) {
  const [found] = await sql<{ title: string; parent_id: number | null }[]>`
    select title, parent_id from curated_genre where curated_genre_id = ${genreId}`
  if (!found)
    throw new ApiError('unknown_genre', 'This curated genre doesn’t exist. It may have been renamed or deleted.')
  const { title, parent_id } = found
  return { genre_id: genreId, title, name: title, current_genre: { parent_id } }
}

type GenreRow = { genre_id: number; parent_id: number | null; title: string; name: string; list_count: number }
type CuratedGenres = ReplyOf<typeof spotlights.getCuratedGenres>['genres']

/**
 * The main curated genres with their sub-genres, in the operator's order. A main genre also counts the lists of its
 * sub-genres, and is active when it or one of them is selected.
 */
export async function curatedGenres(sql: Sql, selectedGenreId: number | undefined): Promise<CuratedGenres> {
  const rows = await sql<GenreRow[]>`
    select g.curated_genre_id as genre_id, g.parent_id, g.title, g.title as name, count(l.curated_list_id)::int as list_count
    from curated_genre g left join curated_list l on l.curated_genre_id = g.curated_genre_id and ${isVisible(sql)}
    group by g.curated_genre_id order by g.position, g.curated_genre_id`
  return rows
    .filter((row) => row.parent_id === null)
    .map((main) => {
      const subgenres = rows.filter((row) => row.parent_id === main.genre_id)
      return {
        ...main,
        list_count: subgenres.reduce((sum, { list_count }) => sum + list_count, main.list_count),
        isActive: [main, ...subgenres].some(({ genre_id }) => genre_id === selectedGenreId),
        subgenres,
      }
    })
}
