import type { downloads } from '@dubplate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ConversionFormat } from '../analysis/conversion/formats.ts'
import type { AppContext } from '../app-context.ts'
import { contentDisposition, safeName } from '../catalogue/file-names.ts'
import { versionOrder } from '../catalogue/songs.ts'
import { type Caller, canDownloadAsStaff } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { sendBytes } from '../platform/send-bytes.ts'
import {
  type DownloadFormat,
  isPrepared,
  type Preparation,
  pendingError,
  prepareConversions,
  recordUnreadable,
  remakeLost,
  withConversions,
} from './conversions.ts'
import { completeDownloads, grantDownload, isFree, readGrant, refundDownload } from './grants.ts'
import { serveLinks } from './link-page.ts'
import { makeLink, openLink, rejectFetched, rejectOutdated } from './links.ts'
import {
  countMonthlyDownloads,
  findPlanLimits,
  findTooEarly,
  lockMonthlyDownloads,
  monthlyLimitMessage,
  type PlanLimits,
  tooEarlyMessage,
} from './plan-limits.ts'
import { m3u8 } from './playlist-file.ts'
import { OriginalReadError, placeSegments, readSegments, sliceSegments } from './segments.ts'
import {
  type AccessScope,
  type CoverCache,
  findAvailable,
  findProblem,
  findSourceFiles,
  type SourceFile,
  sourceFileName,
  storageKindOf,
  tagSourceFile,
} from './source-files.ts'
import { inheritSentBytes, meterTransfer } from './transfers.ts'
import { limitMessage } from './versions.ts'
import { layOutZip, type ZipEntry, type ZipLayout } from './zip.ts'

/** `download_id` is null in a zip for staff, whose downloads are not counted. */
type BundleItem = { download_id: number | null; song_version_id: number }
type SkippedSongs = downloads.Bundle['skipped']

/** The tags of each file, with a cover of about 60 kB, are in memory during the transfer. */
const MAX_FILES_PER_ZIP = 400

/** The versions of a zip. A zip that continues earlier ones is a later part of them. */
export type BundleContents = {
  title: string
  versionIds: number[]
  part?: number
  parts?: number
  /** `original` by default; versions that are not offered in another one are originals. */
  format?: DownloadFormat
}

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
    included.filter(isOnDemand).map((sourceFile) => ctx.music?.finish(sourceFile.song_version_id, sourceFile.recipe)),
  )
  const title = parts > 1 ? `${contents.title} (${part} of ${parts})` : contents.title
  const bundle = await recordDownloads(ctx, member, included, {
    title,
    skipped,
    part,
    parts,
    remaining,
    limits,
    format,
  })
  const counted = bundle.downloads.map((one) => one.song_version_id)
  const originals = await findSourceFiles(ctx.sql, counted, zipScope(member))
  const layout = await layOutBundle(ctx, bundle, await withConversions(ctx, originals, format))
  const zip = `${safeName(title)}.zip`
  const url = await makeLink(ctx, { bundle_id: bundle.bundle_id }, member, { name: zip })
  return {
    ...{ zip, url, bytes: layout.length, files: counted.length, skipped, part, parts },
    continue_from: remaining.length > 0 ? bundle.bundle_id : null,
  }
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

/** Selects the versions of this zip and the following ones that can be downloaded now. */
async function selectVersions(ctx: AppContext, member: Caller, { versionIds, part = 1 }: BundleContents) {
  const limits = await findPlanLimits(ctx, member)
  const sourceFiles = await findSourceFiles(ctx.sql, versionIds, zipScope(member))
  const skipped: SkippedSongs = await findUnpublished(ctx.sql, versionIds, sourceFiles)
  const available = await findAvailable(ctx, sourceFiles)
  for (const sourceFile of sourceFiles) {
    if (available.has(sourceFile)) continue
    skipped.push(
      toSkipped(
        sourceFile,
        `The file is ${await findProblem(ctx, sourceFile)} on our side. This download wasn’t counted.`,
      ),
    )
  }
  const selected = await selectForZips(ctx, member, {
    sourceFiles: sourceFiles.filter((sourceFile) => available.has(sourceFile)),
    isContinued: part > 1,
    skipped,
    limits,
  })
  return { selected, skipped, limits }
}

/** Returns what was left for the next zip. Throws `unknown_bundle`. */
export async function remainingContents(sql: Sql, customerId: number, bundleId: number): Promise<BundleContents> {
  const [bundle] = await sql<
    (Pick<Bundle, 'zip_name' | 'format'> & { part: number; parts: number; remaining: number[] })[]
  >`
    select zip_name, format, part, parts, remaining from bundle
    where bundle_id = ${bundleId} and customer_id = ${customerId} and remaining <> '{}'`
  if (!bundle) throw new ApiError('unknown_bundle', 'This download can’t be continued. Start it again.')
  const { zip_name, format, part, parts, remaining } = bundle
  return {
    title: zip_name.replace(` (${part} of ${parts})`, ''),
    versionIds: remaining.map(Number),
    part: part + 1,
    parts,
    format: format ?? 'original',
  }
}

const zipScope = (member: Pick<Caller, 'staff_role'>): AccessScope => (canDownloadAsStaff(member) ? 'all' : 'published')

const isOnDemand = (sourceFile: SourceFile): boolean => sourceFile.sha256 === null
const ALREADY_DOWNLOADED_REASON =
  'You’ve downloaded it before, so it isn’t in these zips. Download it again from the song’s page.'

type NamedVersion = Pick<SourceFile, 'song_version_id' | 'artist' | 'title' | 'version_label'>
const toSkipped = ({ song_version_id, artist, title, version_label }: NamedVersion, reason: string) => ({
  song_version_id,
  title: `${artist} - ${title} (${version_label})`,
  why: reason,
})

/** Returns the requested versions that are no longer published. */
async function findUnpublished(sql: Sql, versionIds: number[], sourceFiles: SourceFile[]): Promise<SkippedSongs> {
  const found = new Set(sourceFiles.map((sourceFile) => sourceFile.song_version_id))
  const missingIds = versionIds.filter((versionId) => !found.has(versionId))
  if (missingIds.length === 0) return []
  const rows = await sql<NamedVersion[]>`
    select song_version_id, artist, title, version_label from song_version join song using (entity_id)
    where song_version_id = any(${missingIds}::bigint[]) order by song_version_id`
  return rows.map((row) => toSkipped(row, 'This song is no longer available.'))
}

type ZipSelection = {
  sourceFiles: SourceFile[]
  isContinued: boolean
  /** What is left out is added to it. */
  skipped: SkippedSongs
  limits: PlanLimits
}

/**
 * Selects the versions for this zip and the following ones, in order. Versions whose download limit is used up are left
 * out. If the rest does not fit into one zip, versions the member has downloaded more often than others are left out
 * too, so that a repeated request without `continue_from` delivers new versions and counts nothing twice.
 */
async function selectForZips(
  ctx: AppContext,
  member: Caller,
  { sourceFiles: available, isContinued, skipped, limits }: ZipSelection,
): Promise<SourceFile[]> {
  if (canDownloadAsStaff(member)) return available
  const { limit } = limits
  const early = await findTooEarly(ctx, member, available, limits)
  for (const sourceFile of available)
    if (early.has(sourceFile.song_version_id)) skipped.push(toSkipped(sourceFile, tooEarlyMessage(sourceFile, limits)))
  const sourceFiles = available.filter(({ song_version_id }) => !early.has(song_version_id))
  const completed = await completedDownloads(
    ctx.sql,
    member.customer_id,
    sourceFiles.map((sourceFile) => sourceFile.song_version_id),
  )
  const downloadCountOf = (sourceFile: SourceFile) => completed.get(sourceFile.song_version_id) ?? 0
  const allowed = sourceFiles.filter((sourceFile) => downloadCountOf(sourceFile) < limit)
  for (const sourceFile of sourceFiles)
    if (downloadCountOf(sourceFile) >= limit) skipped.push(toSkipped(sourceFile, limitMessage(sourceFile, limit)))
  if (isContinued || allowed.length <= MAX_FILES_PER_ZIP) return allowed
  const fewestDownloads = allowed.reduce((least, sourceFile) => Math.min(least, downloadCountOf(sourceFile)), limit)
  for (const sourceFile of allowed)
    if (downloadCountOf(sourceFile) > fewestDownloads) skipped.push(toSkipped(sourceFile, ALREADY_DOWNLOADED_REASON))
  return allowed.filter((sourceFile) => downloadCountOf(sourceFile) === fewestDownloads)
}

/** Returns how many downloads of each version are used, without one that would be delivered again uncounted. */
async function completedDownloads(sql: Sql, customerId: number, versionIds: number[]): Promise<Map<number, number>> {
  const rows = await sql<{ song_version_id: number; n: number }[]>`
    select song_version_id, used - case when ${isFree(sql)} then 1 else 0 end as n
    from download_grant g join song_version v using (song_version_id) join song s on s.entity_id = v.entity_id
    where customer_id = ${customerId} and song_version_id = any(${versionIds}::bigint[]) and used > 0`
  return new Map(rows.map((row) => [row.song_version_id, row.n]))
}

type NewBundle = Pick<Bundle, 'format' | 'skipped'> & {
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
    return (
      (await findSameBundle(sql, customer_id, bundle, bundleItems)) ??
      insertBundle(sql, customer_id, bundle, bundleItems)
    )
  })
}

type Bundle = {
  bundle_id: number
  /** What its files are converted to where possible; null for originals. */
  format: ConversionFormat | null
  zip_name: string
  downloads: BundleItem[]
  skipped: SkippedSongs
  created_at: Date
  completed_at: Date | null
}

const BUNDLE_COLUMNS = [
  'bundle_id',
  'format',
  'zip_name',
  'downloads',
  'skipped',
  'created_at',
  'completed_at',
] as const

/**
 * Returns the same zip if it was requested before and has not been downloaded yet: it has the same bytes, and what was
 * sent still counts.
 */
async function findSameBundle(
  sql: Sql,
  customerId: number,
  { title, skipped, format }: NewBundle,
  bundleItems: BundleItem[],
): Promise<Bundle | undefined> {
  const [bundle] = await sql<Bundle[]>`
    select ${sql(BUNDLE_COLUMNS)} from bundle
    where customer_id = ${customerId} and completed_at is null and zip_name = ${title} and format is not distinct from ${format}
      and downloads = ${sql.json(bundleItems)} and skipped = ${sql.json(skipped)} order by bundle_id desc limit 1`
  return bundle
}

async function insertBundle(
  sql: Sql,
  customerId: number,
  { title, skipped, part, parts, remaining, format }: NewBundle,
  bundleItems: BundleItem[],
): Promise<Bundle> {
  const [bundle] = await sql<Bundle[]>`
    insert into bundle (customer_id, zip_name, downloads, skipped, part, parts, remaining, format)
    values (${customerId}, ${title}, ${sql.json(bundleItems)}, ${sql.json(skipped)}, ${part}, ${parts}, ${remaining}::bigint[],
      ${format})
    returning ${sql(BUNDLE_COLUMNS)}`
  if (!bundle) throw new Error('Bundle insert returned no row')
  await inheritSentBytes(sql, { ...bundle, customer_id: customerId })
  return bundle
}

/** Lays out the zip with these files and a playlist of them: the position of every byte is known before any is read. */
async function layOutBundle(
  ctx: AppContext,
  { zip_name, created_at, skipped }: Pick<Bundle, 'zip_name' | 'created_at' | 'skipped'>,
  sourceFiles: SourceFile[],
): Promise<ZipLayout> {
  const entries: ZipEntry[] = []
  const covers: CoverCache = new Map()
  for (const sourceFile of sourceFiles) {
    if (sourceFile.sha256 === null)
      throw new ApiError('file_unavailable', `“${sourceFile.title}” is still being prepared. Try again in a moment.`)
    const { segments, length, crc32 } = await tagSourceFile(ctx, sourceFile, covers)
    const placedSegments = placeSegments(sourceFile.sha256, segments, storageKindOf(sourceFile))
    entries.push({ name: sourceFileName(sourceFile), modified: created_at, length, crc32, segments: placedSegments })
  }
  return layOutZip([
    ...entries,
    m3u8(`${safeName(zip_name)}.m3u8`, sourceFiles, entries, { modified: created_at, skipped }),
  ])
}

/** GET /bundles/…: sends a zip, whole or in part, with the same bytes each time. */
export const serveBundles = (app: FastifyInstance, ctx: AppContext): void =>
  serveLinks(app, 'bundles', (signed, request, reply) => sendBundle(ctx, signed, request, reply))

async function sendBundle(ctx: AppContext, signed: string, request: FastifyRequest, reply: FastifyReply) {
  const link = await openLink(ctx, 'bundle', signed, request)
  const [bundle] = await ctx.sql<Bundle[]>`
    select ${ctx.sql(BUNDLE_COLUMNS)} from bundle where bundle_id = ${link.bundle_id} and customer_id = ${link.customer_id}`
  if (!bundle) throw new ApiError('link_expired', 'This zip has expired. Request it again.')
  rejectFetched(ctx, bundle.completed_at)
  const { originals, delivered } = await findDelivered(ctx.sql, bundle.downloads)
  const sourceFiles = await withConversions(ctx, originals, bundle.format)
  await rejectLost(ctx, sourceFiles, delivered)
  const layout = await layOutBundle(ctx, bundle, sourceFiles)
  rejectOutdated(link, layout.etag)
  const meter = meterTransfer(ctx, link, request, layout)
  const refundUnreadable = (error: unknown) => refundUnreadableOf(ctx, error, { sourceFiles, delivered })
  try {
    return await sendBytes(request, reply, {
      length: layout.length,
      etag: layout.etag,
      type: 'application/zip',
      cacheControl: 'private, no-cache',
      disposition: contentDisposition(`${safeName(bundle.zip_name)}.zip`),
      read: (from, to) => meter.count(from, to, readSegments(ctx.storage, sliceSegments(layout.segments, from, to))),
      onEnd: (end) => {
        endTransfer().catch((error) => ctx.log.error(error, 'Could not record the end of a zip download'))
        async function endTransfer() {
          const isWhole = await meter.finish(end)
          if (end.isFinished && isWhole) await recordSent(ctx, bundle!.bundle_id, delivered)
          await refundUnreadable(end.readError)
        }
      },
    })
  } catch (error) {
    const unreadable = await refundUnreadable(error)
    if (unreadable) throw await lostFileError(ctx, unreadable)
    throw error instanceof OriginalReadError ? error.cause : error
  }
}

/**
 * Returns what is still to be delivered of a bundle: versions neither refunded nor unpublished since it was created.
 */
async function findDelivered(sql: Sql, bundleItems: BundleItem[]) {
  const ids = bundleItems.flatMap((one) => one.download_id ?? [])
  const rows = await sql<{ download_id: number }[]>`
    select download_id from download where download_id = any(${ids}::bigint[]) and refunded_at is null`
  const refundableIds = new Set(rows.map((row) => row.download_id))
  const isRefundable = ({ download_id }: BundleItem) => download_id === null || refundableIds.has(download_id)
  const versionIds = bundleItems.filter(isRefundable).map((one) => one.song_version_id)
  const isStaffBundle = bundleItems.every((one) => one.download_id === null)
  const originals = await findSourceFiles(sql, versionIds, isStaffBundle ? 'all' : 'published')
  if (originals.length === 0)
    throw new ApiError('file_unavailable', 'None of the songs in this zip are still available.')
  const included = new Set(originals.map((sourceFile) => sourceFile.song_version_id))
  return { originals, delivered: bundleItems.filter((one) => isRefundable(one) && included.has(one.song_version_id)) }
}

/**
 * Refunds a file that was lost or damaged since the bundle was created; the others can be requested again without being
 * counted.
 */
async function rejectLost(ctx: AppContext, sourceFiles: SourceFile[], bundleItems: BundleItem[]): Promise<void> {
  const available = await findAvailable(ctx, sourceFiles)
  const missing = sourceFiles.find((sourceFile) => !available.has(sourceFile))
  if (!missing) return
  await remakeLost(ctx, missing)
  await refundBundleItem(ctx, missing, bundleItems)
  throw await lostFileError(ctx, missing)
}

const lostFileError = async (ctx: AppContext, sourceFile: SourceFile) =>
  new ApiError(
    'file_unavailable',
    `The file for “${sourceFile.title} (${sourceFile.version_label})” is ${await findProblem(ctx, sourceFile)} on our side, so it wasn’t counted as a download. Request the zip again to get the others.`,
  )

async function refundBundleItem(
  ctx: AppContext,
  { song_version_id }: SourceFile,
  bundleItems: BundleItem[],
): Promise<void> {
  const download_id = bundleItems.find((one) => one.song_version_id === song_version_id)?.download_id
  if (download_id) await refundDownload(ctx.sql, download_id)
}

/** Refunds the version whose file could not be read to its end while it was sent, and returns it. */
async function refundUnreadableOf(
  ctx: AppContext,
  error: unknown,
  { sourceFiles, delivered }: { sourceFiles: SourceFile[]; delivered: BundleItem[] },
): Promise<SourceFile | undefined> {
  if (!(error instanceof OriginalReadError)) return undefined
  const sourceFile = sourceFiles.find(({ sha256 }) => sha256 === error.sha256)
  if (!sourceFile || !(await recordUnreadable(ctx, sourceFile, error))) return undefined
  await refundBundleItem(ctx, sourceFile, delivered)
  return sourceFile
}

async function recordSent(ctx: AppContext, bundleId: number, bundleItems: BundleItem[]): Promise<void> {
  await ctx.sql`update bundle set completed_at = now() where bundle_id = ${bundleId} and completed_at is null`
  await completeDownloads(
    ctx.sql,
    bundleItems.flatMap((one) => one.download_id ?? []),
  )
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
