import { operations } from '@dubplate/contract'
import type { Route } from '../membership/caller.ts'
import type { ScheduledJob } from '../module.ts'
import { retryAnalysis } from '../uploads/failed-uploads.ts'
import { staffRead, staffWrite } from './audit.ts'
import { auditLink } from './audit-file.ts'
import { listAuditEntries } from './audit-log.ts'
import { discardFailedJob, listJobs, retryJob } from './jobs.ts'

const subject = ({ job_id }: { job_id: number }) => `job ${job_id}`

/** Operations for admins: the audit log, jobs, storage and emails. */
export const systemRoutes = (scheduledJobs: readonly ScheduledJob[]): Route[] => [
  staffRead(operations.getAudit, async ({ input, sql }) => listAuditEntries(sql, input)),
  staffRead(operations.getAuditFile, async ({ input, member, ctx }) => auditLink(ctx, member, input)),
  staffRead(operations.getJobs, async ({ ctx }) => listJobs(ctx, scheduledJobs)),
  staffWrite(operations.runJobAgain, { action: 'job retried', subject }, async ({ input, sql }) => ({
    reply: {},
    after: { task: await retryJob(sql, input.job_id) },
  })),
  staffWrite(operations.discardJob, { action: 'job discarded', subject }, async ({ input, sql }) => ({
    reply: {},
    before: { task: await discardFailedJob(sql, input.job_id) },
  })),
  staffWrite(
    operations.analyseAgain,
    { action: 'upload re-analysed', subject: ({ upload_id }) => `file ${upload_id}` },
    async ({ input, sql }) => {
      await retryAnalysis(sql, input.upload_id)
      return { reply: {} }
    },
  ),
]
