import { operations } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on } from '../membership/caller.ts'
import type { Call } from '../platform/serve.ts'
import { retryAnalysis } from '../uploads/failed-uploads.ts'
import { recordAudit } from './audit.ts'
import { auditLink } from './audit-file.ts'
import { listAuditEntries } from './audit-log.ts'
import { discardFailedJob, listJobs, retryJob } from './jobs.ts'

/** Operations for admins: the audit log, jobs, storage and emails. */
export const systemRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql } = ctx
  return [
    on(operations.getAudit, async ({ input }) => listAuditEntries(sql, input)),
    on(operations.getAuditFile, async ({ input, member }) => auditLink(ctx, member, input)),
    on(operations.getJobs, async () => listJobs(ctx)),
    on(operations.runJobAgain, async ({ input, member, request }) =>
      sql.begin(async (sql) => {
        const task = await retryJob(sql, input.job_id)
        const by = { staff_id: member.customer_id, ip: request.ip }
        await recordAudit(sql, { ...by, action: 'job retried', subject: `job ${input.job_id}`, after: { task } })
        return {}
      }),
    ),
    on(operations.discardJob, async ({ input, member, request }) =>
      sql.begin(async (sql) => {
        const task = await discardFailedJob(sql, input.job_id)
        const by = { staff_id: member.customer_id, ip: request.ip }
        await recordAudit(sql, { ...by, action: 'job discarded', subject: `job ${input.job_id}`, before: { task } })
        return {}
      }),
    ),
    on(operations.analyseAgain, async ({ input, member, request }) =>
      sql.begin(async (sql) => {
        await retryAnalysis(sql, input.upload_id)
        const by = { staff_id: member.customer_id, ip: request.ip }
        await recordAudit(sql, { ...by, action: 'upload re-analysed', subject: `file ${input.upload_id}` })
        return {}
      }),
    ),
  ]
}
