import { createHash } from 'node:crypto'
import type { downloads } from '@dubplate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordReadFailure } from '../audio/originals.ts'
import { contentDisposition, safeName } from '../catalogue/file-names.ts'
import { type Asker, downloadsAsStaff } from '../membership/asker.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { sendBytes } from '../platform/send-bytes.ts'
import type { World } from '../world.ts'
import { completeDownloads, grantDownload, isCorrected, isUnderWay, refundDownload } from './grants.ts'
import { serveLinks } from './link-page.ts'
import { makeLink, openLink, refuseFetched, refuseOutdated } from './links.ts'
import {
  type Covers,
  findAvailable,
  findMasters,
  type Master,
  masterName,
  originalOf,
  type Reach,
  tagMaster,
  troubleWith,
} from './masters.ts'
import { m3u8 } from './playlist-file.ts'
import { OriginalReadError, placeSegments, readSegments, sliceSegments } from './segments.ts'
import { inheritSentBytes, meterTransfer } from './transfers.ts'
import { limitSentence } from './versions.ts'
import { layOutZip, type ZipEntry, type ZipLayout } from './zip.ts'

/** `download_id` is null in a zip of staff: nothing of it is counted. */
type Contained = { download_id: number | null; song_version_id: number }
type Skipped = downloads.Bundle['skipped']

/** Each file's tags, with a cover of about 60 kB, are in memory as long as the transfer lasts. */
export const FILES_A_ZIP = 400

/** What a zip is made of. A zip that continues others is a later part of them. */
export type Contents = { title: string; versionIds: number[]; part?: number; parts?: number }

/**
 * Counts every version of a bundle and answers with the zip's signed address. A version that is withdrawn, whose limit is
 * used up or whose file is missing or damaged is left out and named; what does not fit is left for the zip after it.
 * Counts and the bundle's row are one transaction. Refuses `nothing_to_download` when every version was left out.
 */
export async function makeBundle(world: World, member: Asker, contents: Contents): Promise<downloads.Bundle> {
  const { versionIds, part = 1 } = contents
  const masters = await findMasters(world.sql, versionIds, zipReach(member))
  const skipped: Skipped = await findWithdrawn(world.sql, versionIds, masters)
  const available = await findAvailable(world, masters)
  for (const master of masters) {
    if (available.has(master)) continue
    skipped.push(
      skip(master, `The file is ${await troubleWith(world, master)} on our side. This download wasn’t counted.`),
    )
  }
  const wanted = await chooseForZips(world, member, {
    masters: masters.filter((master) => available.has(master)),
    isContinued: part > 1,
    skipped,
  })
  const present = wanted.slice(0, FILES_A_ZIP)
  const remaining = wanted.slice(FILES_A_ZIP).map((master) => master.song_version_id)
  const parts = Math.max(contents.parts ?? 1, part - 1 + Math.ceil(wanted.length / FILES_A_ZIP))
  await Promise.all(
    present.filter(isRecipe).map((master) => world.music?.finish(master.song_version_id, master.recipe)),
  )
  const title = parts > 1 ? `${contents.title} (${part} of ${parts})` : contents.title
  const bundle = await countAll(world, member, present, { title, skipped, part, parts, remaining })
  const counted = bundle.downloads.map((one) => one.song_version_id)
  const layout = await layOut(world, bundle, await findMasters(world.sql, counted, zipReach(member)))
  const zip = `${safeName(title)}.zip`
  const url = await makeLink(world, { bundle_id: bundle.bundle_id }, member, zip)
  return {
    ...{ zip, url, bytes: layout.length, files: counted.length, skipped, part, parts },
    continue_from: remaining.length > 0 ? bundle.bundle_id : null,
  }
}

/** What was left for the zips after this one. Refuses `unknown_bundle`. */
export async function remainingContents(sql: Sql, customerId: number, bundleId: number): Promise<Contents> {
  const [bundle] = await sql<{ zip_name: string; part: number; parts: number; remaining: number[] }[]>`
    select zip_name, part, parts, remaining from bundle
    where bundle_id = ${bundleId} and customer_id = ${customerId} and remaining <> '{}'`
  if (!bundle) throw new Refusal('unknown_bundle', 'There is no zip left to continue. Download the crate again.')
  const { zip_name, part, parts, remaining } = bundle
  return {
    title: zip_name.replace(` (${part} of ${parts})`, ''),
    versionIds: remaining.map(Number),
    part: part + 1,
    parts,
  }
}

const zipReach = (member: Pick<Asker, 'staff_role'>): Reach => (downloadsAsStaff(member) ? 'all' : 'published')

const isRecipe = (master: Master): boolean => master.sha256 === null
const DOWNLOADED =
  'You have downloaded it before, so it is not in these zips. Download it from its song to get it again.'

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
  return rows.map((row) => skip(row, 'This song is no longer available.'))
}

/**
 * What of these goes into a zip and those after it, in their order. Versions whose limit is used up are left out. Where the
 * rest does not fit into one zip, so are those the member has downloaded more often than others: whoever asks again
 * without `continue_from` gets what is new, and nothing is counted twice.
 */
async function chooseForZips(
  world: World,
  member: Asker,
  { masters, isContinued, skipped }: { masters: Master[]; isContinued: boolean; skipped: Skipped },
): Promise<Master[]> {
  if (downloadsAsStaff(member)) return masters
  const limit = world.settings.downloadLimit
  const completed = await completedDownloads(
    world.sql,
    member.customer_id,
    masters.map((master) => master.song_version_id),
  )
  const timesOf = (master: Master) => completed.get(master.song_version_id) ?? 0
  const allowed = masters.filter((master) => timesOf(master) < limit)
  for (const master of masters) if (timesOf(master) >= limit) skipped.push(skip(master, limitSentence(master, limit)))
  if (isContinued || allowed.length <= FILES_A_ZIP) return allowed
  const fewest = allowed.reduce((least, master) => Math.min(least, timesOf(master)), limit)
  for (const master of allowed) if (timesOf(master) > fewest) skipped.push(skip(master, DOWNLOADED))
  return allowed.filter((master) => timesOf(master) === fewest)
}

/** How many downloads of each version are used and would not be handed out again without being counted. */
async function completedDownloads(sql: Sql, customerId: number, versionIds: number[]): Promise<Map<number, number>> {
  const rows = await sql<{ song_version_id: number; n: number }[]>`
    select song_version_id, used - case when ${isUnderWay(sql)} or ${isCorrected(sql)} then 1 else 0 end as n
    from download_grant g join song_version v using (song_version_id) join song s on s.entity_id = v.entity_id
    where customer_id = ${customerId} and song_version_id = any(${versionIds}::bigint[]) and used > 0`
  return new Map(rows.map((row) => [row.song_version_id, row.n]))
}

type NewBundle = { title: string; skipped: Skipped; part: number; parts: number; remaining: number[] }

async function countAll(world: World, member: Asker, masters: Master[], bundle: NewBundle): Promise<Bundle> {
  const { customer_id } = member
  const limit = world.settings.downloadLimit
  const isCounted = !downloadsAsStaff(member)
  return world.sql.begin(async (sql) => {
    const contained: Contained[] = []
    // In the order of the ids, so that two bundles at once wait for each other instead of dead-locking.
    for (const master of [...masters].sort((a, b) => a.song_version_id - b.song_version_id)) {
      const { song_version_id } = master
      const grant = isCounted
        ? await grantDownload(sql, { customer_id, song_version_id, limit })
        : { download_id: null }
      if (grant) contained.push({ download_id: grant.download_id, song_version_id })
      else bundle.skipped.push(skip(master, limitSentence(master, limit)))
    }
    if (contained.length === 0)
      throw new Refusal('nothing_to_download', bundle.skipped[0]?.why ?? 'Nothing to download.')
    const order = new Map(masters.map((master, n) => [master.song_version_id, n]))
    contained.sort((a, b) => (order.get(a.song_version_id) ?? 0) - (order.get(b.song_version_id) ?? 0))
    return (await findSameBundle(sql, customer_id, bundle, contained)) ?? addBundle(sql, customer_id, bundle, contained)
  })
}

type Bundle = {
  bundle_id: number
  zip_name: string
  downloads: Contained[]
  skipped: Skipped
  made_at: Date
  completed_at: Date | null
}

const COLUMNS = ['bundle_id', 'zip_name', 'downloads', 'skipped', 'made_at', 'completed_at'] as const

/** The same zip, if it was asked for before and has not been fetched: it has the same bytes, and what was sent counts on. */
async function findSameBundle(
  sql: Sql,
  customerId: number,
  { title, skipped }: NewBundle,
  contained: Contained[],
): Promise<Bundle | undefined> {
  const [bundle] = await sql<Bundle[]>`
    select ${sql(COLUMNS)} from bundle
    where customer_id = ${customerId} and completed_at is null and zip_name = ${title}
      and downloads = ${sql.json(contained)} and skipped = ${sql.json(skipped)} order by bundle_id desc limit 1`
  return bundle
}

async function addBundle(
  sql: Sql,
  customerId: number,
  { title, skipped, part, parts, remaining }: NewBundle,
  contained: Contained[],
): Promise<Bundle> {
  const [bundle] = await sql<Bundle[]>`
    insert into bundle (customer_id, zip_name, downloads, skipped, part, parts, remaining)
    values (${customerId}, ${title}, ${sql.json(contained)}, ${sql.json(skipped)}, ${part}, ${parts}, ${remaining}::bigint[])
    returning ${sql(COLUMNS)}`
  if (!bundle) throw new Error('Bundle insert returned no row')
  await inheritSentBytes(sql, { ...bundle, customer_id: customerId })
  return bundle
}

/** The zip of these masters and a playlist of them: every byte's place is known before one is read. */
async function layOut(
  world: World,
  { zip_name, made_at, skipped }: Pick<Bundle, 'zip_name' | 'made_at' | 'skipped'>,
  masters: Master[],
): Promise<ZipLayout> {
  const entries: ZipEntry[] = []
  const covers: Covers = new Map()
  for (const master of masters) {
    if (master.sha256 === null)
      throw new Refusal('file_unavailable', `“${master.title}” is still being prepared. Try again in a moment.`)
    const { segments, length, crc32 } = await tagMaster(world, master, covers)
    const placed = placeSegments(master.sha256, segments)
    entries.push({ name: masterName(master), modified: made_at, length, crc32, segments: placed })
  }
  return layOutZip([...entries, m3u8(`${safeName(zip_name)}.m3u8`, masters, entries, { modified: made_at, skipped })])
}

/** GET /bundles/…: the zip of a bundle, whole or in part, the same bytes each time. */
export const serveBundles = (app: FastifyInstance, world: World): void =>
  serveLinks(app, 'bundles', (signed, request, reply) => sendBundle(world, signed, request, reply))

async function sendBundle(world: World, signed: string, request: FastifyRequest, reply: FastifyReply) {
  const link = await openLink(world, 'bundle', signed, request)
  const [bundle] = await world.sql<Bundle[]>`
    select ${world.sql(COLUMNS)} from bundle where bundle_id = ${link.bundle_id} and customer_id = ${link.customer_id}`
  if (!bundle) throw new Refusal('link_expired', 'This zip has expired. Request it again.')
  refuseFetched(world, bundle.completed_at)
  const { masters, delivered } = await findDelivered(world.sql, bundle.downloads)
  await refuseLost(world, masters, delivered)
  const layout = await layOut(world, bundle, masters)
  refuseOutdated(link, layout.etag)
  const meter = meterTransfer(world, link, request, layout)
  const refundUnreadable = (error: unknown) => refundUnreadableOf(world, error, { masters, delivered })
  try {
    return await sendBytes(request, reply, {
      length: layout.length,
      etag: layout.etag,
      type: 'application/zip',
      cacheControl: 'private, no-cache',
      disposition: contentDisposition(`${safeName(bundle.zip_name)}.zip`),
      read: (from, to) => meter.count(from, to, readSegments(world.storage, sliceSegments(layout.segments, from, to))),
      onEnd: (end) => {
        endTransfer().catch((error) => world.log.error(error, 'The end of a zip’s download could not be recorded.'))
        async function endTransfer() {
          const isWhole = await meter.settle(end)
          if (end.isFinished && isWhole) await noteSent(world, bundle!.bundle_id, delivered)
          await refundUnreadable(end.readError)
        }
      },
    })
  } catch (error) {
    const unreadable = await refundUnreadable(error)
    if (unreadable) throw await lost(world, unreadable)
    throw error instanceof OriginalReadError ? error.cause : error
  }
}

/** What of a bundle is still owed and still in the pool: neither given back nor withdrawn since it was made. */
async function findDelivered(sql: Sql, contained: Contained[]) {
  const ids = contained.flatMap((one) => one.download_id ?? [])
  const rows = await sql<{ download_id: number }[]>`
    select download_id from download where download_id = any(${ids}::bigint[]) and refunded_at is null`
  const owed = new Set(rows.map((row) => row.download_id))
  const isOwed = ({ download_id }: Contained) => download_id === null || owed.has(download_id)
  const versionIds = contained.filter(isOwed).map((one) => one.song_version_id)
  const ofStaff = contained.every((one) => one.download_id === null)
  const masters = await findMasters(sql, versionIds, ofStaff ? 'all' : 'published')
  if (masters.length === 0) throw new Refusal('file_unavailable', 'None of the songs in this zip are still available.')
  const present = new Set(masters.map((master) => master.song_version_id))
  return { masters, delivered: contained.filter((one) => isOwed(one) && present.has(one.song_version_id)) }
}

/** A file that was lost or damaged since the bundle was made is refunded; the rest can be asked for again without a count. */
async function refuseLost(world: World, masters: Master[], contained: Contained[]): Promise<void> {
  const available = await findAvailable(world, masters)
  const missing = masters.find((master) => !available.has(master))
  if (!missing) return
  await refundContained(world, missing, contained)
  throw await lost(world, missing)
}

const lost = async (world: World, master: Master) =>
  new Refusal(
    'file_unavailable',
    `The file of “${master.title} (${master.version_label})” is ${await troubleWith(world, master)} on our side and was not counted. Ask for the zip again to get the others.`,
  )

async function refundContained(world: World, { song_version_id }: Master, contained: Contained[]): Promise<void> {
  const download_id = contained.find((one) => one.song_version_id === song_version_id)?.download_id
  if (download_id) await refundDownload(world.sql, download_id)
}

/** Refunds the version whose file broke while it was sent, and answers with it. */
async function refundUnreadableOf(
  world: World,
  error: unknown,
  { masters, delivered }: { masters: Master[]; delivered: Contained[] },
): Promise<Master | undefined> {
  if (!(error instanceof OriginalReadError)) return undefined
  const master = masters.find(({ sha256 }) => sha256 === error.sha256)
  const original = master && originalOf(master)
  if (!original || !(await recordReadFailure(world, original, error.cause))) return undefined
  await refundContained(world, master, delivered)
  return master
}

async function noteSent(world: World, bundleId: number, contained: Contained[]): Promise<void> {
  await world.sql`update bundle set completed_at = now() where bundle_id = ${bundleId} and completed_at is null`
  await completeDownloads(
    world.sql,
    contained.flatMap((one) => one.download_id ?? []),
  )
}

/** All published versions of a song (for staff, all of them) and its name for the zip. Refuses `unknown_song`. */
export async function songContents(sql: Sql, entityId: number, member: Pick<Asker, 'staff_role'>): Promise<Contents> {
  const isPublished = downloadsAsStaff(member) ? sql`true` : sql`s.status = 'published' and v.status = 'published'`
  const rows = await sql<{ title: string; artist: string; song_version_id: number }[]>`
    select s.title, s.artist, v.song_version_id from song s join song_version v using (entity_id)
    where s.entity_id = ${entityId} and ${isPublished} order by v.position, v.song_version_id`
  const [first] = rows
  if (!first) throw new Refusal('unknown_song', 'Song not found. It may have been unpublished.')
  return { title: `${first.artist} - ${first.title}`, versionIds: rows.map((row) => row.song_version_id) }
}

/** The versions in a member's crate, of one genre or all. Refuses `crate_empty`. */
export async function crateContents(world: World, customerId: number, genreId: number | undefined): Promise<Contents> {
  const ofGenre = genreId
    ? world.sql`and exists (select 1 from song_genre g where g.entity_id = c.entity_id and g.genre_id = ${genreId})`
    : world.sql``
  const rows = await world.sql<{ song_version_id: number }[]>`
    select c.song_version_id from crate_item c join song_version v using (song_version_id)
    where c.customer_id = ${customerId} ${ofGenre} order by c.added_at desc, c.entity_id desc, v.position, c.song_version_id`
  if (rows.length === 0) throw new Refusal('crate_empty', 'Your crate is empty.')
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
