import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'

/**
 * A member's listens. The charts have counted them already: their numbers do not change when the listens are deleted.
 */
export const playerData: OwnData[] = [
  {
    name: 'listens',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select l.entity_id, l.song_version_id, s.artist, s.title, v.version_label, l.playlist_id, l.at
          from listen l join song_version v using (song_version_id) join song s on s.entity_id = l.entity_id
          where l.customer_id = ${customerId} order by l.at, l.listen_key limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) => void (await sql`delete from listen where customer_id = ${customerId}`),
  },
]
