import type { player } from '@dubplate/contract'
import { songsAt } from '../catalogue/charts.ts'
import type { Sql } from '../platform/db.ts'

const JUST_PLAYED = 10
/** Among so many of the newest listens there are ten songs, unless hardly anything else is played. */
const NEWEST = 300

/** The songs last listened to by anybody, each once, last first. Nothing in it says by whom. */
export async function songsJustPlayed(sql: Sql, downloadLimit: number): Promise<player.JustPlayedSong[]> {
  const heard = await sql<{ entity_id: number; at: Date }[]>`
    select entity_id, max(newest.at) as at
    from (select entity_id, at from listen order by at desc limit ${NEWEST}) newest join song s using (entity_id)
    where s.status = 'published' group by entity_id order by 2 desc, entity_id desc limit ${JUST_PLAYED}`
  const places = heard.map(({ entity_id, at }) => ({ entity_id, played_at: at.toISOString() }))
  return songsAt(sql, places, downloadLimit)
}
