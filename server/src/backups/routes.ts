import { dashboard } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on } from '../membership/caller.ts'
import type { Call } from '../platform/serve.ts'
import { recordAudit } from '../staff/audit.ts'
import { queueBackup, queueMeasurement } from './backup-jobs.ts'
import { readStorage } from './storage.ts'

/** Storage and backups, for admins. */
export const storageRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql } = ctx
  return [
    on(dashboard.getStorage, async () => readStorage(ctx)),
    on(dashboard.measureStorage, async ({ member, request }) =>
      sql.begin(async (sql) => {
        await queueMeasurement(sql)
        const by = { staff_id: member.customer_id, ip: request.ip }
        await recordAudit(sql, { ...by, action: 'storage usage measured', subject: 'storage' })
        return {}
      }),
    ),
    on(dashboard.backUp, async ({ member, request }) =>
      sql.begin(async (sql) => {
        const staff_id = member.customer_id
        const folder = await queueBackup(sql, { config: ctx.config, now: ctx.now, staff_id })
        await recordAudit(sql, {
          staff_id,
          action: 'backup started',
          subject: 'backup',
          after: { folder },
          ip: request.ip,
        })
        return { folder }
      }),
    ),
  ]
}
