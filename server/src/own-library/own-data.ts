import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'

/** A member's libraries, and what was matched or decided. */
export const ownLibraryData: OwnData[] = [
  {
    name: 'libraries',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select library_id, name, format, state, entries, started_at, imported_at, matched_at
          from own_library where customer_id = ${customerId} order by library_id limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) => void (await sql`delete from own_library where customer_id = ${customerId}`),
  },
  {
    name: 'library-files',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select e.library_id, l.name as library, array_to_string(e.path_parts, '/') as path, e.artist, e.title, e.version,
            e.remixer, e.isrc, e.duration_seconds, e.bytes, e.state, e.reason, e.decision, e.entity_id, e.song_version_id,
            s.artist as song_artist, s.title as song_title, v.version_label as song_version,
            (select string_agg(o.artist || ' – ' || o.title, '; ' order by c.rank)
              from own_library_candidate c join song o using (entity_id) where c.entry_id = e.entry_id) as candidates
          from own_library l join own_library_entry e using (library_id) left join song s on s.entity_id = e.entity_id
            left join song_version v on v.song_version_id = e.song_version_id
          where l.customer_id = ${customerId} order by e.library_id, e.n limit ${limit} offset ${offset}`,
      ),
  },
]
