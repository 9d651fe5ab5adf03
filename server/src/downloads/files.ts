import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { contentDisposition } from '../catalogue/file-names.ts'
import { ApiError } from '../platform/api-error.ts'
import { sendBytes } from '../platform/send-bytes.ts'
import { recordUnreadable, remakeLost, withConversions } from './conversions.ts'
import { createFrontServerFiles, type FrontServerFiles } from './front-server-files.ts'
import { refundDownload } from './grants.ts'
import { serveLinks } from './link-page.ts'
import { type Link, openLink, rejectFetched, rejectOutdated } from './links.ts'
import { styleOf } from './profile-files.ts'
import { readSourceFile } from './read-source-file.ts'
import { OriginalReadError, sliceSegments } from './segments.ts'
import {
  findProblem,
  findSourceFiles,
  isAvailable,
  MEDIA_TYPES,
  type SourceFile,
  tagSourceFile,
} from './source-files.ts'
import { releaseFailed } from './transfer-reports.ts'
import { completeTransfer, meterTransfer } from './transfers.ts'

type DownloadRow = { song_version_id: number; refunded_at: Date | null; completed_at: Date | null }

/** GET /files/…: sends the audio with fresh tags to the member the link was signed for. */
export function serveFiles(app: FastifyInstance, ctx: AppContext): void {
  const frontServer = createFrontServerFiles(ctx)
  serveLinks(app, 'files', (signed, request, reply) => sendFile(ctx, frontServer, { signed, request, reply }))
}

type SignedRequest = { signed: string; request: FastifyRequest; reply: FastifyReply }

async function sendFile(
  ctx: AppContext,
  frontServer: FrontServerFiles,
  { signed, request, reply }: SignedRequest,
): Promise<unknown> {
  await releaseFailed(ctx, request)
  const link = await openLink(ctx, 'file', signed, request)
  const original = await findLinkedFile(ctx, link)
  const [sourceFile = original] = await withConversions(ctx, [original], link.format)
  await rejectUnavailable(ctx, sourceFile, link)
  const { name, tags } = await styleOf(ctx, sourceFile, link.profile)
  const tagged = await tagSourceFile(ctx, sourceFile, tags)
  rejectOutdated(link, tagged.etag)
  const meter = meterTransfer(ctx, link, request, tagged)
  const storageUrl = await presignedUrl(ctx, sourceFile, request, name)
  if (storageUrl) {
    // The end of a transfer from the storage is not visible here: it counts as complete, and the link stays valid for a
    // while.
    await meter.countFull()
    await completeTransfer(ctx.sql, link)
    return reply.header('cache-control', 'private, no-store').redirect(storageUrl, 302)
  }
  try {
    return await sendBytes(request, reply, {
      length: tagged.length,
      etag: tagged.etag,
      type: MEDIA_TYPES[sourceFile.format],
      cacheControl: 'private, no-cache',
      disposition: contentDisposition(name),
      read: (from, to) =>
        meter.count(from, to, readSourceFile(ctx, sourceFile, sliceSegments(tagged.segments, from, to))),
      handOver: frontServer.handOver({ link, request, sourceFile, tagged }),
      onEnd: (end) => {
        endTransfer().catch((error) => ctx.log.error(error, 'Could not record the end of a download'))
        async function endTransfer() {
          const isWhole = await meter.finish(end)
          if (end.isFinished && isWhole) await completeTransfer(ctx.sql, link)
          await refundUnreadable(ctx, sourceFile, link, end.readError)
        }
      },
    })
  } catch (error) {
    if (await refundUnreadable(ctx, sourceFile, link, error)) throw await unavailableError(ctx, sourceFile)
    throw error instanceof OriginalReadError ? error.cause : error
  }
}

/** Returns the version a link is for. Throws `file_unavailable` and `link_expired`. */
async function findLinkedFile(
  ctx: AppContext,
  { download_id, song_version_id, customer_id }: Link,
): Promise<SourceFile> {
  const { sql, settings } = ctx
  const [download] =
    download_id === null
      ? []
      : await sql<DownloadRow[]>`
          select song_version_id, refunded_at, completed_at from download where download_id = ${download_id}`
  const versionId = song_version_id ?? download?.song_version_id
  const accessScope = song_version_id === null ? { customer_id, days: settings.rescueDays } : 'all'
  const [sourceFile] = versionId === undefined ? [] : await findSourceFiles(sql, [versionId], accessScope)
  if (!sourceFile || download?.refunded_at)
    throw new ApiError('file_unavailable', 'This version is no longer available.')
  rejectFetched(ctx, download?.completed_at ?? null)
  return sourceFile
}

/** Long enough to start a transfer, and to resume an interrupted one. */
const PRESIGNED_URL_SECONDS = 15 * 60

/**
 * Returns a presigned URL for a file that is delivered unchanged, if browsers can reach the storage. Range requests are
 * served by this process, because they continue a download that it started.
 */
async function presignedUrl(
  ctx: AppContext,
  sourceFile: SourceFile,
  request: FastifyRequest,
  name: string,
): Promise<string | undefined> {
  const isWhole = request.method === 'GET' && request.headers.range === undefined
  if (
    !isWhole ||
    sourceFile.conversion_id !== undefined ||
    sourceFile.sha256 === null ||
    sourceFile.body?.kept.kind !== 'as_is'
  )
    return undefined
  return ctx.storage.address('audio', sourceFile.sha256, {
    seconds: PRESIGNED_URL_SECONDS,
    name,
    type: MEDIA_TYPES[sourceFile.format],
  })
}

/** Throws `file_unavailable` and refunds the download when the file is missing or damaged. */
async function rejectUnavailable(ctx: AppContext, sourceFile: SourceFile, link: Link): Promise<void> {
  const { download_id, format } = link
  const isConverted = format === null || sourceFile.conversion_id !== undefined
  if (isConverted && (await isAvailable(ctx, sourceFile))) return
  if (sourceFile.conversion_id !== undefined) await remakeLost(ctx, sourceFile)
  if (download_id !== null) await refundDownload(ctx.sql, download_id)
  throw await unavailableError(ctx, sourceFile)
}

const unavailableError = async (ctx: AppContext, sourceFile: SourceFile) =>
  new ApiError(
    'file_unavailable',
    `The file for this version is ${await findProblem(ctx, sourceFile)} on our side. This download wasn’t counted.`,
  )

/** Refunds a download whose file could not be read to its end while it was sent. Returns whether it did. */
async function refundUnreadable(
  ctx: AppContext,
  sourceFile: SourceFile,
  { download_id }: Link,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof OriginalReadError) || !(await recordUnreadable(ctx, sourceFile, error))) return false
  if (download_id !== null) await refundDownload(ctx.sql, download_id)
  return true
}
