import { dashboard } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { Caller } from '../membership/caller.ts'
import type { Call } from '../platform/serve.ts'
import { staffRead, staffWrite } from '../staff/audit.ts'
import { queueBackup, queueMeasurement } from './backup-jobs.ts'
import { readStorage } from './storage.ts'

/** Storage and backups, for admins. */
export const storageRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { config, now } = ctx
  return [
    staffRead(dashboard.getStorage, async () => readStorage(ctx)),
    staffWrite(dashboard.measureStorage, { action: 'storage usage measured', subject: 'storage' }, async ({ sql }) => {
      await queueMeasurement(sql)
      return { reply: {} }
    }),
    staffWrite(dashboard.backUp, { action: 'backup started', subject: 'backup' }, async ({ staff_id, sql }) => {
      const folder = await queueBackup(sql, { config, now, staff_id })
      return { reply: { folder }, after: { folder } }
    }),
  ]
}
