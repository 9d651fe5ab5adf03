import { createHash } from 'node:crypto'
import type { downloads } from '@dubplate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Asker } from '../membership/asker.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { sendBytes } from '../platform/send-bytes.ts'
import type { World } from '../world.ts'
import { contentDisposition, safeName } from './file-names.ts'
import { completeDownloads, grantDownload, refundDownload } from './grants.ts'
import { serveLinks } from './link-page.ts'
import { makeLink, openLink } from './links.ts'
import { findMasters, type Master, masterName, tagMaster } from './masters.ts'
import { m3u8 } from './playlist-file.ts'
import { placeSegments, readPlacedSegments, sliceSegments } from './segments.ts'
import { isThere, limitSentence } from './versions.ts'
import { layOutZip, type ZipEntry, type ZipLayout } from './zip.ts'

type Contained = { download_id: number; song_version_id: number }
type Skipped = downloads.Bundle['skipped']

/**
 * Counts every version of a bundle and answers with the zip's signed address. A version whose limit is used up or whose
 * file is missing is left out and named; counts and the bundle's row are one transaction.
 * Refuses `nothing_to_download` when every version was left out.
 */
export async function makeBundle(
  world: World,
  member: Asker,
  title: string,
  versionIds: number[],
): Promise<downloads.Bundle> {
  const masters = await findMasters(world.sql, versionIds)
  const skipped: Skipped = []
  const present: Master[] = []
  for (const master of masters) {
    if (await isThere(world, master)) present.push(master)
    else skipped.push(skip(master, 'The file is missing on our side; nothing was counted.'))
  }
  await Promise.all(
    present.filter(isRecipe).map((master) => world.music?.finish(master.song_version_id, master.recipe)),
  )
  const { bundleId, madeAt, contained } = await countAll(world, member, title, present, skipped)
  const counted = contained.map((one) => one.song_version_id)
  const layout = await layOut(world, title, await findMasters(world.sql, counted), madeAt)
  const zip = `${safeName(title)}.zip`
  const url = makeLink(world, 'bundle', bundleId, member.session_id, zip)
  return { zip, url, bytes: layout.length, files: contained.length, skipped }
}

const isRecipe = (master: Master): boolean => master.sha256 === null
const skip = (master: Master, why: string) => ({
  song_version_id: master.song_version_id,
  title: `${master.artist} - ${master.title} (${master.version_label})`,
  why,
})

async function countAll(world: World, member: Asker, title: string, masters: Master[], skipped: Skipped) {
  const limit = world.config.downloadLimit
  return world.sql.begin(async (sql) => {
    const contained: Contained[] = []
    // In the order of the ids, so that two bundles at once wait for each other instead of dead-locking.
    for (const master of [...masters].sort((a, b) => a.song_version_id - b.song_version_id)) {
      const { song_version_id } = master
      const grant = await grantDownload(sql, { customer_id: member.customer_id, song_version_id, limit })
      if (grant) contained.push({ download_id: grant.download_id, song_version_id })
      else skipped.push(skip(master, limitSentence(master, limit)))
    }
    if (contained.length === 0)
      throw new Refusal('nothing_to_download', skipped[0]?.why ?? 'There is nothing here to download.')
    const order = new Map(masters.map((master, n) => [master.song_version_id, n]))
    contained.sort((a, b) => (order.get(a.song_version_id) ?? 0) - (order.get(b.song_version_id) ?? 0))
    return { ...(await noteBundle(sql, member.customer_id, title, contained)), contained }
  })
}

async function noteBundle(sql: Sql, customerId: number, title: string, contained: Contained[]) {
  const [bundle] = await sql<{ bundleId: number; madeAt: Date }[]>`
    insert into bundle (customer_id, zip_name, downloads) values (${customerId}, ${title}, ${sql.json(contained)})
    returning bundle_id as "bundleId", made_at as "madeAt"`
  if (!bundle) throw new Error('A bundle was noted, but the database gave no id.')
  return bundle
}

/** The zip of these masters and a playlist of them: every byte's place is known before one is read. */
async function layOut(world: World, title: string, masters: Master[], modified: Date): Promise<ZipLayout> {
  const entries: ZipEntry[] = []
  for (const master of masters) {
    if (master.sha256 === null)
      throw new Refusal('file_unavailable', `“${master.title}” is not ready yet. Try again in a moment.`)
    const { segments, length, crc32 } = await tagMaster(world, master)
    const path = world.storage.path('audio', master.sha256)
    entries.push({ name: masterName(master), modified, length, crc32, segments: placeSegments(path, segments) })
  }
  return layOutZip([...entries, m3u8(`${safeName(title)}.m3u8`, masters, entries, modified)])
}

/** GET /bundles/…: the zip of a bundle, whole or in part, the same bytes each time. */
export const serveBundles = (app: FastifyInstance, world: World): void =>
  serveLinks(app, 'bundles', (signed, request, reply) => sendBundle(world, signed, request, reply))

async function sendBundle(world: World, signed: string, request: FastifyRequest, reply: FastifyReply) {
  const { subject: bundleId, customer_id } = await openLink(world, 'bundle', signed)
  const [bundle] = await world.sql<{ zip_name: string; downloads: Contained[]; made_at: Date }[]>`
    select zip_name, downloads, made_at from bundle where bundle_id = ${bundleId} and customer_id = ${customer_id}`
  if (!bundle) throw new Refusal('link_expired', 'This bundle has been cleared away.')
  const masters = await findMasters(
    world.sql,
    bundle.downloads.map((one) => one.song_version_id),
  )
  await refuseLost(world, masters, bundle.downloads)
  const layout = await layOut(world, bundle.zip_name, masters, bundle.made_at)
  return sendBytes(request, reply, {
    length: layout.length,
    etag: layout.etag,
    type: 'application/zip',
    cacheControl: 'private, no-cache',
    disposition: contentDisposition(`${safeName(bundle.zip_name)}.zip`),
    read: (from, to) => readPlacedSegments(sliceSegments(layout.segments, from, to)),
    onSentToEnd: () => {
      noteSent(world, bundleId, bundle.downloads).catch((error) =>
        world.log.error(error, 'A completed bundle was not noted.'),
      )
    },
  })
}

/** A file that was lost since the bundle was made is given back; the rest can be asked for again without a count. */
async function refuseLost(world: World, masters: Master[], contained: Contained[]): Promise<void> {
  for (const master of masters) {
    if (await isThere(world, master)) continue
    const lost = contained.find((one) => one.song_version_id === master.song_version_id)
    if (lost) await refundDownload(world.sql, lost.download_id)
    throw new Refusal(
      'file_unavailable',
      `The file of “${master.title} (${master.version_label})” is missing on our side and was not counted. Ask for the zip again to get the others.`,
    )
  }
}

async function noteSent(world: World, bundleId: number, contained: Contained[]): Promise<void> {
  await world.sql`update bundle set completed_at = now() where bundle_id = ${bundleId} and completed_at is null`
  await completeDownloads(
    world.sql,
    contained.map((one) => one.download_id),
  )
}

/** All published versions of a song, and its name for the zip. Refuses `unknown_song`. */
export async function songContents(sql: Sql, entityId: number): Promise<{ title: string; versionIds: number[] }> {
  const rows = await sql<{ title: string; artist: string; song_version_id: number }[]>`
    select s.title, s.artist, v.song_version_id from song s join song_version v using (entity_id)
    where s.entity_id = ${entityId} and s.status = 'published' and v.status = 'published' order by v.position, v.song_version_id`
  const [first] = rows
  if (!first) throw new Refusal('unknown_song', 'There is no such song. It may have been withdrawn.')
  return { title: `${first.artist} - ${first.title}`, versionIds: rows.map((row) => row.song_version_id) }
}

/** The versions in a member's crate, of one genre or all. Refuses `crate_empty`. */
export async function crateContents(world: World, customerId: number, genreId: number | undefined) {
  const ofGenre = genreId
    ? world.sql`and exists (select 1 from song_genre g where g.entity_id = c.entity_id and g.genre_id = ${genreId})`
    : world.sql``
  const rows = await world.sql<{ song_version_id: number }[]>`
    select c.song_version_id from crate_item c join song_version v using (song_version_id)
    where c.customer_id = ${customerId} ${ofGenre} order by c.added_at desc, c.entity_id, v.position, c.song_version_id`
  if (rows.length === 0) throw new Refusal('crate_empty', 'There is nothing in your crate to download.')
  const stamp = createHash('sha1')
    .update(rows.map((row) => row.song_version_id).join())
    .digest('hex')
    .slice(0, 4)
  const day = world.now().toISOString().slice(0, 10)
  return { title: `${world.config.poolName} crate ${day} ${stamp}`, versionIds: rows.map((row) => row.song_version_id) }
}

/** Forgets bundles nobody can ask for any more. */
export async function sweepBundles(sql: Sql): Promise<void> {
  await sql`delete from bundle where made_at < now() - interval '3 days'`
}
