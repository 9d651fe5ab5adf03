import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentDisposition } from '../catalogue/file-names.ts'
import { Refusal } from '../platform/refusal.ts'
import { sendBytes } from '../platform/send-bytes.ts'
import type { World } from '../world.ts'
import { completeDownloads, refundDownload } from './grants.ts'
import { serveLinks } from './link-page.ts'
import { openLink, refuseFetched } from './links.ts'
import { findMasters, isThere, type Master, MEDIA_TYPE, masterName, tagMaster } from './masters.ts'
import { placeSegments, readSegments, type Segment, sliceSegments } from './segments.ts'

type Download = { song_version_id: number; refunded_at: Date | null; completed_at: Date | null }

/** GET /files/…: the audio with fresh tags, to the member the link was signed for. */
export const serveFiles = (app: FastifyInstance, world: World): void =>
  serveLinks(app, 'files', (signed, request, reply) => sendFile(world, signed, request, reply))

async function sendFile(world: World, signed: string, request: FastifyRequest, reply: FastifyReply) {
  const { subject: downloadId, customer_id } = await openLink(world, 'file', signed)
  const [download] = await world.sql<Download[]>`
    select song_version_id, refunded_at, completed_at from download where download_id = ${downloadId}`
  const rescue = { customer_id, days: world.settings.rescueDays }
  const [master] = download ? await findMasters(world.sql, [download.song_version_id], rescue) : []
  if (!master || download?.refunded_at)
    throw new Refusal('file_unavailable', 'This version is not in the pool any more.')
  refuseFetched(world, download?.completed_at ?? null)
  await refuseMissing(world, master, downloadId)
  const address = await addressAtStore(world, master, request)
  if (address) {
    // What the store sends nobody here sees the end of: it counts as fetched, and this link stays good for a while.
    await completeDownloads(world.sql, [downloadId])
    return reply.header('cache-control', 'private, no-store').redirect(address, 302)
  }
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

/** Long enough to begin a transfer, and to go on with one that broke off. */
const ADDRESS_SECONDS = 15 * 60

/**
 * Where a browser gets a file that goes out as it came in, if it gets to the store at all. Whoever asks for a part goes on
 * with what came by here.
 */
async function addressAtStore(world: World, master: Master, request: FastifyRequest): Promise<string | undefined> {
  const isWhole = request.method === 'GET' && request.headers.range === undefined
  if (!isWhole || master.sha256 === null || master.body?.kept.kind !== 'as_is') return undefined
  return world.storage.address('audio', master.sha256, {
    seconds: ADDRESS_SECONDS,
    name: masterName(master),
    type: MEDIA_TYPE[master.format],
  })
}

/** The bytes of a master's segments, from the store or as they are made. */
export function readMaster(world: World, master: Master, segments: Segment[]): AsyncIterable<Uint8Array> {
  if (master.sha256 === null) return readOnDemand(world, master, segments)
  return readSegments(world.storage, placeSegments(master.sha256, segments))
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
