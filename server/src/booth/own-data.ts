import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'

export const boothData: OwnData[] = [
  {
    name: 'download-profiles',
    read: (sql, customerId) =>
      readBatches(
        () => sql<OwnRow[]>`
          select name, settings::text as settings, is_default, created_at, changed_at from download_profile
          where customer_id = ${customerId} order by profile_id`,
      ),
    deleteData: async (sql, customerId) =>
      void (await sql`delete from download_profile where customer_id = ${customerId}`),
  },
]
