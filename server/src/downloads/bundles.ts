import { createHash } from 'node:crypto'
import type { downloads } from '@dubplate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentDisposition, safeName } from '../catalogue/file-names.ts'
import type { Asker } from '../membership/asker.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { sendBytes } from '../platform/send-bytes.ts'
import type { World } from '../world.ts'
import { completeDownloads, grantDownload, refundDownload } from './grants.ts'
import { serveLinks } from './link-page.ts'
import { makeLink, openLink, refuseFetched } from './links.ts'
import { type Covers, findMasters, findThere, type Master, masterName, tagMaster } from './masters.ts'
import { m3u8 } from './playlist-file.ts'
import { placeSegments, readSegments, sliceSegments } from './segments.ts'
import { limitSentence } from './versions.ts'
import { layOutZip, type ZipEntry, type ZipLayout } from './zip.ts'

type Contained = { download_id: number; song_version_id: number }
type Skipped = downloads.Bundle['skipped']

/** Each file's tags, with a cover of about 60 kB, are in memory as long as the transfer lasts. */
export const FILES_A_ZIP = 400

/**
 * Counts every version of a bundle and answers with the zip's signed address. A version that is withdrawn, whose limit is
 * used up, whose file is missing or that is one too many is left out and named; counts and the bundle's row are one
 * transaction. Refuses `nothing_to_download` when every version was left out.
 */
export async function makeBundle(
  world: World,
  member: Asker,
  title: string,
  versionIds: number[],
): Promise<downloads.Bundle> {
  const masters = await findMasters(world.sql, versionIds)
  const skipped: Skipped = await findWithdrawn(world.sql, versionIds, masters)
  const found = await findThere(world, masters)
  const there = masters.filter((master) => found.has(master))
  for (const master of masters) {
    if (!found.has(master)) skipped.push(skip(master, 'The file is missing on our side; nothing was counted.'))
  }
  const present = await firstOf(world.sql, member.customer_id, there, FILES_A_ZIP)
  for (const master of there) if (!present.includes(master)) skipped.push(skip(master, TOO_MANY))
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
const TOO_MANY = `A zip holds ${FILES_A_ZIP} files; ask again for the rest once this one is fetched.`

type Named = Pick<Master, 'song_version_id' | 'artist' | 'title' | 'version_label'>
const skip = ({ song_version_id, artist, title, version_label }: Named, why: string) => ({
  song_version_id,
  title: `${artist} - ${title} (${version_label})`,
  why,
})

/** What was asked for and is not published any more. */
async function findWithdrawn(sql: Sql, versionIds: number[], masters: Master[]): Promise<Skipped> {
  const found = new Set(masters.map((master) => master.song_version_id))
  const gone = versionIds.filter((versionId) => !found.has(versionId))
  if (gone.length === 0) return []
  const rows = await sql<Named[]>`
    select song_version_id, artist, title, version_label from song_version join song using (entity_id)
    where song_version_id = any(${gone}::bigint[]) order by song_version_id`
  return rows.map((row) => skip(row, 'It is not in the pool any more.'))
}

/**
 * The first of these masters, in their order. Where they are more than a zip holds, those the member has fetched already
 * come last: asking again then gives the rest, and not the same ones once more.
 */
export async function firstOf(sql: Sql, customerId: number, masters: Master[], most: number): Promise<Master[]> {
  if (masters.length <= most) return masters
  const rows = await sql<{ song_version_id: number }[]>`
    select song_version_id from download_grant
    where customer_id = ${customerId} and used > 0 and open_download_id is null`
  const fetched = new Set(rows.map((row) => row.song_version_id))
  const isNew = (master: Master) => !fetched.has(master.song_version_id)
  const chosen = new Set([...masters.filter(isNew), ...masters.filter((master) => !isNew(master))].slice(0, most))
  return masters.filter((master) => chosen.has(master))
}

async function countAll(world: World, member: Asker, title: string, masters: Master[], skipped: Skipped) {
  const limit = world.settings.downloadLimit
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
  const covers: Covers = new Map()
  for (const master of masters) {
    if (master.sha256 === null)
      throw new Refusal('file_unavailable', `“${master.title}” is not ready yet. Try again in a moment.`)
    const { segments, length, crc32 } = await tagMaster(world, master, covers)
    const placed = placeSegments(master.sha256, segments)
    entries.push({ name: masterName(master), modified, length, crc32, segments: placed })
  }
  return layOutZip([...entries, m3u8(`${safeName(title)}.m3u8`, masters, entries, modified)])
}

/** GET /bundles/…: the zip of a bundle, whole or in part, the same bytes each time. */
export const serveBundles = (app: FastifyInstance, world: World): void =>
  serveLinks(app, 'bundles', (signed, request, reply) => sendBundle(world, signed, request, reply))

async function sendBundle(world: World, signed: string, request: FastifyRequest, reply: FastifyReply) {
  const { subject: bundleId, customer_id } = await openLink(world, 'bundle', signed)
  const [bundle] = await world.sql<Bundle[]>`
    select zip_name, downloads, made_at, completed_at from bundle
    where bundle_id = ${bundleId} and customer_id = ${customer_id}`
  if (!bundle) throw new Refusal('link_expired', 'This bundle has been cleared away.')
  refuseFetched(world, bundle.completed_at)
  const { masters, delivered } = await findDelivered(world.sql, bundle.downloads)
  await refuseLost(world, masters, delivered)
  const layout = await layOut(world, bundle.zip_name, masters, bundle.made_at)
  return sendBytes(request, reply, {
    length: layout.length,
    etag: layout.etag,
    type: 'application/zip',
    cacheControl: 'private, no-cache',
    disposition: contentDisposition(`${safeName(bundle.zip_name)}.zip`),
    read: (from, to) => readSegments(world.storage, sliceSegments(layout.segments, from, to)),
    onSentToEnd: () => {
      noteSent(world, bundleId, delivered).catch((error) => world.log.error(error, 'A completed bundle was not noted.'))
    },
  })
}

type Bundle = { zip_name: string; downloads: Contained[]; made_at: Date; completed_at: Date | null }

/** What of a bundle is still owed and still in the pool: neither given back nor withdrawn since it was made. */
async function findDelivered(sql: Sql, contained: Contained[]) {
  const rows = await sql<Contained[]>`
    select download_id, song_version_id from download
    where download_id = any(${contained.map((one) => one.download_id)}::bigint[]) and refunded_at is null`
  const owed = new Set(rows.map((row) => row.song_version_id))
  const versionIds = contained.map((one) => one.song_version_id).filter((versionId) => owed.has(versionId))
  const masters = await findMasters(sql, versionIds)
  if (masters.length === 0) throw new Refusal('file_unavailable', 'Nothing of this zip is in the pool any more.')
  const present = new Set(masters.map((master) => master.song_version_id))
  return { masters, delivered: rows.filter((row) => present.has(row.song_version_id)) }
}

/** A file that was lost since the bundle was made is given back; the rest can be asked for again without a count. */
async function refuseLost(world: World, masters: Master[], contained: Contained[]): Promise<void> {
  const found = await findThere(world, masters)
  const missing = masters.find((master) => !found.has(master))
  if (!missing) return
  const lost = contained.find((one) => one.song_version_id === missing.song_version_id)
  if (lost) await refundDownload(world.sql, lost.download_id)
  throw new Refusal(
    'file_unavailable',
    `The file of “${missing.title} (${missing.version_label})” is missing on our side and was not counted. Ask for the zip again to get the others.`,
  )
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
    where c.customer_id = ${customerId} ${ofGenre} order by c.added_at desc, c.entity_id desc, v.position, c.song_version_id`
  if (rows.length === 0) throw new Refusal('crate_empty', 'There is nothing in your crate to download.')
  const stamp = createHash('sha1')
    .update(rows.map((row) => row.song_version_id).join())
    .digest('hex')
    .slice(0, 4)
  const day = world.now().toISOString().slice(0, 10)
  return {
    title: `${world.settings.poolName} crate ${day} ${stamp}`,
    versionIds: rows.map((row) => row.song_version_id),
  }
}

/** Forgets bundles nobody can ask for any more. */
export async function sweepBundles(sql: Sql): Promise<void> {
  await sql`delete from bundle where made_at < now() - interval '3 days'`
}
