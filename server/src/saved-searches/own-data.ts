import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'

/** A member's saved searches. The versions of their feeds are left out, because they give access, and
 * so are the ids of songs that they added to the crate. */
export const savedSearchesData: OwnData[] = [
  {
    name: 'saved-searches',
    read: (sql, customerId) =>
      readBatches(
        () => sql<OwnRow[]>`
          select name, query::text as query, by_email, fill_limit, filled_at, seen_at, created_at from saved_search
          where customer_id = ${customerId} order by saved_search_id`,
      ),
    deleteData: async (sql, customerId) => void (await sql`delete from saved_search where customer_id = ${customerId}`),
  },
]
