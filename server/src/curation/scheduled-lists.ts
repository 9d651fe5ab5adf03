import type { curation, ReplyOf } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { suggestedSince } from './visibility.ts'

type ScheduledItem = ReplyOf<typeof curation.getSchedule>['events'][number]

const MAX_SCHEDULED = 200

/** What will be published and unpublished on schedule, the next first. */
export async function listScheduled(sql: Sql): Promise<ScheduledItem[]> {
  const rows = await sql<(Omit<ScheduledItem, 'at'> & { at: Date })[]>`
    with list as (
      select 'spotlight' as kind, curated_list_id as id, title, published_at, ended_at,
        case when suggested and suggested_from is not null then ${suggestedSince(sql)} end as suggested_at
      from curated_list where published_at is not null and unpublished_at is null
      union all
      select 'top20', top20_track_id, title, published_at, ended_at, null
      from top20 where published_at is not null and unpublished_at is null)
    select * from (
      select published_at as at, 'starts' as event, kind, id, title from list
      union all select ended_at, 'ends', kind, id, title from list
      union all select suggested_at, 'suggested', kind, id, title from list where suggested_at <> published_at
      union all select t.until, 'unpinned', 'trending', t.entity_id, s.title
        from trending_override t join song s using (entity_id)) scheduled
    where at > now() order by at, kind, id limit ${MAX_SCHEDULED}`
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}
