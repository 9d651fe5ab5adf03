import type { ErrorCode, members, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { currentTimeFor } from '../billing/clock.ts'
import { findLastSubscription } from '../billing/subscriptions.ts'
import { readGrant } from '../downloads/grants.ts'
import { countMonthlyDownloads, findPlanLimits, monthlyLimitError } from '../downloads/plan-limits.ts'
import { checkFileAvailable, findSourceFile, limitReachedError, requireReleased } from '../downloads/versions.ts'
import {
  type Caller,
  canDownloadAsStaff,
  findLastCaller,
  requireDownloadGroup,
  requireMemberSession,
  requirePaidPlan,
} from '../membership/caller.ts'
import { findAccountState, requireActiveAccount, requireApprovedApplication } from '../membership/sign-in-policy.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { describePaid, describeUnpaid } from './payment-text.ts'

type DownloadStep = members.DownloadStep
type CheckedVersion = NonNullable<ReplyOf<typeof members.whyNoDownload>['version']>
type DownloadCheckParams = ParsedInputOf<typeof members.whyNoDownload>

/**
 * Returns the checks of a member's download, step by step, each with the function that the download uses. Without a
 * version it only checks the member. Throws `unknown_member`.
 */
export async function explainDownload(
  ctx: AppContext,
  { customer_id, song_version_id }: DownloadCheckParams,
): Promise<ReplyOf<typeof members.whyNoDownload>> {
  const steps = await checkMember(ctx, customer_id)
  if (song_version_id === undefined) return { steps, version: null }
  const version = await nameVersion(ctx.sql, song_version_id)
  return {
    steps: [...steps, ...(await checkVersion(ctx, { customer_id, song_version_id }, version))],
    version: version ?? null,
  }
}

type DownloadCheck = {
  step: DownloadStep['step']
  /** The check of the download: throws its error. */
  decide(): unknown
  /** The sentence shown if the check passes; `failMessage` is shown if it fails. */
  passMessage(): string
  failMessage(code: ErrorCode): string
}

async function answer({ step: stepName, decide, passMessage, failMessage }: DownloadCheck): Promise<DownloadStep> {
  try {
    await decide()
    return { step: stepName, ok: true, code: null, sentence: passMessage() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { step: stepName, ok: false, code: error.code, sentence: failMessage(error.code) }
  }
}

type DownloadMember = Pick<Caller, 'group_id' | 'payment_profile_status' | 'staff_role'> & { group_name: string }

async function checkMember(ctx: AppContext, customerId: number): Promise<DownloadStep[]> {
  const { sql } = ctx
  const accountState = await findAccountState(sql, customerId)
  const [member] = await sql<DownloadMember[]>`
    select c.group_id, g.name as group_name, c.payment_profile_status, c.staff_role
    from customer c join customer_group g using (group_id) where c.customer_id = ${customerId}`
  if (!accountState || !member) throw new ApiError('unknown_member', 'Member not found.')
  const subscription = await findLastSubscription(sql, customerId)
  const now = await currentTimeFor(sql, ctx, customerId)
  const isStaff = canDownloadAsStaff(member)
  const checks: DownloadCheck[] = [
    {
      step: 'account',
      decide: () => requireActiveAccount(accountState),
      passMessage: () => 'The account is active.',
      failMessage: (code) =>
        code === 'account_suspended'
          ? 'The account is suspended. See the staff notes for the reason.'
          : 'The account was deleted.',
    },
    {
      step: 'application',
      decide: () => requireApprovedApplication(accountState),
      passMessage: () =>
        accountState.staff_role ? 'Staff don’t need a DJ application.' : 'The DJ application is approved.',
      failMessage: (code) => APPLICATION_REASONS[code] ?? 'The DJ application is not approved.',
    },
    {
      step: 'session',
      decide: async () => requireMemberSession(await findLastCaller(sql, customerId)),
      passMessage: () => 'Has an active session.',
      failMessage: (code) =>
        code === 'forbidden'
          ? 'The current session is limited to the application. They need to sign in again once approved.'
          : 'No active sessions. They need to sign in first.',
    },
    {
      step: 'group',
      decide: () => isStaff || requireDownloadGroup(member),
      passMessage: () => (isStaff ? 'Staff don’t need a group that can download.' : `Group: “${member.group_name}”.`),
      failMessage: () => `Group: “${member.group_name}”. This group can’t download.`,
    },
    {
      step: 'payment',
      decide: () => isStaff || requirePaidPlan(member),
      passMessage: () => (isStaff ? 'Staff don’t need a paid plan.' : describePaid(subscription, now)),
      failMessage: () => describeUnpaid(subscription, now),
    },
  ]
  return Promise.all(checks.map(answer))
}

const APPLICATION_REASONS: Partial<Record<ErrorCode, string>> = {
  dj_application_missing: 'No DJ application submitted.',
  dj_application_pending: 'The DJ application is awaiting review.',
  dj_application_declined: 'The DJ application was declined.',
}

type NamedVersion = CheckedVersion & { is_listed: boolean }

async function nameVersion(sql: Sql, versionId: number): Promise<NamedVersion | undefined> {
  const [version] = await sql<NamedVersion[]>`
    select v.song_version_id, s.title, s.artist, v.version_label,
      v.status = 'published' and s.status = 'published' as is_listed
    from song_version v join song s using (entity_id) where v.song_version_id = ${versionId}`
  return version
}

async function checkVersion(
  ctx: AppContext,
  params: Required<DownloadCheckParams>,
  version: NamedVersion | undefined,
): Promise<DownloadStep[]> {
  const { customer_id, song_version_id } = params
  const [member] = await ctx.sql<Pick<Caller, 'staff_role'>[]>`
    select staff_role from customer where customer_id = ${customer_id}`
  const staff_role = member?.staff_role ?? null
  const isStaff = canDownloadAsStaff({ staff_role })
  const limits = await findPlanLimits(ctx, { customer_id, staff_role })
  const { limit, monthly_downloads } = limits
  const grant = await readGrant(ctx.sql, { ...params, limit })
  const monthlyUse = monthly_downloads === null ? 0 : await countMonthlyDownloads(ctx.sql, customer_id)
  const isMonthUsedUp = !grant.is_free && monthly_downloads !== null && monthlyUse >= monthly_downloads
  const findMasterFile = () => findSourceFile(ctx, { customer_id, staff_role }, song_version_id)
  const song = await answer({
    step: 'song',
    decide: findMasterFile,
    passMessage: () =>
      version?.is_listed
        ? 'The version is published.'
        : 'The version is unpublished but still available to this member.',
    failMessage: () =>
      version
        ? 'The version is unpublished and no longer available to this member.'
        : 'No version with this ID exists.',
  })
  if (!version) return [song]
  const release: DownloadCheck = {
    step: 'release',
    decide: async () => requireReleased(ctx, { customer_id }, await findMasterFile(), limits),
    passMessage: () => (isStaff ? 'Staff don’t wait for new songs.' : 'The song can be downloaded on this plan.'),
    failMessage: () => 'The song is new, and plans with a head start can download it first.',
  }
  const file: DownloadCheck = {
    step: 'file',
    decide: async () => checkFileAvailable(ctx, await findMasterFile()),
    passMessage: () => 'The file is available.',
    failMessage: () => 'The file is missing from storage.',
  }
  const rest: DownloadCheck = {
    step: 'limit',
    decide: () => {
      if (!isStaff && !grant.has_more) throw limitReachedError(version, limit)
      if (isMonthUsedUp) throw monthlyLimitError(monthly_downloads)
    },
    passMessage: () =>
      isStaff
        ? 'Staff downloads are not counted.'
        : `${grant.used} of ${limit} downloads used${grant.is_free ? '; the next one is free' : ''}.`,
    failMessage: (code) =>
      code === 'monthly_limit_reached'
        ? `${monthlyUse} of ${monthly_downloads} downloads of this month used.`
        : `${grant.used} of ${limit} downloads used.`,
  }
  return [song, ...(await Promise.all((song.ok ? [file, release, rest] : [rest]).map(answer)))]
}
