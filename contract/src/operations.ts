import * as z from 'zod/mini'
import { day, endpoint, fileAddress, id, nothing, optionalId, page, pagination, person } from './endpoint.ts'

/** The audit log and background jobs, for admins. */

export const AUDIT_ENTRIES_PER_PAGE = 50

const filters = z.object({
  /** The staff member who made the change. */
  staff_id: optionalId('staff_id'),
  action: z._default(z.string().check(z.trim(), z.maxLength(120)), ''),
  /** `customer 7`, or only the kind: `customer`. */
  subject: z._default(z.string().check(z.trim(), z.maxLength(120)), ''),
  from: z.optional(z.nullable(day)),
  to: z.optional(z.nullable(day)),
})

const auditEntry = z.object({
  audit_id: z.number(),
  at: z.string(),
  /** Null if their account was deleted. */
  staff: z.nullable(person),
  action: z.string(),
  /** What was changed: `customer 7`. */
  subject: z.string(),
  /** DJ name of a subject that is a member; null for all other subjects. */
  subject_name: z.nullable(z.string()),
  /** `before` or `after` is null if there was no value. */
  changes: z.array(z.object({ field: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })),
  /** IP address; '' if unknown. */
  ip: z.string(),
})
export type AuditEntry = z.output<typeof auditEntry>

export const getAudit = endpoint({
  path: 'staff/audit.json',
  access: 'staff',
  roles: [],
  summary: 'List audit log entries, newest first.',
  input: z.extend(filters, { page }),
  reply: z.object({
    entries: z.array(auditEntry),
    /** Options for the filters: all staff with entries, and all actions. */
    people: z.array(person),
    actions: z.array(z.string()),
    pagination,
  }),
  errors: [],
})

export const getAuditFile = endpoint({
  path: 'staff/audit-file.json',
  access: 'staff',
  roles: [],
  summary: 'Get a signed CSV download link for the audit log. The link expires with the session or after 15 minutes.',
  input: filters,
  reply: fileAddress,
})

const job = z.object({
  job_id: z.number(),
  task: z.string(),
  /** `failing` is retried automatically, `failed` is not. */
  state: z.enum(['running', 'waiting', 'failing', 'failed']),
  attempts: z.number(),
  max_attempts: z.number(),
  run_at: z.string(),
  created_at: z.string(),
  /** Its last error; '' if it has not failed. */
  last_error: z.string(),
})
export type Job = z.output<typeof job>

/** Queues with rules of their own, which therefore are not jobs: turns of members, progress, resuming after a stop. */
export const WORK_QUEUES = ['email', 'upload_analysis', 'song_analysis', 'import'] as const

const workQueue = z.object({
  queue: z.enum(WORK_QUEUES),
  waiting: z.number(),
  running: z.number(),
  /** Not retried automatically. */
  failed: z.number(),
  /** Since when the oldest entry has been waiting; null if none is. */
  waiting_since: z.nullable(z.string()),
})
export type WorkQueue = z.output<typeof workQueue>

export const getJobs = endpoint({
  path: 'staff/jobs.json',
  access: 'staff',
  roles: [],
  summary: 'List scheduled tasks, queued jobs, other queues and uploads whose analysis failed.',
  input: nothing,
  reply: z.object({
    schedule: z.array(
      z.object({ task: z.string(), about: z.string(), times: z.string(), next_at: z.nullable(z.string()) }),
    ),
    jobs: z.array(job),
    /** Number of jobs not shown. */
    more: z.number(),
    queues: z.array(workQueue),
    abandoned: z.array(
      z.object({
        upload_id: z.number(),
        name: z.string(),
        error_message: z.string(),
        customer: person,
        at: z.string(),
      }),
    ),
  }),
})

export const runJobAgain = endpoint({
  path: 'staff/run-job-again.json',
  access: 'staff',
  roles: [],
  summary: 'Retry a failed job or run a waiting job now, with all attempts available again.',
  input: z.object({ job_id: id('job_id') }),
  reply: nothing,
  errors: ['unknown_job'],
})

export const discardJob = endpoint({
  path: 'staff/throw-job-away.json',
  access: 'staff',
  roles: [],
  summary: 'Discard a job that isn’t running.',
  input: z.object({ job_id: id('job_id') }),
  reply: nothing,
  errors: ['unknown_job'],
})

export const analyseAgain = endpoint({
  path: 'staff/analyse-again.json',
  access: 'staff',
  roles: [],
  summary: 'Retry the analysis of an upload that failed permanently.',
  input: z.object({ upload_id: id('upload_id') }),
  reply: nothing,
  errors: ['unknown_upload'],
})
