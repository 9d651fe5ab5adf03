import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkMediaKeys } from '../membership/media-key.ts'
import { Refusal } from '../platform/refusal.ts'
import { sendBytes } from '../platform/send-bytes.ts'
import type { World } from '../world.ts'
import { clipOf } from './clip.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_ME = 'private, max-age=86400'

type Sound = {
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
export function serveMedia(app: FastifyInstance, world: World): void {
  const isGood = checkMediaKeys(world)
  app.get('/previews/:name.mp3', async (request, reply) => {
    const { k } = request.query as { k?: string }
    return sendPreview(world, request, reply, await isGood(k))
  })
  app.get('/peaks/:name.bin', async (request, reply) => sendPeaks(world, request, reply))
}

async function findSound(world: World, request: FastifyRequest): Promise<Sound> {
  const { name } = request.params as { name: string }
  const [versionId, content] = name.split('-')
  if (!/^\d{1,15}$/.test(versionId ?? '')) throw new Refusal('unknown_version', 'Preview not found.')
  const [sound] = await world.sql<Sound[]>`
    select v.song_version_id, v.file_id, v.preview_start_seconds, encode(p.sha256, 'hex') as sha256, p.bytes, v.recipe, v.recipe_bytes,
      coalesce(left(encode(p.sha256, 'hex'), 12), left(md5(v.recipe::text), 12)) as content
    from song_version v join song s using (entity_id) left join preview p using (file_id)
    where v.song_version_id = ${Number(versionId)} and v.status = 'published' and s.status = 'published'`
  // Music that was made on demand keeps its old address beside the one of the finished file.
  if (!sound || (content !== sound.content && sound.recipe === null)) {
    throw new Refusal('unknown_version', 'Preview not found. The song may have changed; reload the page.')
  }
  return sound
}

/** Full length for a member with a good media key, a clip for everybody else. */
async function sendPreview(world: World, request: FastifyRequest, reply: FastifyReply, isMember: boolean) {
  const sound = await findSound(world, request)
  if (!isMember && !world.settings.publicBrowsing) throw new Refusal('not_signed_in', 'Sign in to listen.')
  const bytes = sound.bytes ?? sound.recipe_bytes ?? 0
  const read = (from: number, to: number) => readPreview(world, sound, from, to)
  const part = isMember
    ? { from: 0, to: bytes }
    : await clipOf({ bytes, start_seconds: sound.preview_start_seconds }, read)
  return sendBytes(request, reply, {
    length: part.to - part.from,
    etag: `"${sound.content}-${part.from}-${part.to}"`,
    type: 'audio/mpeg',
    cacheControl: isMember ? FOR_ME : 'public, max-age=86400',
    read: (from, to) => read(part.from + from, part.from + to),
  })
}

function readPreview(world: World, sound: Sound, from: number, to: number): AsyncIterable<Uint8Array> {
  if (sound.sha256) return world.storage.pieces('previews', sound.sha256, { ending: '.mp3', from, to })
  if (world.music) return world.music.read(sound.song_version_id, sound.recipe, from, to)
  throw new Refusal('file_unavailable', 'This preview is still being prepared. Try again in a moment.')
}

/** 800 points in four lanes; with `?detail=1` fifty points a second in three. 202 while the music is still being made. */
async function sendPeaks(world: World, request: FastifyRequest, reply: FastifyReply) {
  const sound = await findSound(world, request)
  const wantsDetail = (request.query as { detail?: string }).detail === '1'
  const [peaks] =
    sound.file_id === null
      ? []
      : await world.sql<{ lanes: Buffer }[]>`
    select ${wantsDetail ? world.sql`detail` : world.sql`overview`} as lanes from peaks where file_id = ${sound.file_id}`
  if (peaks) return reply.type('application/octet-stream').header('cache-control', FOR_EVER).send(peaks.lanes)
  // Whoever makes the music says what went wrong with it; here only the next request asks again.
  world.music?.finish(sound.song_version_id, sound.recipe).catch(() => {})
  return reply.code(202).header('retry-after', '1').header('cache-control', 'no-store').send()
}
