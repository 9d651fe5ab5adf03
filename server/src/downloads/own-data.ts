import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'

/** A member's downloads. The rows remain when the account is deleted, because labels are paid by them. */
export const downloadsData: OwnData[] = [
  {
    name: 'downloads',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select d.download_id, d.entity_id, d.song_version_id, s.artist, s.title, v.version_label, d.at, d.completed_at,
            d.refunded_at, d.free
          from download d join song_version v using (song_version_id) join song s on s.entity_id = d.entity_id
          where d.customer_id = ${customerId} order by d.at, d.download_id limit ${limit} offset ${offset}`,
      ),
  },
  {
    name: 'download-counts',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select song_version_id, used, allowed, opened_at from download_grant
          where customer_id = ${customerId} order by song_version_id limit ${limit} offset ${offset}`,
      ),
  },
  {
    name: 'download-links',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select l.link_id, t.download_id, t.bundle_id, t.song_version_id, l.network_v4::text, l.network_v6::text,
            t.sent_bytes, l.created_at, l.sent_at
          from download_link l join download_transfer t using (transfer_id)
          where t.customer_id = ${customerId} order by l.link_id limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) =>
      void (await sql`delete from download_transfer where customer_id = ${customerId}`),
  },
  {
    name: 'zip-downloads',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select bundle_id, zip_name, created_at, completed_at from bundle
          where customer_id = ${customerId} order by bundle_id limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) => void (await sql`delete from bundle where customer_id = ${customerId}`),
  },
]
