import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import type { Caller } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import { sendBytes } from '../platform/send-bytes.ts'
import { handOverFile } from '../platform/sendfile.ts'
import { storageKey } from '../platform/storage.ts'

const HALF_DAY_MS = 12 * 3600 * 1000
const SIGNING_PURPOSE = 'file-media'
const CACHE = 'private, max-age=43200'

/**
 * Returns the URLs of the whole preview and the detailed waveform of a file, published or not, valid only for the
 * session they were signed for. The same for half a day, so that the browser can cache them.
 */
export function createFileUrl(
  { signing, now }: Pick<AppContext, 'signing' | 'now'>,
  { session_id }: Pick<Caller, 'session_id'>,
  fileId: number,
  fileName: 'preview.mp3' | 'peaks.bin',
): string {
  const expiresAt = new Date((Math.floor(now().getTime() / HALF_DAY_MS) + 2) * HALF_DAY_MS)
  return `/upload-media/files/${signing.sign(SIGNING_PURPOSE, [fileId, session_id], expiresAt)}/${fileName}`
}

/** GET /upload-media/files/…: for those who correct a beat grid, the uploader of the file and staff. */
export function serveFileMedia(app: FastifyInstance, ctx: AppContext): void {
  app.get('/upload-media/files/:signed/preview.mp3', async (request, reply) => {
    const { sha256, bytes } = await findFileMedia(ctx, request)
    return sendBytes(request, reply, {
      length: bytes,
      etag: `"${sha256.slice(0, 12)}"`,
      type: 'audio/mpeg',
      cacheControl: CACHE,
      read: (from, to) => ctx.storage.pieces('previews', sha256, { ending: '.mp3', from, to }),
      handOver: handOverFile(ctx, request, storageKey('previews', sha256, '.mp3')),
    })
  })
  app.get('/upload-media/files/:signed/peaks.bin', async (request, reply) => {
    const { detail } = await findFileMedia(ctx, request)
    if (!detail) throw new ApiError('file_unavailable', 'No waveform available for this file.')
    return reply.type('application/octet-stream').header('cache-control', CACHE).send(detail)
  })
}

type FileMedia = { sha256: string; bytes: number; detail: Buffer | null }

async function findFileMedia(ctx: AppContext, request: FastifyRequest): Promise<FileMedia> {
  const { signed } = request.params as { signed: string }
  const [fileId, sessionId] = ctx.signing.open(SIGNING_PURPOSE, signed, ctx.now()).map(Number)
  const [media] = await ctx.sql<FileMedia[]>`
    select encode(p.sha256, 'hex') as sha256, p.bytes, detail from preview p left join peaks using (file_id)
    where file_id = ${fileId ?? 0} and exists (
      select 1 from session join customer c using (customer_id)
      where session_id = ${sessionId ?? 0} and expires_at > now() and purpose in ('member', 'viewer') and status = 'active'
        and (c.staff_role in ('curator', 'admin') or exists (
          select 1 from upload u where u.customer_id = c.customer_id and u.file_id = p.file_id and u.removed_at is null)))`
  if (!media)
    throw new ApiError(
      'link_expired',
      'This file no longer exists, or your session has ended. Reload the page and try again.',
    )
  return media
}
