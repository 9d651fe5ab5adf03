import type { downloads } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, canDownloadAsStaff } from '../membership/caller.ts'
import type { Sql } from '../platform/db.ts'
import type { DownloadFormat } from './conversions.ts'
import { isFree } from './grants.ts'
import type { Kit } from './kit-layout.ts'
import { findPlanLimits, findTooEarly, type PlanLimits, tooEarlyMessage } from './plan-limits.ts'
import { type AccessScope, findAvailable, findProblem, findSourceFiles, type SourceFile } from './source-files.ts'
import { limitMessage } from './versions.ts'

/** Which versions a zip has, and why it leaves out the others. */

export type SkippedSongs = downloads.Bundle['skipped']

/** The tags of each file, with a cover of about 60 kB, are in memory during the transfer. */
export const MAX_FILES_PER_ZIP = 400

/** The versions of a zip. A zip that continues earlier ones is a later part of them. */
export type BundleContents = {
  title: string
  versionIds: number[]
  part?: number
  parts?: number
  /** `original` by default; versions that are not offered in another one are originals. */
  format?: DownloadFormat
  /** How its files are named and tagged, for all parts; by default as the member's default profile says. */
  kit?: Kit
}

/** Selects the versions of this zip and the following ones that can be downloaded now. */
export async function selectVersions(ctx: AppContext, member: Caller, { versionIds, part = 1 }: BundleContents) {
  const limits = await findPlanLimits(ctx, member)
  const sourceFiles = await findSourceFiles(ctx.sql, versionIds, zipScope(member))
  const skipped: SkippedSongs = await findUnpublished(ctx.sql, versionIds, sourceFiles)
  const available = await findAvailable(ctx, sourceFiles)
  for (const sourceFile of sourceFiles) {
    if (available.has(sourceFile)) continue
    skipped.push(
      toSkipped(
        sourceFile,
        `The file is ${await findProblem(ctx, sourceFile)} on our side. This download wasn’t counted.`,
      ),
    )
  }
  const selected = await selectForZips(ctx, member, {
    sourceFiles: sourceFiles.filter((sourceFile) => available.has(sourceFile)),
    isContinued: part > 1,
    skipped,
    limits,
  })
  return { selected, skipped, limits }
}

const NOT_DOWNLOADED_REASON = 'You haven’t downloaded this version yet.'

/**
 * Selects the versions that this member has downloaded before, also of songs that have since been unpublished. Staff, whose
 * downloads are not recorded, get all of them.
 */
export async function selectOwned(sql: Sql, member: Caller, versionIds: number[]) {
  const sourceFiles = await findSourceFiles(sql, versionIds, 'all')
  if (canDownloadAsStaff(member)) return { owned: sourceFiles, skipped: [] }
  const rows = await sql<{ song_version_id: number }[]>`${ownedVersions(sql, member.customer_id, versionIds)}`
  const ownedIds = new Set(rows.map(({ song_version_id }) => song_version_id))
  const isOwned = ({ song_version_id }: SourceFile) => ownedIds.has(song_version_id)
  return {
    owned: sourceFiles.filter(isOwned),
    skipped: sourceFiles.filter((file) => !isOwned(file)).map((file) => toSkipped(file, NOT_DOWNLOADED_REASON)),
  }
}

/** Of these versions, those that the member has downloaded. */
const ownedVersions = (sql: Sql, customerId: number, versionIds: readonly number[]) => sql`
  select distinct song_version_id from download
  where customer_id = ${customerId} and song_version_id = any(${[...versionIds]}::bigint[]) and refunded_at is null`

export async function countOwned(
  sql: Sql,
  member: Pick<Caller, 'customer_id' | 'staff_role'>,
  versionIds: readonly number[],
): Promise<number> {
  if (canDownloadAsStaff(member)) return versionIds.length
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from (${ownedVersions(sql, member.customer_id, versionIds)}) owned`
  return row?.n ?? 0
}

/** Which songs a member can have in a zip. */
export const zipScope = (member: Pick<Caller, 'staff_role'>): AccessScope =>
  canDownloadAsStaff(member) ? 'all' : 'published'

const ALREADY_DOWNLOADED_REASON =
  'You’ve downloaded it before, so it isn’t in these zips. Download it again from the song’s page.'

type NamedVersion = Pick<SourceFile, 'song_version_id' | 'artist' | 'title' | 'version_label'>
export const toSkipped = ({ song_version_id, artist, title, version_label }: NamedVersion, reason: string) => ({
  song_version_id,
  title: `${artist} - ${title} (${version_label})`,
  why: reason,
})

/** Returns the requested versions that are no longer published. */
async function findUnpublished(sql: Sql, versionIds: number[], sourceFiles: SourceFile[]): Promise<SkippedSongs> {
  const found = new Set(sourceFiles.map((sourceFile) => sourceFile.song_version_id))
  const missingIds = versionIds.filter((versionId) => !found.has(versionId))
  if (missingIds.length === 0) return []
  const rows = await sql<NamedVersion[]>`
    select song_version_id, artist, title, version_label from song_version join song using (entity_id)
    where song_version_id = any(${missingIds}::bigint[]) order by song_version_id`
  return rows.map((row) => toSkipped(row, 'This song is no longer available.'))
}

type ZipSelection = {
  sourceFiles: SourceFile[]
  isContinued: boolean
  /** What is left out is added to it. */
  skipped: SkippedSongs
  limits: PlanLimits
}

/**
 * Selects the versions for this zip and the following ones, in order. Versions whose download limit is used up are left
 * out. If the rest does not fit into one zip, versions the member has downloaded more often than others are left out
 * too, so that a repeated request without `continue_from` delivers new versions and counts nothing twice.
 */
async function selectForZips(
  ctx: AppContext,
  member: Caller,
  { sourceFiles: available, isContinued, skipped, limits }: ZipSelection,
): Promise<SourceFile[]> {
  if (canDownloadAsStaff(member)) return available
  const { limit } = limits
  const early = await findTooEarly(ctx, member, available, limits)
  for (const sourceFile of available)
    if (early.has(sourceFile.song_version_id)) skipped.push(toSkipped(sourceFile, tooEarlyMessage(sourceFile, limits)))
  const sourceFiles = available.filter(({ song_version_id }) => !early.has(song_version_id))
  const completed = await completedDownloads(
    ctx.sql,
    member.customer_id,
    sourceFiles.map((sourceFile) => sourceFile.song_version_id),
  )
  const downloadCountOf = (sourceFile: SourceFile) => completed.get(sourceFile.song_version_id) ?? 0
  const allowed = sourceFiles.filter((sourceFile) => downloadCountOf(sourceFile) < limit)
  for (const sourceFile of sourceFiles)
    if (downloadCountOf(sourceFile) >= limit) skipped.push(toSkipped(sourceFile, limitMessage(sourceFile, limit)))
  if (isContinued || allowed.length <= MAX_FILES_PER_ZIP) return allowed
  const fewestDownloads = allowed.reduce((least, sourceFile) => Math.min(least, downloadCountOf(sourceFile)), limit)
  for (const sourceFile of allowed)
    if (downloadCountOf(sourceFile) > fewestDownloads) skipped.push(toSkipped(sourceFile, ALREADY_DOWNLOADED_REASON))
  return allowed.filter((sourceFile) => downloadCountOf(sourceFile) === fewestDownloads)
}

/** Returns how many downloads of each version are used, without one that would be delivered again uncounted. */
async function completedDownloads(sql: Sql, customerId: number, versionIds: number[]): Promise<Map<number, number>> {
  const rows = await sql<{ song_version_id: number; n: number }[]>`
    select song_version_id, used - case when ${isFree(sql)} then 1 else 0 end as n
    from download_grant g join song_version v using (song_version_id) join song s on s.entity_id = v.entity_id
    where customer_id = ${customerId} and song_version_id = any(${versionIds}::bigint[]) and used > 0`
  return new Map(rows.map((row) => [row.song_version_id, row.n]))
}
