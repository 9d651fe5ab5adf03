import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { createMediaKeyCheck } from '../membership/media-key.ts'
import { ApiError } from '../platform/api-error.ts'
import { sendBytes } from '../platform/send-bytes.ts'
import { handOverFile } from '../platform/sendfile.ts'
import { storageKey } from '../platform/storage.ts'
import { type Clip, cutClip, cutPart, readClip } from './clip.ts'

const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable'
const PRIVATE_CACHE = 'private, max-age=86400'
const MAX_PART_SECONDS = 180

type MediaVersion = {
  song_version_id: number
  file_id: number | null
  sha256: string | null
  bytes: number | null
  recipe: unknown
  recipe_bytes: number | null
  content: string
  preview_start_seconds: number
}

/** GET /previews/… and /peaks/…: what the player needs, addressed by content. */
export function serveMedia(app: FastifyInstance, ctx: AppContext): void {
  const isValidKey = createMediaKeyCheck(ctx)
  app.get('/previews/:name.mp3', async (request, reply) => {
    const { k } = request.query as PreviewQuery
    return sendPreview(ctx, request, reply, await isValidKey(k))
  })
  app.get('/peaks/:name.bin', async (request, reply) => sendPeaks(ctx, request, reply))
}

async function findMediaVersion(ctx: AppContext, request: FastifyRequest): Promise<MediaVersion> {
  const { name } = request.params as { name: string }
  const [versionId, content] = name.split('-')
  if (!/^\d{1,15}$/.test(versionId ?? '')) throw new ApiError('unknown_version', 'Preview not found.')
  const [media] = await ctx.sql<MediaVersion[]>`
    select v.song_version_id, v.file_id, v.preview_start_seconds, encode(p.sha256, 'hex') as sha256, p.bytes, v.recipe, v.recipe_bytes,
      coalesce(left(encode(p.sha256, 'hex'), 12), left(md5(v.recipe::text), 12)) as content
    from song_version v join song s using (entity_id) left join preview p using (file_id)
    where v.song_version_id = ${Number(versionId)} and v.status = 'published' and s.status = 'published'`
  // Music generated on demand keeps its old URL in addition to that of the finished file.
  if (!media || (content !== media.content && media.recipe === null)) {
    throw new ApiError('unknown_version', 'Preview not found. The song may have changed; reload the page.')
  }
  return media
}

type PreviewQuery = { k?: string; from?: string; to?: string }

/** The seconds of a song that a member requests: whole numbers, so that browsers can cache them. */
function parsePart({ from, to }: PreviewQuery): { from: number; to: number } | undefined {
  if (from === undefined && to === undefined) return undefined
  const [start, end] = [from, to].map((text) => (/^\d{1,5}$/.test(text ?? '') ? Number(text) : Number.NaN)) as [
    number,
    number,
  ]
  if (start < end && end - start <= MAX_PART_SECONDS) return { from: start, to: end }
  throw new ApiError('invalid_request', `Give from and to as whole seconds, up to ${MAX_PART_SECONDS} apart.`)
}

/**
 * Sends full length, or the seconds `from` to `to` of it, to a member with a valid media key, a clip to everyone else. 202 to a
 * request that prefetches music which has to be generated first.
 */
async function sendPreview(ctx: AppContext, request: FastifyRequest, reply: FastifyReply, isMember: boolean) {
  const media = await findMediaVersion(ctx, request)
  if (!isMember && !ctx.settings.publicBrowsing) throw new ApiError('not_signed_in', 'Sign in to listen.')
  if (media.sha256 === null && ctx.music && request.headers.purpose === 'prefetch') {
    ctx.music.prepare(media.song_version_id, media.recipe)
    return sendNotReady(reply)
  }
  const bytes = media.bytes ?? media.recipe_bytes ?? 0
  const read = (from: number, to: number) => readPreview(ctx, media, from, to)
  const shared = { type: 'audio/mpeg', cacheControl: isMember ? PRIVATE_CACHE : 'public, max-age=86400' }
  const sendClip = (clip: Clip, name: string) =>
    sendBytes(request, reply, {
      ...shared,
      length: clip.length,
      etag: `"${media.content}-${name}"`,
      read: (from, to) => readClip(clip, read, from, to),
    })
  if (!isMember) {
    const start_seconds = media.preview_start_seconds
    return sendClip(await cutClip({ bytes, start_seconds }, read), `clip-${start_seconds}`)
  }
  const part = parsePart(request.query as PreviewQuery)
  if (!part)
    return sendBytes(request, reply, {
      ...shared,
      length: bytes,
      etag: `"${media.content}"`,
      read,
      handOver:
        media.sha256 === null ? undefined : handOverFile(ctx, request, storageKey('previews', media.sha256, '.mp3')),
    })
  const cut = await cutPart({ bytes, ...part }, read)
  if (!cut) throw new ApiError('invalid_request', `This preview has no second ${part.from}.`)
  return sendClip(cut, `part-${part.from}-${part.to}`)
}

function readPreview(ctx: AppContext, media: MediaVersion, from: number, to: number): AsyncIterable<Uint8Array> {
  if (media.sha256) return ctx.storage.pieces('previews', media.sha256, { ending: '.mp3', from, to })
  if (ctx.music) return ctx.music.read(media.song_version_id, media.recipe, from, to)
  throw new ApiError('file_unavailable', 'This preview is still being prepared. Try again in a moment.')
}

/**
 * Sends 800 points in four bands; with `?detail=1` fifty points a second in three. 202 while the music is still being
 * generated.
 */
async function sendPeaks(ctx: AppContext, request: FastifyRequest, reply: FastifyReply) {
  const media = await findMediaVersion(ctx, request)
  const wantsDetail = (request.query as { detail?: string }).detail === '1'
  const [peaks] =
    media.file_id === null
      ? []
      : await ctx.sql<{ lanes: Buffer }[]>`
    select ${wantsDetail ? ctx.sql`detail` : ctx.sql`overview`} as lanes from peaks where file_id = ${media.file_id}`
  if (peaks) return reply.type('application/octet-stream').header('cache-control', IMMUTABLE_CACHE).send(peaks.lanes)
  // The music generator reports errors; here the next request tries again.
  ctx.music?.finish(media.song_version_id, media.recipe).catch(() => {})
  return sendNotReady(reply)
}

/** The music is still being generated. */
const sendNotReady = (reply: FastifyReply) =>
  reply.code(202).header('retry-after', '1').header('cache-control', 'no-store').send()
