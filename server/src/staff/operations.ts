import { operations } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import { analyseAgain } from '../uploads/given-up.ts'
import type { World } from '../world.ts'
import { recordDeed } from './audit.ts'
import { auditLink } from './audit-file.ts'
import { listDeeds } from './audit-log.ts'
import { listJobs, runJobAgain, throwJobAway } from './jobs.ts'

/** What admins see of the pool's own work, and what they do about it. */
export const operationRoutes = (world: World): Call<Asker>[] => {
  const { sql } = world
  return [
    on(operations.getAudit, async ({ input }) => listDeeds(sql, input)),
    on(operations.getAuditFile, async ({ input, member }) => auditLink(world, member, input)),
    on(operations.getJobs, async () => listJobs(world)),
    on(operations.runJobAgain, async ({ input, member, request }) =>
      sql.begin(async (sql) => {
        const task = await runJobAgain(sql, input.job_id)
        const by = { staff_id: member.customer_id, ip: request.ip }
        await recordDeed(sql, { ...by, action: 'job retried', subject: `job ${input.job_id}`, after: { task } })
        return {}
      }),
    ),
    on(operations.throwJobAway, async ({ input, member, request }) =>
      sql.begin(async (sql) => {
        const task = await throwJobAway(sql, input.job_id)
        const by = { staff_id: member.customer_id, ip: request.ip }
        await recordDeed(sql, { ...by, action: 'job discarded', subject: `job ${input.job_id}`, before: { task } })
        return {}
      }),
    ),
    on(operations.analyseAgain, async ({ input, member, request }) =>
      sql.begin(async (sql) => {
        await analyseAgain(sql, input.upload_id)
        const by = { staff_id: member.customer_id, ip: request.ip }
        await recordDeed(sql, { ...by, action: 'upload re-analysed', subject: `file ${input.upload_id}` })
        return {}
      }),
    ),
  ]
}
