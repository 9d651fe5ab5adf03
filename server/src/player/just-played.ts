import type { player } from '@dubplate/contract'
import { readRankedSongs } from '../catalogue/charts.ts'
import type { Sql } from '../platform/db.ts'

const JUST_PLAYED_LIMIT = 10
/** Enough listens to contain ten different songs, unless hardly anything else is played. */
const MAX_RECENT_LISTENS = 300

/** Returns the songs anyone listened to last, each once, newest first, without the listener. */
export async function listJustPlayed(sql: Sql, downloadLimit: number): Promise<player.JustPlayedSong[]> {
  const plays = await sql<{ entity_id: number; at: Date }[]>`
    select entity_id, max(newest.at) as at
    from (select entity_id, at from listen order by at desc limit ${MAX_RECENT_LISTENS}) newest join song s using (entity_id)
    where s.status = 'published' group by entity_id order by 2 desc, entity_id desc limit ${JUST_PLAYED_LIMIT}`
  const playedSongs = plays.map(({ entity_id, at }) => ({ entity_id, played_at: at.toISOString() }))
  return readRankedSongs(sql, playedSongs, downloadLimit)
}
