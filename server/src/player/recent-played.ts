import { catalogue } from '@dubplate/contract'
import { readRankedSongs } from '../catalogue/songs.ts'
import type { Sql } from '../platform/db.ts'

const { SONGS_PER_PAGE } = catalogue

/** Returns the songs a member listened to, each once with the time of its last listen, newest first. */
export async function getRecentlyPlayed(sql: Sql, customerId: number, page: number, downloadLimit: number) {
  const [result] = await sql<{ total: number; places: { entity_id: number; played_at: string }[] }[]>`
    with heard as materialized (
      select h.entity_id, h.at from (
        select entity_id, max(at) as at from listen where customer_id = ${customerId} group by entity_id) h
      join song s using (entity_id) where s.status = 'published'),
    page as (
      select entity_id, at as played_at from heard order by at desc, entity_id desc
      limit ${SONGS_PER_PAGE} offset ${(page - 1) * SONGS_PER_PAGE})
    select (select count(*)::int from heard) as total, coalesce((select json_agg(page) from page), '[]') as places`
  const places = (result?.places ?? []).map(({ entity_id, played_at }) => ({
    entity_id,
    played_at: new Date(played_at).toISOString(),
  }))
  return {
    songs: await readRankedSongs(sql, places, downloadLimit),
    pagination: { page, perPageLimit: SONGS_PER_PAGE, totalCount: result?.total ?? 0 },
  }
}
