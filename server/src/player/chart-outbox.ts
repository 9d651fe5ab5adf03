import { countListens, ROLL_UP_BATCH } from '../catalogue/song-counts.ts'
import type { Sql } from '../platform/db.ts'

/** Moves listens from the outbox into the counts of the charts. Returns their number. */
export const rollUpListens = (sql: Sql, maxCount = ROLL_UP_BATCH): Promise<number> =>
  countListens(
    sql,
    sql`
      delete from listen_outbox where id in (select id from listen_outbox order by id limit ${maxCount} for update skip locked)
      returning entity_id, at`,
  )
