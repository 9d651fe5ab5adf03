import type { downloads } from '@dubplate/contract'
import { safeName } from '@dubplate/contract'
import type { ConversionFormat } from '../analysis/conversion/formats.ts'
import type { AppContext } from '../app-context.ts'
import { findDefaultProfile } from '../booth/profiles.ts'
import { versionOrder } from '../catalogue/songs.ts'
import { type Caller, canDownloadAsStaff } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { layOutBundle } from './bundle-layout.ts'
import {
  type BundleContents,
  MAX_FILES_PER_ZIP,
  type SkippedSongs,
  selectOwned,
  selectVersions,
  toSkipped,
  zipScope,
} from './bundle-versions.ts'
import { isPrepared, type Preparation, pendingError, prepareConversions, withConversions } from './conversions.ts'
import { grantDownload, readGrant } from './grants.ts'
import type { Kit } from './kit-layout.ts'
import { makeLink } from './links.ts'
import { countMonthlyDownloads, lockMonthlyDownloads, monthlyLimitMessage, type PlanLimits } from './plan-limits.ts'
import { findSourceFiles, type SourceFile } from './source-files.ts'
import { inheritSentBytes } from './transfers.ts'
import { limitMessage } from './versions.ts'

/** `download_id` is null in a zip for staff, whose downloads are not counted. */
export type BundleItem = { download_id: number | null; song_version_id: number }

/**
 * Counts every version of a bundle and returns the signed URL of its zip. A version that is unpublished, has reached
 * its limit, or whose file is missing or damaged is left out and listed in `skipped`; what does not fit is left for the
 * next zip. The counts and the bundle's row are one transaction. Throws `nothing_to_download` when every version was
 * left out, and `conversion_pending` before anything is counted while conversions are not made yet.
 */
export async function createBundle(
  ctx: AppContext,
  member: Caller,
  contents: BundleContents,
): Promise<downloads.Bundle> {
  const { part = 1 } = contents
  const { selected, skipped, limits } = await selectVersions(ctx, member, contents)
  const included = selected.slice(0, MAX_FILES_PER_ZIP)
  const format = conversionFormatOf(contents)
  if (format !== null && !isPrepared(await prepareConversions(ctx, included, { format, is_bulk: true })))
    throw pendingError()
  const remaining = selected.slice(MAX_FILES_PER_ZIP).map((sourceFile) => sourceFile.song_version_id)
  const parts = Math.max(contents.parts ?? 1, part - 1 + Math.ceil(selected.length / MAX_FILES_PER_ZIP))
  await Promise.all(
    included
      .filter(({ sha256 }) => sha256 === null)
      .map((sourceFile) => ctx.music?.finish(sourceFile.song_version_id, sourceFile.recipe)),
  )
  const kit = contents.kit ?? (await profiledZip(ctx.sql, member, contents))
  const title = parts > 1 ? `${contents.title} (${part} of ${parts})` : contents.title
  const bundle = await recordDownloads(ctx, member, included, {
    title,
    skipped,
    part,
    parts,
    remaining,
    limits,
    format,
    kit: kit && { ...kit, ...(parts > 1 && { part, parts }) },
  })
  const counted = bundle.downloads.map((one) => one.song_version_id)
  const originals = await findSourceFiles(ctx.sql, counted, zipScope(member))
  const link = await linkTo(ctx, member, bundle, await withConversions(ctx, originals, format))
  return { ...link, skipped, part, parts, continue_from: remaining.length > 0 ? bundle.bundle_id : null }
}

/** How the files of a zip without a library file are named and tagged: as the member's default profile says. */
async function profiledZip(sql: Sql, { customer_id }: Caller, { title }: BundleContents): Promise<Kit | null> {
  const profile = await findDefaultProfile(sql, customer_id)
  return profile && { software: null, profile, name: title, favourites: [], has_audio: true }
}

/** Returns the signed URL of a zip with these files, and how long it is. */
async function linkTo(ctx: AppContext, member: Caller, bundle: Bundle, sourceFiles: SourceFile[]) {
  const layout = await layOutBundle(ctx, bundle, sourceFiles)
  const zip = `${safeName(bundle.zip_name)}.zip`
  const url = await makeLink(ctx, { bundle_id: bundle.bundle_id }, member, { name: zip })
  return { zip, url, bytes: layout.length, files: sourceFiles.length }
}

/**
 * Returns the signed URL of a zip with the library files of a kit, without audio, for the versions that the member has
 * downloaded before. Counts nothing. The others are listed in `skipped`. Throws `nothing_to_download` if there are none.
 */
export async function createLibraryFiles(
  ctx: AppContext,
  member: Caller,
  { title, versionIds, kit, ...contents }: BundleContents,
): Promise<downloads.Bundle> {
  const { sql } = ctx
  const { owned, skipped } = await selectOwned(sql, member, versionIds)
  if (owned.length === 0) throw new ApiError('nothing_to_download', 'You haven’t downloaded any of these files yet.')
  const items = owned.map(({ song_version_id }) => ({ song_version_id, download_id: null }))
  const bundle = await storeBundle(
    sql,
    member.customer_id,
    { title, skipped, part: 1, parts: 1, remaining: [], format: conversionFormatOf(contents), kit: kit ?? null },
    items,
  )
  const link = await linkTo(ctx, member, bundle, owned)
  return { ...link, skipped, part: 1, parts: 1, continue_from: null }
}

const conversionFormatOf = ({ format = 'original' }: Pick<BundleContents, 'format'>): ConversionFormat | null =>
  format === 'original' ? null : format

/** Queues the conversions of the zip that these contents would give next, and reports how far they are. */
export async function prepareBundle(ctx: AppContext, member: Caller, contents: BundleContents): Promise<Preparation> {
  const { selected } = await selectVersions(ctx, member, contents)
  const format = conversionFormatOf(contents)
  if (format === null) return { ready: 0, files: 0, progress: 1, failed: [] }
  return prepareConversions(ctx, selected.slice(0, MAX_FILES_PER_ZIP), {
    format,
    is_bulk: contents.versionIds.length > 1,
  })
}

/** Returns what was left for the next zip. Throws `unknown_bundle`. */
export async function remainingContents(sql: Sql, customerId: number, bundleId: number): Promise<BundleContents> {
  const [bundle] = await sql<
    (Pick<Bundle, 'zip_name' | 'format' | 'kit'> & { part: number; parts: number; remaining: number[] })[]
  >`
    select zip_name, format, kit, part, parts, remaining from bundle
    where bundle_id = ${bundleId} and customer_id = ${customerId} and remaining <> '{}'`
  if (!bundle) throw new ApiError('unknown_bundle', 'This download can’t be continued. Start it again.')
  const { zip_name, format, kit, part, parts, remaining } = bundle
  return {
    title: zip_name.replace(` (${part} of ${parts})`, ''),
    versionIds: remaining.map(Number),
    part: part + 1,
    parts,
    format: format ?? 'original',
    ...(kit ? { kit } : {}),
  }
}

type NewBundle = Pick<Bundle, 'format' | 'skipped' | 'kit'> & {
  title: string
  part: number
  parts: number
  remaining: number[]
}

/** The download of one version: null for a download that is not counted, otherwise the reason it is left out. */
type BundleGrant = { download_id: number | null } | { reason: string }

/**
 * Counts the downloads of a zip one after the other, until the plan's downloads of this month are used up. Versions
 * that are not counted again are always delivered.
 */
async function countWithinMonth(sql: Sql, customerId: number, { limit, monthly_downloads }: PlanLimits) {
  let left = Number.POSITIVE_INFINITY
  if (monthly_downloads !== null) {
    await lockMonthlyDownloads(sql, customerId)
    left = monthly_downloads - (await countMonthlyDownloads(sql, customerId))
  }
  return async (sourceFile: SourceFile): Promise<BundleGrant> => {
    const params = { customer_id: customerId, song_version_id: sourceFile.song_version_id, limit }
    if (monthly_downloads !== null && left <= 0 && !(await readGrant(sql, params)).is_free)
      return { reason: monthlyLimitMessage(monthly_downloads) }
    const grant = await grantDownload(sql, params)
    if (grant?.counted) left -= 1
    return grant ?? { reason: limitMessage(sourceFile, limit) }
  }
}

async function recordDownloads(
  ctx: AppContext,
  member: Caller,
  sourceFiles: SourceFile[],
  { limits, ...bundle }: NewBundle & { limits: PlanLimits },
): Promise<Bundle> {
  const { customer_id } = member
  const isCounted = !canDownloadAsStaff(member)
  return ctx.sql.begin(async (sql) => {
    const bundleItems: BundleItem[] = []
    const count = isCounted
      ? await countWithinMonth(sql, customer_id, limits)
      : async (): Promise<BundleGrant> => ({ download_id: null })
    // In order of id, so that two simultaneous bundles wait for each other instead of deadlocking.
    for (const sourceFile of [...sourceFiles].sort((a, b) => a.song_version_id - b.song_version_id)) {
      const { song_version_id } = sourceFile
      const grant = await count(sourceFile)
      if ('reason' in grant) bundle.skipped.push(toSkipped(sourceFile, grant.reason))
      else bundleItems.push({ download_id: grant.download_id, song_version_id })
    }
    if (bundleItems.length === 0)
      throw new ApiError('nothing_to_download', bundle.skipped[0]?.why ?? 'Nothing to download.')
    const order = new Map(sourceFiles.map((sourceFile, n) => [sourceFile.song_version_id, n]))
    bundleItems.sort((a, b) => (order.get(a.song_version_id) ?? 0) - (order.get(b.song_version_id) ?? 0))
    return storeBundle(sql, customer_id, bundle, bundleItems)
  })
}

const storeBundle = async (sql: Sql, customerId: number, bundle: NewBundle, items: BundleItem[]): Promise<Bundle> =>
  (await findSameBundle(sql, customerId, bundle, items)) ?? insertBundle(sql, customerId, bundle, items)

/** A zip that was counted. */
export type Bundle = {
  bundle_id: number
  /** What its files are converted to where possible; null for originals. */
  format: ConversionFormat | null
  zip_name: string
  /** Null for a zip whose files are named and tagged in the pool's way. */
  kit: Kit | null
  downloads: BundleItem[]
  skipped: SkippedSongs
  created_at: Date
  completed_at: Date | null
}

export const BUNDLE_COLUMNS = [
  'bundle_id',
  'format',
  'zip_name',
  'kit',
  'downloads',
  'skipped',
  'created_at',
  'completed_at',
] as const

const kitValue = (sql: Sql, kit: Kit | null) => (kit === null ? sql`null::jsonb` : sql`${sql.json(kit)}::jsonb`)

/**
 * Returns the same zip if it was requested before and has not been downloaded yet: it has the same bytes, and what was
 * sent still counts.
 */
async function findSameBundle(
  sql: Sql,
  customerId: number,
  { title, skipped, format, kit }: NewBundle,
  bundleItems: BundleItem[],
): Promise<Bundle | undefined> {
  const [bundle] = await sql<Bundle[]>`
    select ${sql(BUNDLE_COLUMNS)} from bundle
    where customer_id = ${customerId} and completed_at is null and zip_name = ${title} and format is not distinct from ${format} and kit is not distinct from ${kitValue(sql, kit)}
      and downloads = ${sql.json(bundleItems)} and skipped = ${sql.json(skipped)} order by bundle_id desc limit 1`
  return bundle
}

async function insertBundle(
  sql: Sql,
  customerId: number,
  { title, skipped, part, parts, remaining, format, kit }: NewBundle,
  bundleItems: BundleItem[],
): Promise<Bundle> {
  const [bundle] = await sql<Bundle[]>`
    insert into bundle (customer_id, zip_name, downloads, skipped, part, parts, remaining, format, kit)
    values (${customerId}, ${title}, ${sql.json(bundleItems)}, ${sql.json(skipped)}, ${part}, ${parts}, ${remaining}::bigint[],
      ${format}, ${kitValue(sql, kit)})
    returning ${sql(BUNDLE_COLUMNS)}`
  if (!bundle) throw new Error('Bundle insert returned no row')
  await inheritSentBytes(sql, { ...bundle, customer_id: customerId })
  return bundle
}

/** Returns all published versions of a song (for staff, all of them) and the name of its zip. Throws `unknown_song`. */
export async function songContents(
  sql: Sql,
  entityId: number,
  member: Pick<Caller, 'staff_role'>,
): Promise<BundleContents> {
  const isPublished = canDownloadAsStaff(member) ? sql`true` : sql`s.status = 'published' and v.status = 'published'`
  const rows = await sql<{ title: string; artist: string; song_version_id: number }[]>`
    select s.title, s.artist, v.song_version_id
    from song s join song_version v using (entity_id) join version_kind k using (version_kind_id)
    where s.entity_id = ${entityId} and ${isPublished} order by ${versionOrder(sql)}`
  const [first] = rows
  if (!first) throw new ApiError('unknown_song', 'Song not found. It may have been unpublished.')
  return { title: `${first.artist} - ${first.title}`, versionIds: rows.map((row) => row.song_version_id) }
}

/** Deletes bundles that can no longer be requested. */
export async function sweepBundles(sql: Sql): Promise<void> {
  await sql`delete from bundle where created_at < now() - interval '3 days'`
}
