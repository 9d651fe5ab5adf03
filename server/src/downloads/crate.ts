import { createHash } from 'node:crypto'
import type { downloads } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { crateVersionOrder } from '../library/crate-order.ts'
import { type Caller, canDownloadAsStaff } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { BundleContents } from './bundle-versions.ts'
import { isFree } from './grants.ts'
import type { LeaveOut, LibraryVersions } from './left-out.ts'
import { countMonthlyDownloads, findPlanLimits, type PlanLimits } from './plan-limits.ts'

type CrateParams = { genre_id: number | undefined; leaveOut?: LeaveOut }

/**
 * Returns the versions in a member's crate in its order, of one genre or all, and the name of their zip. Throws
 * `crate_empty`, and the errors of `leaveOut`.
 */
export async function crateContents(
  ctx: AppContext,
  customerId: number,
  { genre_id, leaveOut = async (versionIds) => versionIds }: CrateParams,
): Promise<BundleContents> {
  const { sql } = ctx
  const rows = await sql<{ song_version_id: number }[]>`
    select c.song_version_id from crate_item c join song_version v using (song_version_id)
    left join crate_order o using (customer_id)
    where c.customer_id = ${customerId} ${inGenre(sql, genre_id)} order by ${crateVersionOrder(sql)}`
  if (rows.length === 0) throw new ApiError('crate_empty', 'Your crate is empty.')
  const versionIds = await leaveOut(rows.map((row) => row.song_version_id))
  const stamp = createHash('sha1').update(versionIds.join()).digest('hex').slice(0, 4)
  const day = ctx.now().toISOString().slice(0, 10)
  return { title: `${ctx.settings.poolName} crate ${day} ${stamp}`, versionIds }
}

/** Limits a query of crate items `c` to one genre. */
const inGenre = (sql: Sql, genreId: number | undefined) =>
  genreId
    ? sql`and exists (select 1 from song_genre sg where sg.entity_id = c.entity_id and sg.genre_id = ${genreId})`
    : sql``

type SummaryContents =
  | { genre_id: number | undefined }
  | { entity_id: number }
  | { versions: number[]; top20_id: number | undefined }

type BundleFeatures = Pick<PlanLimits, 'has_crate_bundles' | 'has_top20_packs'>

function hasBundle(contents: SummaryContents, { has_crate_bundles, has_top20_packs }: BundleFeatures): boolean {
  if ('entity_id' in contents) return true
  return 'versions' in contents && contents.top20_id !== undefined ? has_top20_packs : has_crate_bundles
}

type SummaryRow = Omit<downloads.DownloadSummary, 'limit' | 'month' | 'has_bundle' | 'conversions'> & {
  has_lossless: boolean
  has_other_lossless: boolean
}

/**
 * Returns what downloading the crate (one genre of it or all), all versions of a song or a list of versions would contain
 * and use. Unpublished songs are left out.
 */
export async function summariseDownload(
  ctx: Pick<AppContext, 'sql' | 'settings'>,
  member: Pick<Caller, 'customer_id' | 'staff_role'>,
  contents: SummaryContents,
  libraryVersions: LibraryVersions,
): Promise<downloads.DownloadSummary> {
  const { sql } = ctx
  const chosen =
    'entity_id' in contents
      ? sql`select song_version_id, entity_id from song_version where entity_id = ${contents.entity_id}`
      : 'versions' in contents
        ? sql`select song_version_id, entity_id from song_version
            where song_version_id = any(${contents.versions}::bigint[])`
        : sql`select song_version_id, entity_id from crate_item c
          where customer_id = ${member.customer_id} ${inGenre(sql, contents.genre_id)}`
  const isCounted = !canDownloadAsStaff(member)
  const { limit, monthly_downloads, delay_hours, ...features } = await findPlanLimits(ctx, member)
  const monthlyUse = monthly_downloads === null ? 0 : await countMonthlyDownloads(sql, member.customer_id)
  const [row] = await sql<SummaryRow[]>`
    with item as (
      select c.entity_id, coalesce(f.bytes, v.recipe_bytes, 0)::float8 as bytes, f.missing_since is not null as missing,
        f.format, f.format in ('wav', 'aiff', 'flac') or f.format = 'm4a' and f.body -> 'kept' ->> 'codec' = 'alac' as is_lossless,
        v.song_version_id in (${libraryVersions(sql, member.customer_id)}) as in_library,
        coalesce(g.used, 0) as used, ${!isCounted} or coalesce(${isFree(sql)}, false) as free,
        coalesce(g.used, 0) = 0 and s.created_at > now() - make_interval(hours => ${delay_hours}) as early
      from (${chosen}) c join song_version v using (song_version_id) join song s on s.entity_id = v.entity_id
      left join file f using (file_id)
      left join download_grant g on g.customer_id = ${member.customer_id} and g.song_version_id = c.song_version_id
      where v.status = 'published' and s.status = 'published'),
    sorted as (
      select *, not missing and not early and (free or used < ${limit}) as downloadable,
        not missing and not early and not free and used < ${limit} as counted from item)
    select count(distinct entity_id)::int as songs, count(*)::int as files, coalesce(sum(bytes), 0) as bytes,
      count(*) filter (where downloadable)::int as downloadable,
      count(*) filter (where counted)::int as uses,
      count(*) filter (where counted and used + 1 = ${limit})::int as last,
      count(*) filter (where counted and used > 0)::int as repeated,
      count(*) filter (where downloadable and used = 0 and in_library)::int as in_library,
      count(*) filter (where not missing and not early and not downloadable)::int as used_up,
      count(*) filter (where not missing and early)::int as too_early,
      count(*) filter (where missing)::int as unavailable,
      coalesce(bool_or(downloadable and is_lossless), false) as has_lossless,
      coalesce(bool_or(downloadable and is_lossless and format <> 'aiff'), false) as has_other_lossless
    from sorted`
  if (!row) throw new Error('An aggregate returned no row')
  const { has_lossless, has_other_lossless, ...summary } = row
  const isUseful = { mp3: has_lossless, aiff: has_other_lossless }
  return {
    ...{ ...summary, limit: isCounted ? limit : null },
    conversions: ctx.settings.conversions.filter((format) => isUseful[format]),
    has_bundle: hasBundle(contents, features),
    month:
      monthly_downloads === null
        ? null
        : { limit: monthly_downloads, left: Math.max(0, monthly_downloads - monthlyUse) },
  }
}
