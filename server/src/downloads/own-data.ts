import { inBatches, type OwnData, type OwnRow } from '../membership/own-data.ts'

/** What a member has downloaded. The ledger stays when the member goes: labels are paid by it. */
export const downloadsData: OwnData[] = [
  {
    name: 'downloads',
    read: (sql, customerId) =>
      inBatches(
        (limit, offset) => sql<OwnRow[]>`
          select d.download_id, d.entity_id, d.song_version_id, s.artist, s.title, v.version_label, d.at, d.completed_at,
            d.refunded_at, d.free
          from download d join song_version v using (song_version_id) join song s on s.entity_id = d.entity_id
          where d.customer_id = ${customerId} order by d.at, d.download_id limit ${limit} offset ${offset}`,
      ),
  },
  {
    name: 'downloads-used',
    read: (sql, customerId) =>
      inBatches(
        (limit, offset) => sql<OwnRow[]>`
          select song_version_id, used, allowed, opened_at from download_grant
          where customer_id = ${customerId} order by song_version_id limit ${limit} offset ${offset}`,
      ),
  },
  {
    name: 'zips',
    read: (sql, customerId) =>
      inBatches(
        (limit, offset) => sql<OwnRow[]>`
          select bundle_id, zip_name, made_at, completed_at from bundle
          where customer_id = ${customerId} order by bundle_id limit ${limit} offset ${offset}`,
      ),
    forget: async (sql, customerId) => void (await sql`delete from bundle where customer_id = ${customerId}`),
  },
]
