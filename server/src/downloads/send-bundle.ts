import { safeName } from '@dubplate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { contentDisposition } from '../catalogue/file-names.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { sendBytes } from '../platform/send-bytes.ts'
import { layOutBundle } from './bundle-layout.ts'
import { BUNDLE_COLUMNS, type Bundle, type BundleItem } from './bundles.ts'
import { recordUnreadable, remakeLost, withConversions } from './conversions.ts'
import { completeDownloads, refundDownload } from './grants.ts'
import { serveLinks } from './link-page.ts'
import { openLink, rejectFetched, rejectOutdated } from './links.ts'
import { OriginalReadError, readSegments, sliceSegments } from './segments.ts'
import { findAvailable, findProblem, findSourceFiles, type SourceFile } from './source-files.ts'
import { meterTransfer } from './transfers.ts'

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
  if (bundle.kit?.has_audio !== false) await rejectLost(ctx, sourceFiles, delivered)
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
