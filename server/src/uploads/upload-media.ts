import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import type { Caller } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import { sendBytes } from '../platform/send-bytes.ts'
import { handOverFile } from '../platform/sendfile.ts'
import { storageKey } from '../platform/storage.ts'

const HALF_DAY_MS = 12 * 3600 * 1000
const SIGNING_PURPOSE = 'upload-media'

type MediaFileName = 'preview.mp3' | 'peaks.bin'

/**
 * Returns the URLs of the preview and waveform of an unpublished file, valid only for the session they were signed for.
 * The same for half a day, so that the browser can cache them.
 */
export function createUploadUrl(
  { signing, now }: Pick<AppContext, 'signing' | 'now'>,
  { session_id }: Pick<Caller, 'session_id'>,
  uploadId: number,
  fileName: MediaFileName,
): string {
  const expiresAt = new Date((Math.floor(now().getTime() / HALF_DAY_MS) + 2) * HALF_DAY_MS)
  return `/upload-media/${signing.sign(SIGNING_PURPOSE, [uploadId, session_id], expiresAt)}/${fileName}`
}

type UploadMedia = { sha256: string; bytes: number; content: string; file_id: number }

/** GET /upload-media/…: preview and waveform of a member's file, for its uploader and staff. */
export function serveUploadMedia(app: FastifyInstance, ctx: AppContext): void {
  app.get('/upload-media/:signed/preview.mp3', async (request, reply) => {
    const media = await findUploadMedia(ctx, request)
    return sendBytes(request, reply, {
      length: media.bytes,
      etag: `"${media.content}"`,
      type: 'audio/mpeg',
      cacheControl: 'private, max-age=43200',
      read: (from, to) => ctx.storage.pieces('previews', media.sha256, { ending: '.mp3', from, to }),
      handOver: handOverFile(ctx, request, storageKey('previews', media.sha256, '.mp3')),
    })
  })
  app.get('/upload-media/:signed/peaks.bin', (request, reply) => sendPeaks(ctx, request, reply))
}

async function findUploadMedia(ctx: AppContext, request: FastifyRequest): Promise<UploadMedia> {
  const { signed } = request.params as { signed: string }
  const [uploadId, sessionId] = ctx.signing.open(SIGNING_PURPOSE, signed, ctx.now()).map(Number)
  const [media] = await ctx.sql<UploadMedia[]>`
    select f.file_id, encode(p.sha256, 'hex') as sha256, p.bytes, left(encode(p.sha256, 'hex'), 12) as content
    from upload u join file f using (file_id) join preview p using (file_id)
    where u.upload_id = ${uploadId ?? 0} and exists (
      select 1 from session join customer c using (customer_id)
      where session_id = ${sessionId ?? 0} and expires_at > now() and purpose in ('member', 'viewer') and status = 'active'
        and (c.customer_id = u.customer_id or c.staff_role in ('curator', 'admin')))`
  if (!media)
    throw new ApiError(
      'link_expired',
      'This file no longer exists, or your session has ended. Reload the page and try again.',
    )
  return media
}

/** Sends 800 points in four bands, as `decodePeaks` of the contract reads them. */
async function sendPeaks(ctx: AppContext, request: FastifyRequest, reply: FastifyReply) {
  const { file_id } = await findUploadMedia(ctx, request)
  const [peaks] = await ctx.sql<{ overview: Buffer }[]>`select overview from peaks where file_id = ${file_id}`
  if (!peaks) throw new ApiError('file_unavailable', 'No waveform available for this file.')
  return reply.type('application/octet-stream').header('cache-control', 'private, max-age=43200').send(peaks.overview)
}
