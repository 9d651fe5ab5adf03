import * as z from 'zod/mini'
import { endpoint, id, nothing, page, pagination, person, refineTogether, search, versionInput } from './endpoint.ts'

export const APPLICATION_STATES = ['pending', 'approved', 'declined'] as const
const applicationState = z.enum(APPLICATION_STATES)
export type ApplicationState = z.output<typeof applicationState>

export const application = z.object({
  customer_id: z.number(),
  dj_name: z.string(),
  email: z.string(),
  /** False if the account was created while the pool had no mail server: the address may belong to someone else. */
  email_verified: z.boolean(),
  referred_by: z.string(),
  /** A member whose DJ name or email address matches the applicant's reference; null if none does. */
  referrer: z.nullable(person),
  dj_website: z.string(),
  /** The same as a link that can be opened; null if it is not a link. */
  link: z.nullable(z.string()),
  comment: z.string(),
  state: applicationState,
  /** Sent to the applicant with a decline. */
  reason: z.string(),
  /** Visible to staff only. */
  note: z.string(),
  applied_at: z.string(),
  decided_at: z.nullable(z.string()),
  /** DJ name of the person who decided. */
  decided_by: z.nullable(z.string()),
  /** Increases with each change, also of the note; the caller sends the version they read. */
  version: z.number(),
})
export type Application = z.output<typeof application>

export const getDashboard = endpoint({
  path: 'staff/dashboard.json',
  access: 'staff',
  summary: 'Get the items that need attention from staff.',
  input: nothing,
  reply: z.object({
    applications_pending: z.number(),
    /** Bank transfers that staff have to confirm. */
    transfers_waiting: z.number(),
    /** Members' uploads in review. */
    uploads_waiting: z.number(),
    /** Open tickets that need a reply from staff. */
    tickets_waiting: z.number(),
    mail_waiting: z.number(),
    mail_failed: z.number(),
    /** The running version; the commit is empty if unknown. */
    program: z.object({ version: z.string(), commit: z.string() }),
  }),
})

export const getApplications = endpoint({
  path: 'staff/applications.json',
  access: 'staff',
  roles: ['support'],
  summary: 'List applications by state: pending oldest first, decided newest first.',
  input: z.object({
    state: z._default(applicationState, 'pending'),
    /** Part of a DJ name or an email address. */
    search,
    page,
  }),
  reply: z.object({
    applications: z.array(application),
    counts: z.object({ pending: z.number(), approved: z.number(), declined: z.number() }),
    pagination,
  }),
})

export const decideApplication = endpoint({
  path: 'staff/decide-application.json',
  access: 'staff',
  roles: ['support'],
  summary:
    'Approve, decline (with a reason) or reopen an application. Sends an email to the applicant. Fails if someone else decided first.',
  input: z
    .object({
      customer_id: id('customer_id'),
      decision: z.enum(['approve', 'decline', 'reopen']),
      reason: z._default(z.string().check(z.trim(), z.maxLength(1000, 'Use at most 1,000 characters.')), ''),
      version: versionInput,
    })
    .check(
      refineTogether(({ decision, reason }) => decision !== 'decline' || reason !== '', {
        message: 'Enter a reason. It will be sent to the applicant.',
        path: ['reason'],
      }),
    ),
  reply: z.object({ application }),
  errors: ['unknown_application', 'already_decided'],
})

export const noteApplication = endpoint({
  path: 'staff/note-application.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Update the staff note of an application. Fails if someone else changed it first.',
  input: z.object({
    customer_id: id('customer_id'),
    note: z.string().check(z.trim(), z.maxLength(4000, 'Use at most 4,000 characters.')),
    version: versionInput,
  }),
  reply: z.object({ application }),
  errors: ['unknown_application', 'already_decided'],
})

export const MAIL_STATES = ['waiting', 'sent', 'failed'] as const
/** `bounced`: sent, and returned by the recipient's server. */
export const MAIL_FILTERS = [...MAIL_STATES, 'bounced'] as const

const mail = z.object({
  mail_id: z.number(),
  to: z.string(),
  subject: z.string(),
  state: z.enum(MAIL_STATES),
  attempts: z.number(),
  /** The mail server's last error; '' if it accepted the email. */
  last_error: z.string(),
  /** `hard`: the mailbox does not exist; `soft`: it could not be delivered this time; null: it did not bounce. */
  bounce_kind: z.nullable(z.enum(['hard', 'soft'])),
  /** The response of the recipient's server. */
  bounce_detail: z.string(),
  created_at: z.string(),
  sent_at: z.nullable(z.string()),
})
export type OutgoingMail = z.output<typeof mail>

export const getOutgoingMail = endpoint({
  path: 'staff/outgoing-mail.json',
  access: 'staff',
  roles: [],
  summary: 'List outgoing emails by state, newest first. Without a mail server, all emails are held here.',
  input: z.object({ state: z.optional(z.enum(MAIL_FILTERS)), page }),
  reply: z.object({
    mails: z.array(mail),
    counts: z.object({ waiting: z.number(), sent: z.number(), failed: z.number(), bounced: z.number() }),
    /** Whether a mail server is set (SMTP_URL). */
    is_sent: z.boolean(),
    pagination,
  }),
})

export const getMail = endpoint({
  path: 'staff/mail.json',
  access: 'staff',
  roles: [],
  summary: 'Get an email with its text.',
  input: z.object({ mail_id: id('mail_id') }),
  reply: z.object({ mail: z.extend(mail, { text: z.string() }) }),
  errors: ['unknown_email'],
})

export const sendMailAgain = endpoint({
  path: 'staff/send-mail-again.json',
  access: 'staff',
  roles: [],
  summary: 'Resend a failed or sent email.',
  input: z.object({ mail_id: id('mail_id') }),
  reply: z.object({ mail }),
  errors: ['unknown_email', 'mail_not_configured', 'email_not_resendable'],
})
