import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'

/** What a member decided while digging. */
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
]
