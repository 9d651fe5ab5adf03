import type { SongMerge, SongSplit } from '../catalogue/merged-songs.ts'
import type { Sql } from '../platform/db.ts'

type Moved = { rows: number; doubles: number }
export type LibraryMoves = { favourites: Moved; playlists: Moved; crates: number }

/** Counts the favourites, playlist entries and crates of songs that will be merged. */
export async function countLibraryMoves(sql: Sql, { from, into }: SongMerge): Promise<LibraryMoves> {
  const ids = sql`${[...from]}::bigint[]`
  const [counted] = await sql<{ f: number; fd: number; p: number; pd: number; crates: number }[]>`
    select
      (select count(*)::int from favourite where entity_id = any(${ids})) as f,
      (select coalesce(sum(n - 1), 0)::int from (select count(*) as n from favourite
        where entity_id = any(${ids}) or entity_id = ${into} group by customer_id) of_members) as fd,
      (select count(*)::int from playlist_song where entity_id = any(${ids})) as p,
      (select coalesce(sum(n - 1), 0)::int from (select count(*) as n from playlist_song
        where entity_id = any(${ids}) or entity_id = ${into} group by playlist_id) of_lists) as pd,
      (select count(distinct customer_id)::int from crate_item where entity_id = any(${ids})) as crates`
  const { f = 0, fd = 0, p = 0, pd = 0, crates = 0 } = counted ?? {}
  return { favourites: { rows: f, doubles: fd }, playlists: { rows: p, doubles: pd }, crates }
}

/** Returns how many members have each song as a favourite, if any has. */
export async function countFavourites(sql: Sql, entityIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await sql<{ entity_id: number; n: number }[]>`
    select entity_id, count(*)::int as n from favourite where entity_id = any(${[...entityIds]}::bigint[]) group by 1`
  return new Map(rows.map(({ entity_id, n }) => [entity_id, n]))
}

/**
 * Moves favourites, mutes, playlists and crates to the song that remains, each only once: with the earliest favourite and the
 * first position in a playlist. Part of the caller's transaction.
 */
export async function mergeInLibrary(
  sql: Sql,
  { from, into }: SongMerge,
  replaced: readonly { gone: number; stays: number }[],
): Promise<void> {
  await sql`
    with gone as (delete from favourite where entity_id = any(${[...from]}::bigint[]) returning customer_id, added_at)
    insert into favourite (customer_id, entity_id, added_at)
    select customer_id, ${into}, min(added_at) from gone group by customer_id
    on conflict (customer_id, entity_id) do update set added_at = least(favourite.added_at, excluded.added_at)`
  await sql`
    with gone as (delete from mute where entity_id = any(${[...from]}::bigint[]) returning customer_id, muted_at)
    insert into mute (customer_id, kind, entity_id, muted_at) select customer_id, 'song', ${into}, muted_at from gone
    on conflict do nothing`
  await mergeInPlaylists(sql, { from, into })
  await sql`update crate_item set entity_id = ${into} where entity_id = any(${[...from]}::bigint[])`
  await sql`
    with gone as (
      delete from crate_item c using unnest(${replaced.map(({ gone: removed }) => removed)}::bigint[], ${replaced.map(({ stays: replacement }) => replacement)}::bigint[])
        as pair (gone, stays) where c.song_version_id = pair.gone returning c.customer_id, pair.stays, c.added_at, c.position)
    insert into crate_item (customer_id, song_version_id, entity_id, added_at, position)
    select customer_id, stays, ${into}, min(added_at), min(position) from gone group by customer_id, stays
    on conflict do nothing`
}

/**
 * Positions run from 1 without gaps, so later ones move up. The remaining song is in a playlist since the first of the
 * merged songs is; one without a date is older. Playlists are always locked in the same order.
 */
async function mergeInPlaylists(sql: Sql, { from, into }: SongMerge): Promise<void> {
  const ids = [...from]
  const lists = await sql<{ playlist_id: number }[]>`
    select playlist_id from playlist
    where playlist_id in (select playlist_id from playlist_song where entity_id = any(${ids}::bigint[]))
    order by playlist_id for no key update`
  const playlistIds = lists.map(({ playlist_id }) => playlist_id)
  if (playlistIds.length === 0) return
  await sql`
    with gone as (
      delete from playlist_song where playlist_id = any(${playlistIds}::bigint[])
        and entity_id = any(${[into, ...ids]}::bigint[]) returning playlist_id, position, added_at)
    insert into playlist_song (playlist_id, position, entity_id, added_at)
    select playlist_id, min(position), ${into}, case when count(added_at) = count(*) then min(added_at) end
    from gone group by playlist_id`
  await closePositionGaps(sql, playlistIds)
}

const closePositionGaps = (sql: Sql, playlistIds: readonly number[]) => sql`
  update playlist_song ps set position = placed.n from (
    select playlist_id, entity_id, row_number() over (partition by playlist_id order by position)::int as n
    from playlist_song where playlist_id = any(${[...playlistIds]}::bigint[])) placed
  where (ps.playlist_id, ps.entity_id) = (placed.playlist_id, placed.entity_id) and ps.position <> placed.n`

/** Moves the versions of a new song in crates. Favourites and playlists stay with the original song. */
export async function splitInLibrary(sql: Sql, { versionIds, into }: SongSplit): Promise<void> {
  await sql`update crate_item set entity_id = ${into} where song_version_id = any(${[...versionIds]}::bigint[])`
}
