import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'

/**
 * A member's uploads and songs. Published songs remain when their uploader's account is deleted, because others have
 * downloaded them.
 */
export const uploadsData: OwnData[] = [
  {
    name: 'uploaded-songs',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select upload_song_id, entity_id, title, artist, year, song_key, min_bpm, max_bpm, review, reason, expires_at,
            created_at, submitted_at, published_at, deleted_at
          from upload_song where customer_id = ${customerId} order by upload_song_id limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) => {
      // Before their versions, in the same order as saving and publishing.
      await sql`select 1 from upload_song where customer_id = ${customerId} order by upload_song_id for update`
      await sql`select 1 from upload where customer_id = ${customerId} order by upload_id for update`
      await sql`
        delete from upload_version where upload_song_id in (
          select upload_song_id from upload_song where customer_id = ${customerId} and entity_id is null)`
      await sql`
        update upload_song set deleted_at = coalesce(deleted_at, now())
        where customer_id = ${customerId} and entity_id is null`
    },
  },
  {
    name: 'analysed-audio',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select day, seconds, last_turn_at from analysis_usage
          where customer_id = ${customerId} order by day limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) =>
      void (await sql`delete from analysis_usage where customer_id = ${customerId}`),
  },
  {
    name: 'uploaded-files',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select upload_id, name, bytes, encode(sha256, 'hex') as sha256, state, uploaded_at, removed_at from upload
          where customer_id = ${customerId} order by upload_id limit ${limit} offset ${offset}`,
      ),
    // Deletes files that are not in a song (files of unpublished songs were released before); the sweep deletes their
    // bytes.
    deleteData: async (sql, customerId) =>
      void (await sql`
        update upload u set removed_at = coalesce(removed_at, now()), name = 'removed', tag = '{}'
        where customer_id = ${customerId} and not exists (select 1 from upload_version v where v.upload_id = u.upload_id)`),
  },
]
