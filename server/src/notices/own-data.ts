import { inBatches, type OwnData, type OwnRow } from '../membership/own-data.ts'

/** What a member was told, and what they chose about mail. */
export const noticesData: OwnData[] = [
  {
    name: 'notifications',
    read: (sql, customerId) =>
      inBatches(
        (limit, offset) => sql<OwnRow[]>`
          select kind, text, address, created_at, read_at from notice
          where customer_id = ${customerId} order by notice_id limit ${limit} offset ${offset}`,
      ),
    forget: async (sql, customerId) => void (await sql`delete from notice where customer_id = ${customerId}`),
  },
  {
    name: 'email-notification-settings',
    read: (sql, customerId) =>
      inBatches(
        () => sql<OwnRow[]>`select kind, by_mail from notice_choice where customer_id = ${customerId} order by kind`,
      ),
    forget: async (sql, customerId) => void (await sql`delete from notice_choice where customer_id = ${customerId}`),
  },
]
