import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'

/** A member's crate, favourites, playlists and mutes. */
export const libraryData: OwnData[] = [
  {
    name: 'crate',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select c.entity_id, c.song_version_id, s.artist, s.title, v.version_label, c.added_at,
            c.position
          from crate_item c join song_version v using (song_version_id) join song s on s.entity_id = c.entity_id
          where c.customer_id = ${customerId} order by c.added_at, c.song_version_id limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) => void (await sql`delete from crate_item where customer_id = ${customerId}`),
  },
  {
    name: 'crate-order',
    read: (sql, customerId) =>
      readBatches(() => sql<OwnRow[]>`select sort, revision from crate_order where customer_id = ${customerId}`),
    deleteData: async (sql, customerId) => void (await sql`delete from crate_order where customer_id = ${customerId}`),
  },
  {
    name: 'favourites',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select f.entity_id, s.artist, s.title, f.added_at from favourite f join song s using (entity_id)
          where f.customer_id = ${customerId} order by f.added_at, f.entity_id limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) => void (await sql`delete from favourite where customer_id = ${customerId}`),
  },
  {
    name: 'playlists',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select playlist_id, title, description, public, created_at, changed_at, deleted_at from playlist
          where customer_id = ${customerId} order by playlist_id limit ${limit} offset ${offset}`,
      ),
    // Deletes their songs too.
    deleteData: async (sql, customerId) => void (await sql`delete from playlist where customer_id = ${customerId}`),
  },
  {
    name: 'playlist-songs',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select p.playlist_id, p.title as playlist, ps.position, ps.entity_id, s.artist, s.title
          from playlist p join playlist_song ps using (playlist_id) join song s using (entity_id)
          where p.customer_id = ${customerId} order by p.playlist_id, ps.position limit ${limit} offset ${offset}`,
      ),
  },
  {
    name: 'mutes',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select m.kind, coalesce(s.title, g.name, k.name, m.name) as name, s.artist, m.entity_id, m.genre_id, m.muted_at
          from mute m left join song s using (entity_id) left join genre g using (genre_id)
            left join version_kind k using (version_kind_id)
          where m.customer_id = ${customerId} order by m.mute_id limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) => void (await sql`delete from mute where customer_id = ${customerId}`),
  },
]
