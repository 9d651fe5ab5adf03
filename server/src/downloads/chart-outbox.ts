import { countDownloads, ROLL_UP_BATCH } from '../catalogue/song-counts.ts'
import type { Sql } from '../platform/db.ts'

/** Moves downloads from the outbox into the counts of the charts. Returns their number. */
export const rollUpDownloads = (sql: Sql, maxCount = ROLL_UP_BATCH): Promise<number> =>
  countDownloads(
    sql,
    sql`
      delete from download_outbox where id in (select id from download_outbox order by id limit ${maxCount} for update skip locked)
      returning entity_id, at`,
  )
