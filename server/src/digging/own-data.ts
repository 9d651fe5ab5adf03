import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'

/** What a member decided while digging, and what they muted. */
export const diggingData: OwnData[] = [
  {
    name: 'dig-decisions',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select d.list, d.entity_id, s.artist, s.title, d.action, d.decided_at
          from dig_decision d join song s using (entity_id)
          where d.customer_id = ${customerId} order by d.decided_at, d.list, d.entity_id limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) => void (await sql`delete from dig_decision where customer_id = ${customerId}`),
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
