import { catalogue } from '@dubplate/contract'
import { currentSong } from '../catalogue/merged-songs.ts'
import type { KeepMatching } from '../catalogue/song-filtering.ts'
import { songsOf } from '../catalogue/songs.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'

const { SONGS_PER_PAGE } = catalogue

/**
 * Removes a favourite, or adds a song that is published. A page may still show a song by its id from before a merge.
 * Throws `unknown_song`.
 */
export const toggleFavourite = (pool: Pool, customerId: number, songId: number): Promise<boolean> =>
  withDeadlockRetry(pool, async (sql) => toggleRow(sql, customerId, await currentSong(sql, songId)))

async function toggleRow(sql: Sql, customerId: number, songId: number): Promise<boolean> {
  const removed =
    await sql`delete from favourite where customer_id = ${customerId} and entity_id = ${songId} returning 1`
  if (removed.length > 0) return false
  const [song] = await sql`
    with song as (select entity_id from song where entity_id = ${songId} and status = 'published'),
    marked as (
      insert into favourite (customer_id, entity_id) select ${customerId}, entity_id from song on conflict do nothing)
    select 1 from song`
  if (!song) throw new ApiError('unknown_song', 'Song not found. It may have been unpublished.')
  return true
}

type FavouritesChange = { song_ids: number[]; action: 'add' | 'remove' }

/**
 * Adds many favourites, the first one at the top, or removes them; unpublished songs are skipped. Returns how many
 * changed.
 */
export const changeFavourites = (pool: Pool, customerId: number, params: FavouritesChange): Promise<number> =>
  withDeadlockRetry(pool, (sql) => changeFavouritesInBulk(sql, customerId, params))

/** The same in the caller's transaction. */
export async function changeFavouritesInBulk(
  sql: Sql,
  customerId: number,
  { song_ids, action }: FavouritesChange,
): Promise<number> {
  if (action === 'remove') {
    const removed = await sql`
      delete from favourite where customer_id = ${customerId} and entity_id = any(${song_ids}::bigint[]) returning 1`
    return removed.length
  }
  const added = await sql`
    insert into favourite (customer_id, entity_id, added_at)
    select ${customerId}, entity_id, now() - n * interval '1 millisecond'
    from unnest(${song_ids}::bigint[]) with ordinality wanted (entity_id, n) join song s using (entity_id)
    where s.status = 'published' order by n
    on conflict do nothing returning 1`
  return added.length
}

/** Returns the ids of the favourites, last added first. */
export const listFavouriteIds = async (sql: Sql, customerId: number): Promise<number[]> => {
  const rows = await sql<{ entity_id: number }[]>`select f.entity_id from favourite f join song s using (entity_id)
    where f.customer_id = ${customerId} and s.status = 'published' order by f.added_at desc, f.entity_id desc`
  return rows.map((row) => row.entity_id)
}

/** Returns a page of the favourites, last added first. */
export async function getFavouritePage(
  sql: Sql,
  customerId: number,
  page: number,
  downloadLimit: number,
  keep?: KeepMatching,
) {
  if (keep) {
    const ids = await keep(await listFavouriteIds(sql, customerId))
    const shown = ids.slice((page - 1) * SONGS_PER_PAGE, page * SONGS_PER_PAGE)
    return {
      songs: await songsOf(sql, shown, downloadLimit),
      pagination: { page, perPageLimit: SONGS_PER_PAGE, totalCount: ids.length },
    }
  }
  const favourites = sql`
    from favourite f join song s using (entity_id) where f.customer_id = ${customerId} and s.status = 'published'`
  const [rows, [total]] = await Promise.all([
    sql<{ entity_id: number }[]>`
      select entity_id ${favourites} order by f.added_at desc, entity_id desc
      limit ${SONGS_PER_PAGE} offset ${(page - 1) * SONGS_PER_PAGE}`,
    sql<{ n: number }[]>`select count(*)::int as n ${favourites}`,
  ])
  const songs = await songsOf(
    sql,
    rows.map(({ entity_id }) => entity_id),
    downloadLimit,
  )
  return { songs, pagination: { page, perPageLimit: SONGS_PER_PAGE, totalCount: total?.n ?? 0 } }
}
