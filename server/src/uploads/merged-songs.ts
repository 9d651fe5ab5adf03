import type { SongMerge, SongSplit } from '../catalogue/merged-songs.ts'
import type { Sql } from '../platform/db.ts'

/** Locks the uploads of songs in the pool, before those songs: in the same order as publishing and unpublishing. */
export const lockUploads = (sql: Sql, entityIds: readonly number[]) => sql`
  select 1 from upload_song where entity_id = any(${[...entityIds]}::bigint[]) order by upload_song_id for update`

/** Returns the uploaders of songs in the pool. */
export const findUploaders = (sql: Sql, entityIds: readonly number[]) => sql<{ entity_id: number; dj_name: string }[]>`
  select distinct s.entity_id, c.dj_name from upload_song s join customer c using (customer_id)
  where s.entity_id = any(${[...entityIds]}::bigint[]) and s.deleted_at is null order by 1, 2`

export async function mergeUploads(sql: Sql, { from, into }: SongMerge): Promise<void> {
  await sql`update upload_song set entity_id = ${into}, version = version + 1 where entity_id = any(${[...from]}::bigint[])`
}

/** An upload moves with its versions; if they are divided, it stays. */
export async function splitUploads(sql: Sql, { versionIds, from, into }: SongSplit): Promise<void> {
  await sql`
    update upload_song s set entity_id = ${into}, version = version + 1
    where s.entity_id = ${from}
      and exists (select 1 from song_version v where v.upload_song_id = s.upload_song_id and v.song_version_id = any(${[...versionIds]}::bigint[]))
      and not exists (
        select 1 from song_version v where v.upload_song_id = s.upload_song_id and v.song_version_id <> all(${[...versionIds]}::bigint[]))`
}
