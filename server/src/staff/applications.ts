import type { ReplyOf, staff } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { changeApplication, type DecidedApplication, type DecisionParams, writeNote } from '../membership/decisions.ts'
import {
  applicationApprovedEmail,
  applicationDeclinedEmail,
  applicationReopenedEmail,
  customerReference,
} from '../membership/emails.ts'
import { canSendEmail } from '../membership/mail-requests.ts'
import { rowsOfMembers } from '../membership/member-search.ts'
import { createSignInLink, signInLinkMail } from '../membership/sign-in-link.ts'
import { notify } from '../notices/notifications.ts'
import { ApiError } from '../platform/api-error.ts'
import { countPages, countUpTo } from '../platform/count-up-to.ts'
import type { Sql, SqlFragment } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import { toSafeLink } from './links.ts'

const PAGE_SIZE = 24

type ApplicationRow = Omit<staff.Application, 'referrer' | 'link' | 'applied_at' | 'decided_at'> & {
  referrer_id: number | null
  referrer_name: string | null
  applied_at: Date
  decided_at: Date | null
}

type ApplicationFilters = { state: staff.ApplicationState; search: string; page: number }

/** Returns one page of the applications in a state, and the number in each state. */
export async function listApplications(
  sql: Sql,
  filters: ApplicationFilters,
): Promise<ReplyOf<typeof staff.getApplications>> {
  const matching = filters.search ? await rowsOfMembers(sql, filters.search) : undefined
  const where = matching ? matching(sql`a.customer_id`) : sql`true`
  const order =
    filters.state === 'pending' ? sql`a.applied_at, a.customer_id` : sql`a.decided_at desc, a.customer_id desc`
  const countIn = (state: staff.ApplicationState) =>
    countUpTo(sql, sql`select 1 from dj_application a where a.state = ${state} and ${where}`)
  const [applications, count, pending, approved, declined] = await Promise.all([
    // The page is selected before other tables are joined.
    selectApplications(
      sql,
      sql`a.customer_id in (
          select a.customer_id from dj_application a where a.state = ${filters.state} and ${where}
          order by ${order} limit ${PAGE_SIZE} offset ${(filters.page - 1) * PAGE_SIZE})
        order by ${order}`,
    ),
    countPages(sql, sql`select 1 from dj_application a where a.state = ${filters.state} and ${where}`),
    countIn('pending'),
    countIn('approved'),
    countIn('declined'),
  ])
  return {
    applications,
    counts: { pending, approved, declined },
    pagination: { page: filters.page, perPageLimit: PAGE_SIZE, ...count },
  }
}

/** Selects applications by a condition, which may be followed by other clauses. */
async function selectApplications(sql: Sql, where: SqlFragment): Promise<staff.Application[]> {
  const rows = await sql<ApplicationRow[]>`
    select a.customer_id, c.dj_name, c.email, c.email_verified, a.referred_by, a.dj_website, a.comment, a.state, a.reason, a.note,
      a.applied_at, a.decided_at, a.version, by.dj_name as decided_by, r.customer_id as referrer_id,
      r.dj_name as referrer_name
    from dj_application a
    join customer c using (customer_id)
    left join customer by on by.customer_id = a.decided_by
    left join lateral (
      select m.customer_id, m.dj_name
      from customer m join dj_application ma on ma.customer_id = m.customer_id and ma.state = 'approved'
      where a.referred_by <> '' and m.status = 'active'
        and (lower(m.dj_name) = lower(a.referred_by) or lower(m.email) = lower(a.referred_by))
      order by m.customer_id limit 1
    ) r on true
    where ${where}`
  return rows.map(({ referrer_id, referrer_name, applied_at, decided_at, ...row }) => ({
    ...row,
    referrer: referrer_id === null ? null : { customer_id: referrer_id, dj_name: referrer_name ?? '' },
    link: toSafeLink(row.dj_website),
    applied_at: applied_at.toISOString(),
    decided_at: decided_at?.toISOString() ?? null,
  }))
}

/** Throws `unknown_application`. */
async function findApplication(sql: Sql, customerId: number): Promise<staff.Application> {
  const [found] = await selectApplications(sql, sql`a.customer_id = ${customerId}`)
  if (!found) throw new ApiError('unknown_application', 'Application not found. It may have been withdrawn.')
  return found
}

/**
 * Decides an application, with the email to the applicant if the address is theirs. Part of the caller's transaction. Throws
 * `unknown_application`, and `already_decided` (with the current application) if someone else was first.
 */
export async function decideApplication(
  sql: Sql,
  { settings, config }: Pick<AppContext, 'settings' | 'config'>,
  params: DecisionParams,
): Promise<{ before: staff.Application; after: staff.Application }> {
  const before = await findApplication(sql, params.customer_id)
  const changed = await changeApplication(sql, params)
  if (!changed) throw await alreadyDecidedError(sql, params.customer_id)
  if (changed.email_verified) await queueDecisionEmail(sql, { settings, config }, params.decision, changed)
  if (params.decision === 'approve') await sendWelcome(sql, settings.poolName, params.customer_id)
  return { before, after: await findApplication(sql, params.customer_id) }
}

/** The notification new members see when they first sign in. */
const sendWelcome = (sql: Sql, poolName: string, customerId: number): Promise<void> =>
  notify(sql, {
    customer_id: customerId,
    kind: 'application',
    text: `Welcome to ${poolName}! Your DJ application has been approved.`,
    address: '/',
    about: 'application',
  })

async function queueDecisionEmail(
  sql: Sql,
  { settings: { emailSender }, config }: Pick<AppContext, 'settings' | 'config'>,
  decision: DecisionParams['decision'],
  application: DecidedApplication,
): Promise<void> {
  if (decision !== 'approve') {
    const reference = customerReference(application.customer_id)
    return queueMail(sql, DECISION_EMAILS[decision](emailSender, application), { reference })
  }
  const token = canSendEmail(config) ? await createSignInLink(sql, application) : undefined
  const options = token
    ? signInLinkMail(application.customer_id)
    : { reference: customerReference(application.customer_id) }
  await queueMail(sql, applicationApprovedEmail(emailSender, { ...application, token }), options)
}

const DECISION_EMAILS = {
  decline: applicationDeclinedEmail,
  reopen: applicationReopenedEmail,
}

/** The action of each decision in the audit log. */
export const DECISION_ACTIONS = {
  approve: 'application approved',
  decline: 'application declined',
  reopen: 'application reopened',
}

async function alreadyDecidedError(sql: Sql, customerId: number): Promise<ApiError> {
  const application = await findApplication(sql, customerId)
  const deciderName = application.decided_by ?? 'Someone'
  const decisionName = {
    approved: 'approved this application',
    declined: 'declined this application',
    pending: 'updated this application',
  }[application.state]
  return new ApiError(
    'already_decided',
    `${deciderName} ${decisionName} since you opened it. Reload before you decide.`,
    {
      data: { application },
    },
  )
}

/** Throws `unknown_application`, and `already_decided` (with the current application) if someone else was first. */
export async function saveApplicationNote(
  sql: Sql,
  noteParams: { customer_id: number; note: string; version: number },
): Promise<staff.Application> {
  if (!(await writeNote(sql, noteParams))) throw await alreadyDecidedError(sql, noteParams.customer_id)
  return findApplication(sql, noteParams.customer_id)
}
