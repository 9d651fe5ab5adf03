import type { Sql } from '../platform/db.ts'

/**
 * The state of a song `s` of upload_song, as the API reports it. Analysing has priority over states that depend on it;
 * a song without a version, or with one that cannot be published, must be fixed by its uploader.
 */
export const stateOf = (sql: Sql, now: Date) => sql`
  case
    when s.review = 'declined' then 'declined'
    when s.review = 'published' and s.expires_at <= ${now} then 'expired'
    when s.review = 'published' then 'published'
    when exists (select 1 from upload_version v join upload u using (upload_id)
      where v.upload_song_id = s.upload_song_id and u.state in ('queued', 'running')) then 'analysing'
    when not exists (select 1 from upload_version v where v.upload_song_id = s.upload_song_id)
      or exists (select 1 from upload_version v join upload u using (upload_id)
        where v.upload_song_id = s.upload_song_id and u.playable is not true) then 'draft'
    else 'in_review' end`

/** Whether the song is in the pool now. */
export const listedCondition = (sql: Sql) => sql`exists (
  select 1 from song p join song_version pv using (entity_id)
  where p.entity_id = s.entity_id and p.status = 'published' and pv.upload_song_id = s.upload_song_id and pv.status = 'published')`
