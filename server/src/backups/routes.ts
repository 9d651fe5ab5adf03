import { dashboard } from '@dubplate/contract'
import type { Route } from '../membership/caller.ts'
import { staffRead, staffWrite } from '../staff/audit.ts'
import { queueBackup, queueMeasurement } from './backup-jobs.ts'
import { readStorage } from './storage.ts'

/** Storage and backups, for admins. */
export const storageRoutes: Route[] = [
  staffRead(dashboard.getStorage, async ({ ctx }) => readStorage(ctx)),
  staffWrite(dashboard.measureStorage, { action: 'storage usage measured', subject: 'storage' }, async ({ sql }) => {
    await queueMeasurement(sql)
    return { reply: {} }
  }),
  staffWrite(dashboard.backUp, { action: 'backup started', subject: 'backup' }, async ({ staff_id, sql, ctx }) => {
    const folder = await queueBackup(sql, { ...ctx, staff_id })
    return { reply: { folder }, after: { folder } }
  }),
]
