import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'

/** A member's notifications and email settings. */
export const notificationsData: OwnData[] = [
  {
    name: 'notifications',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select kind, text, address, created_at, read_at from notification
          where customer_id = ${customerId} order by notification_id limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) => void (await sql`delete from notification where customer_id = ${customerId}`),
  },
  {
    name: 'email-notification-settings',
    read: (sql, customerId) =>
      readBatches(
        () =>
          sql<
            OwnRow[]
          >`select kind, by_email from notification_preference where customer_id = ${customerId} order by kind`,
      ),
    deleteData: async (sql, customerId) =>
      void (await sql`delete from notification_preference where customer_id = ${customerId}`),
  },
]
