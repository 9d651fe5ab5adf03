import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordReadFailure } from '../audio/originals.ts'
import { contentDisposition } from '../catalogue/file-names.ts'
import { Refusal } from '../platform/refusal.ts'
import { sendBytes } from '../platform/send-bytes.ts'
import type { World } from '../world.ts'
import { refundDownload } from './grants.ts'
import { serveLinks } from './link-page.ts'
import { type Link, openLink, refuseFetched, refuseOutdated } from './links.ts'
import {
  findMasters,
  isAvailable,
  type Master,
  MEDIA_TYPE,
  masterName,
  originalOf,
  tagMaster,
  troubleWith,
} from './masters.ts'
import { OriginalReadError, placeSegments, readSegments, type Segment, sliceSegments } from './segments.ts'
import { completeTransfer, meterTransfer } from './transfers.ts'

type Download = { song_version_id: number; refunded_at: Date | null; completed_at: Date | null }

/** GET /files/…: the audio with fresh tags, to the member the link was signed for. */
export const serveFiles = (app: FastifyInstance, world: World): void =>
  serveLinks(app, 'files', (signed, request, reply) => sendFile(world, signed, request, reply))

async function sendFile(world: World, signed: string, request: FastifyRequest, reply: FastifyReply) {
  const link = await openLink(world, 'file', signed, request)
  const master = await findLinked(world, link)
  await refuseUnavailable(world, master, link)
  const tagged = await tagMaster(world, master)
  refuseOutdated(link, tagged.etag)
  const meter = meterTransfer(world, link, request, tagged)
  const address = await addressAtStore(world, master, request)
  if (address) {
    // Nobody here sees the end of what the store sends: it counts as fetched, and this link stays good for a while.
    await meter.countWhole()
    await completeTransfer(world.sql, link)
    return reply.header('cache-control', 'private, no-store').redirect(address, 302)
  }
  try {
    return await sendBytes(request, reply, {
      length: tagged.length,
      etag: tagged.etag,
      type: MEDIA_TYPE[master.format],
      cacheControl: 'private, no-cache',
      disposition: contentDisposition(masterName(master)),
      read: (from, to) => meter.count(from, to, readMaster(world, master, sliceSegments(tagged.segments, from, to))),
      onEnd: (end) => {
        endTransfer().catch((error) => world.log.error(error, 'The end of a download could not be recorded.'))
        async function endTransfer() {
          const isWhole = await meter.settle(end)
          if (end.isFinished && isWhole) await completeTransfer(world.sql, link)
          await refundUnreadable(world, master, link, end.readError)
        }
      },
    })
  } catch (error) {
    if (await refundUnreadable(world, master, link, error)) throw await unavailable(world, master)
    throw error instanceof OriginalReadError ? error.cause : error
  }
}

/** The version a link is for. Refuses `file_unavailable` and `link_expired`. */
async function findLinked(world: World, { download_id, song_version_id, customer_id }: Link): Promise<Master> {
  const { sql, settings } = world
  const [download] =
    download_id === null
      ? []
      : await sql<Download[]>`
          select song_version_id, refunded_at, completed_at from download where download_id = ${download_id}`
  const versionId = song_version_id ?? download?.song_version_id
  const reach = song_version_id === null ? { customer_id, days: settings.rescueDays } : 'all'
  const [master] = versionId === undefined ? [] : await findMasters(sql, [versionId], reach)
  if (!master || download?.refunded_at) throw new Refusal('file_unavailable', 'This version is no longer available.')
  refuseFetched(world, download?.completed_at ?? null)
  return master
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
    else throw new Error(`Version ${master.song_version_id} is generated, but no generator is available`)
  }
}

/** Refuses `file_unavailable` and refunds the download when the file is missing or damaged. */
async function refuseUnavailable(world: World, master: Master, { download_id }: Link): Promise<void> {
  if (await isAvailable(world, master)) return
  if (download_id !== null) await refundDownload(world.sql, download_id)
  throw await unavailable(world, master)
}

const unavailable = async (world: World, master: Master) =>
  new Refusal(
    'file_unavailable',
    `The file for this version is ${await troubleWith(world, master)} on our side. This download wasn’t counted.`,
  )

/** Refunds a download whose file broke while it was sent. Answers whether it did. */
async function refundUnreadable(world: World, master: Master, { download_id }: Link, error: unknown): Promise<boolean> {
  const original = originalOf(master)
  if (!(error instanceof OriginalReadError) || !original) return false
  if (!(await recordReadFailure(world, original, error.cause))) return false
  if (download_id !== null) await refundDownload(world.sql, download_id)
  return true
}
