import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentDisposition } from '../catalogue/file-names.ts'
import { Refusal } from '../platform/refusal.ts'
import { sendBytes } from '../platform/send-bytes.ts'
import type { World } from '../world.ts'
import { completeDownloads, refundDownload } from './grants.ts'
import { serveLinks } from './link-page.ts'
import { openLink, refuseFetched } from './links.ts'
import { findMasters, isThere, type Master, MEDIA_TYPE, masterName, tagMaster } from './masters.ts'
import { placeSegments, readPlacedSegments, type Segment, sliceSegments } from './segments.ts'

type Download = { song_version_id: number; refunded_at: Date | null; completed_at: Date | null }

/** GET /files/…: the audio with fresh tags, to the member the link was signed for. */
export const serveFiles = (app: FastifyInstance, world: World): void =>
  serveLinks(app, 'files', (signed, request, reply) => sendFile(world, signed, request, reply))

async function sendFile(world: World, signed: string, request: FastifyRequest, reply: FastifyReply) {
  const { subject: downloadId } = await openLink(world, 'file', signed)
  const [download] = await world.sql<Download[]>`
    select song_version_id, refunded_at, completed_at from download where download_id = ${downloadId}`
  const [master] = download ? await findMasters(world.sql, [download.song_version_id]) : []
  if (!master || download?.refunded_at)
    throw new Refusal('file_unavailable', 'This version is not in the pool any more.')
  refuseFetched(world, download?.completed_at ?? null)
  await refuseMissing(world, master, downloadId)
  const tagged = await tagMaster(world, master)
  return sendBytes(request, reply, {
    length: tagged.length,
    etag: tagged.etag,
    type: MEDIA_TYPE[master.format],
    cacheControl: 'private, no-cache',
    disposition: contentDisposition(masterName(master)),
    read: (from, to) => readMaster(world, master, sliceSegments(tagged.segments, from, to)),
    onSentToEnd: () => {
      completeDownloads(world.sql, [downloadId]).catch((error) =>
        world.log.error(error, 'A completed download was not noted.'),
      )
    },
  })
}

/** The bytes of a master's segments, from the store or as they are made. */
export function readMaster(world: World, master: Master, segments: Segment[]): AsyncIterable<Uint8Array> {
  if (master.sha256 === null) return readOnDemand(world, master, segments)
  return readPlacedSegments(placeSegments(world.storage.path('audio', master.sha256), segments))
}

async function* readOnDemand(world: World, master: Master, segments: Segment[]): AsyncGenerator<Uint8Array> {
  for (const segment of segments) {
    if (Buffer.isBuffer(segment)) yield segment
    else if (world.music) yield* world.music.read(master.song_version_id, master.recipe, segment.start, segment.end)
    else throw new Error(`Version ${master.song_version_id} has a recipe, and nothing here makes music.`)
  }
}

/** Refuses `file_unavailable` and gives the count back when the store has lost the file. */
async function refuseMissing(world: World, master: Master, downloadId: number): Promise<void> {
  if (await isThere(world, master)) return
  await refundDownload(world.sql, downloadId)
  throw new Refusal(
    'file_unavailable',
    'The file of this version is missing on our side. The download was not counted.',
  )
}
