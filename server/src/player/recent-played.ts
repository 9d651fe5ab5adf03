import { catalogue } from '@dubplate/contract'
import type { KeepMatching } from '../catalogue/song-filtering.ts'
import { readRankedSongs } from '../catalogue/songs.ts'
import type { Sql } from '../platform/db.ts'

const { SONGS_PER_PAGE } = catalogue

/** Returns the songs a member listened to, each once with the time of its last listen, newest first. */
export async function getRecentlyPlayed(
  sql: Sql,
  customerId: number,
  page: number,
  downloadLimit: number,
  keep?: KeepMatching,
) {
  const played = await listPlayed(sql, customerId)
  const kept = keep && new Set(await keep(played.map(({ entity_id }) => entity_id)))
  const listed = kept ? played.filter(({ entity_id }) => kept.has(entity_id)) : played
  const places = listed
    .slice((page - 1) * SONGS_PER_PAGE, page * SONGS_PER_PAGE)
    .map(({ entity_id, at }) => ({ entity_id, played_at: at.toISOString() }))
  return {
    songs: await readRankedSongs(sql, places, downloadLimit),
    pagination: { page, perPageLimit: SONGS_PER_PAGE, totalCount: listed.length },
  }
}

const listPlayed = (sql: Sql, customerId: number) => sql<{ entity_id: number; at: Date }[]>`
  select h.entity_id, h.at from (
    select entity_id, max(at) as at from listen where customer_id = ${customerId} group by entity_id) h
  join song s using (entity_id) where s.status = 'published' order by h.at desc, h.entity_id desc`

/** Returns the ids of all songs a member listened to, last played first. */
export const listPlayedIds = async (sql: Sql, customerId: number): Promise<number[]> =>
  (await listPlayed(sql, customerId)).map(({ entity_id }) => entity_id)
