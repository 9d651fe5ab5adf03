import { desk } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import { recordDeed } from '../staff/audit.ts'
import type { World } from '../world.ts'
import { askToBackUp, askToMeasure } from './back-up-now.ts'
import { readStorage } from './storage.ts'

/** Store and backups, for admins. */
export const storageRoutes = (world: World): Call<Asker>[] => {
  const { sql } = world
  return [
    on(desk.getStorage, async () => readStorage(world)),
    on(desk.measureStorage, async ({ member, request }) =>
      sql.begin(async (sql) => {
        await askToMeasure(sql)
        const by = { staff_id: member.customer_id, ip: request.ip }
        await recordDeed(sql, { ...by, action: 'storage usage measured', subject: 'storage' })
        return {}
      }),
    ),
    on(desk.backUp, async ({ member, request }) =>
      sql.begin(async (sql) => {
        const staff_id = member.customer_id
        const folder = await askToBackUp(sql, { config: world.config, now: world.now, staff_id })
        await recordDeed(sql, {
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
