import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'

/** The announcements a member has dismissed. */
export const siteData: OwnData[] = [
  {
    name: 'hidden-announcements',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select message_id, a.page_name, a.message from announcement_hidden join announcement a using (message_id)
          where customer_id = ${customerId} order by message_id limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) =>
      void (await sql`delete from announcement_hidden where customer_id = ${customerId}`),
  },
]
