import type { AppContext } from '../app-context.ts'
import { findMemberFeatures, type MemberFeatures } from '../billing/plan-features.ts'
import { type Caller, canDownloadAsStaff } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { Grant, GrantParams } from './grants.ts'
import type { SourceFile } from './source-files.ts'

/** What a member's plan allows, with the pool's limit where the plan has none of its own. */
export type PlanLimits = Pick<MemberFeatures, 'monthly_downloads' | 'has_crate_bundles' | 'has_top20_packs'> & {
  /** Downloads of each version. */
  limit: number
  /** How long the member waits for a new song. */
  delay_hours: number
}

type Downloader = Pick<Caller, 'customer_id' | 'staff_role'>

/** Staff are not limited. */
export async function findPlanLimits(
  { sql, settings }: Pick<AppContext, 'sql' | 'settings'>,
  { customer_id, staff_role }: Downloader,
): Promise<PlanLimits> {
  if (canDownloadAsStaff({ staff_role })) return staffLimits(settings)
  return toPlanLimits(settings, await findMemberFeatures(sql, customer_id))
}

type LimitSettings = Pick<AppContext['settings'], 'downloadLimit'>

export const staffLimits = ({ downloadLimit }: LimitSettings): PlanLimits => ({
  ...{ monthly_downloads: null, has_crate_bundles: true, has_top20_packs: true },
  ...{ limit: downloadLimit, delay_hours: 0 },
})

/** Returns the limits that these features of a plan mean. */
export function toPlanLimits(settings: LimitSettings, memberFeatures: MemberFeatures): PlanLimits {
  const { version_downloads, delay_hours, ...features } = memberFeatures
  return { ...features, limit: version_downloads ?? settings.downloadLimit, delay_hours: Math.max(0, delay_hours) }
}

/** Throws `plan_feature_required`. */
export function requireCrateBundles({ has_crate_bundles }: Pick<PlanLimits, 'has_crate_bundles'>): void {
  if (has_crate_bundles) return
  throw new ApiError(
    'plan_feature_required',
    'Your plan doesn’t include zips of your crate and of lists. Download songs one by one, or choose another plan.',
  )
}

type Top20Pack = { top20_id: number; versionIds: readonly number[] }

/** Throws `plan_feature_required`, and `unknown_list` unless all versions belong to this top 20. */
export async function requireTop20Pack(sql: Sql, pack: Top20Pack, limits: Pick<PlanLimits, 'has_top20_packs'>) {
  const [listed] = await sql<{ n: number }[]>`
    select count(*)::int as n from song_version join top20_song using (entity_id)
    where song_version_id = any(${[...pack.versionIds]}::bigint[]) and top20_track_id = ${pack.top20_id}`
  if (listed?.n !== pack.versionIds.length)
    throw new ApiError('unknown_list', 'Some of these songs aren’t in this top 20. Reload the page and try again.')
  if (limits.has_top20_packs) return
  throw new ApiError(
    'plan_feature_required',
    'Your plan doesn’t include top 20s as a zip. Download songs one by one, or choose another plan.',
  )
}

/** Returns how many counted downloads this member has made in the current month (UTC). */
export async function countMonthlyDownloads(sql: Sql, customerId: number): Promise<number> {
  const [counted] = await sql<{ n: number }[]>`
    select count(*)::int as n from download
    where customer_id = ${customerId} and at >= date_trunc('month', now(), 'UTC') and refunded_at is null and not free`
  return counted?.n ?? 0
}

/** Serialises the downloads of a member whose plan counts them, so that simultaneous ones cannot pass the limit. */
export const lockMonthlyDownloads = (sql: Sql, customerId: number) =>
  sql`select pg_advisory_xact_lock(hashtext('monthly downloads'), ${customerId}::int)`

export const monthlyLimitMessage = (limit: number): string =>
  `You’ve used all ${limit.toLocaleString('en')} downloads of this month. You can download more from the first day of next month, or with another plan.`

export const monthlyLimitError = (limit: number): ApiError =>
  new ApiError('monthly_limit_reached', monthlyLimitMessage(limit))

type CountedVersion = Pick<GrantParams, 'customer_id' | 'song_version_id'>

/**
 * Counts a download with `grant`, within the limits of the plan. Returns undefined when the version's limit is used up.
 * Throws `monthly_limit_reached`; a download that is not counted again is always possible.
 */
export async function grantWithinPlan<G extends Grant>(
  { sql }: Pick<AppContext, 'sql'>,
  version: CountedVersion,
  limits: PlanLimits,
  grant: GrantStatement<G>,
): Promise<G | undefined> {
  if (limits.monthly_downloads === null) return grant(sql, { ...version, limit: limits.limit })
  const { granted } = await sql.begin(async (sql) => ({
    granted: await grantInTransaction(sql, version, limits, grant),
  }))
  return granted
}

type GrantStatement<G extends Grant> = (sql: Sql, params: GrantParams) => Promise<G | undefined>

/** Does the same in the caller's transaction. */
export async function grantInTransaction<G extends Grant>(
  sql: Sql,
  version: CountedVersion,
  { limit, monthly_downloads }: PlanLimits,
  grant: GrantStatement<G>,
): Promise<G | undefined> {
  const { customer_id } = version
  if (monthly_downloads !== null) await lockMonthlyDownloads(sql, customer_id)
  const granted = await grant(sql, { ...version, limit })
  if (monthly_downloads === null || !granted?.counted) return granted
  if ((await countMonthlyDownloads(sql, customer_id)) > monthly_downloads) throw monthlyLimitError(monthly_downloads)
  return granted
}

const HOUR_MS = 3_600_000

/** When this member can download a song that was added at this time. */
const releaseOf = ({ added_at }: Pick<SourceFile, 'added_at'>, { delay_hours }: PlanLimits): Date =>
  new Date(added_at.getTime() + delay_hours * HOUR_MS)

const RELEASE_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

export const tooEarlyMessage = (sourceFile: SourceFile, limits: PlanLimits): string =>
  `“${sourceFile.title}” is available on your plan from ${RELEASE_TIME.format(releaseOf(sourceFile, limits))} UTC. Members of plans with a head start can download it now.`

/** Returns the versions whose songs this member has to wait for. What they downloaded before stays available. */
export async function findTooEarly(
  { sql, now }: Pick<AppContext, 'sql' | 'now'>,
  { customer_id }: Pick<Caller, 'customer_id'>,
  sourceFiles: readonly SourceFile[],
  limits: PlanLimits,
): Promise<Set<number>> {
  const early = sourceFiles.filter((sourceFile) => releaseOf(sourceFile, limits) > now())
  const ids = early.map(({ song_version_id }) => song_version_id)
  if (ids.length === 0) return new Set()
  const downloaded = await sql<{ song_version_id: number }[]>`
    select song_version_id from download_grant
    where customer_id = ${customer_id} and song_version_id = any(${ids}::bigint[]) and used > 0`
  const known = new Set(downloaded.map(({ song_version_id }) => song_version_id))
  return new Set(ids.filter((id) => !known.has(id)))
}
