import { cloud, type downloads, type ParsedInputOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type DownloadProfile, findDefaultProfile } from '../booth/profiles.ts'
import { summariseDownload } from '../downloads/crate.ts'
import { type Source, sourceVersions } from '../downloads/kit-contents.ts'
import type { LeaveOut, LibraryVersions } from '../downloads/left-out.ts'
import { findPlanLimits, requireCrateBundles, requireTop20Pack } from '../downloads/plan-limits.ts'
import type { Caller } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { requireConnection } from './connections.ts'
import { findDelivery } from './deliveries.ts'

const { MAX_DELIVERY_FILES } = cloud

/**
 * Queues songs for a member's cloud storage. Nothing is counted yet: that happens when a file is sent. Throws the errors of
 * `requireConnection`, `sourceVersions` and `leaveOut`, `plan_feature_required`, `nothing_to_download` and `too_many_files`.
 */
export async function sendSongs(
  ctx: AppContext,
  member: Caller,
  { provider, source }: ParsedInputOf<typeof cloud.send>,
  leaveOut: LeaveOut,
): Promise<cloud.CloudDelivery> {
  const { sql } = ctx
  const { customer_id } = member
  const connection_id = await requireConnection(ctx, sql, { customer_id, provider })
  const profile = await findDefaultProfile(sql, customer_id)
  const { title, versionIds: all } = await sourceVersions(ctx, customer_id, source, profile)
  const name = source.crate ? 'Crate' : title.slice(0, 200)
  await requireSourceInPlan(ctx, member, source, all)
  const versionIds = await leaveOut(all)
  if (versionIds.length === 0) throw new ApiError('nothing_to_download', 'There are no songs to send.')
  if (versionIds.length > MAX_DELIVERY_FILES)
    throw new ApiError(
      'too_many_files',
      `You can send up to ${MAX_DELIVERY_FILES.toLocaleString('en')} files at once. Choose fewer songs.`,
    )
  const deliveryId = await sql.begin(async (sql) => {
    const [delivery] = await sql<{ delivery_id: number }[]>`
      insert into cloud_delivery (connection_id, title, profile)
      values (${connection_id}, ${name}, ${profileValue(sql, profile)}) returning delivery_id`
    if (!delivery) throw new Error('Insert of a delivery returned no row')
    await addFiles(sql, { ...delivery, connection_id }, versionIds)
    return delivery.delivery_id
  })
  return findDelivery(sql, { customer_id, delivery_id: deliveryId })
}

export const profileValue = (sql: Sql, profile: DownloadProfile | null) =>
  profile === null ? sql`null::jsonb` : sql`${sql.json(profile)}::jsonb`

/** Adds files to a delivery. A version that is unknown is left out. */
export const addFiles = (
  sql: Sql,
  { delivery_id, connection_id }: { delivery_id: number; connection_id: number },
  versionIds: readonly number[],
) => sql`
  insert into cloud_delivery_file (delivery_id, connection_id, song_version_id)
  select ${delivery_id}, ${connection_id}, song_version_id
  from unnest(${[...versionIds]}::bigint[]) with ordinality ids (song_version_id, n)
  join song_version using (song_version_id) order by n`

/** Plans include the crate and lists separately from top 20s; the versions of one song are always possible. */
async function requireSourceInPlan(ctx: AppContext, member: Caller, source: Source, versionIds: number[]) {
  const limits = await findPlanLimits(ctx, member)
  const { top20_id, song_version_ids } = source
  if (top20_id !== undefined) return requireTop20Pack(ctx.sql, { top20_id, versionIds }, limits)
  if (song_version_ids && (await countSongs(ctx.sql, versionIds)) <= 1) return
  requireCrateBundles(limits)
}

async function countSongs(sql: Sql, versionIds: readonly number[]): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(distinct entity_id)::int as n from song_version
    where song_version_id = any(${[...versionIds]}::bigint[])`
  return row?.n ?? 0
}

/** What sending these songs would include and count. Throws the errors of `sourceVersions`. */
export async function summariseSending(
  ctx: AppContext,
  member: Caller,
  source: Source,
  libraryVersions: LibraryVersions,
): Promise<downloads.DownloadSummary & { profile: string | null }> {
  const profile = await findDefaultProfile(ctx.sql, member.customer_id)
  const { versionIds } = await sourceVersions(ctx, member.customer_id, source, profile)
  const { top20_id } = source
  const summary = await summariseDownload(ctx, member, { versions: versionIds, top20_id }, libraryVersions)
  const isOneSong = source.song_version_ids !== undefined && summary.songs <= 1
  return { ...summary, has_bundle: summary.has_bundle || isOneSong, profile: profile?.name ?? null }
}
