import type { downloads, ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, canDownloadAsStaff } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import { convertedVersion, type DownloadFormat } from './conversions.ts'
import { readGrant } from './grants.ts'
import { grantLink, type LinkOptions, makeLink, signLink } from './links.ts'
import {
  findPlanLimits,
  findTooEarly,
  grantWithinPlan,
  type PlanLimits,
  staffLimits,
  tooEarlyMessage,
  toPlanLimits,
} from './plan-limits.ts'
import { styleOf } from './profile-files.ts'
import {
  accessScopeOf,
  findProblem,
  findRequestedFile,
  findSourceFiles,
  isAvailable,
  type SourceFile,
  tagSourceFile,
} from './source-files.ts'

/**
 * Counts a download of one version and returns its signed URL. Throws `unknown_version`, `file_unavailable` (not
 * counted), `download_limit_reached`, `monthly_limit_reached`, `song_not_released` and the errors of
 * `convertedVersion`.
 */
export async function downloadVersion(
  ctx: AppContext,
  member: Caller,
  { version: versionId, format }: { version: number; format: DownloadFormat },
): Promise<ReplyOf<typeof downloads.downloadVersion>> {
  const { customer_id } = member
  const requested = await findRequestedFile(ctx.sql, versionId, {
    customer_id,
    accessScope: accessScopeOf(ctx, member),
  })
  if (!requested) throw unknownVersionError()
  const { sourceFile: original, features, profile } = requested
  await checkFileAvailable(ctx, original)
  const limits = canDownloadAsStaff(member) ? staffLimits(ctx.settings) : toPlanLimits(ctx.settings, features)
  await requireReleased(ctx, member, original, limits)
  // Before it is counted: a conversion that is not made yet costs nothing.
  const sourceFile = format === 'original' ? original : await convertedVersion(ctx, original, format)
  const { name: file_name, tags } = await styleOf(ctx, sourceFile, profile)
  const tagged = await tagSourceFile(ctx, sourceFile, tags)
  const link = { name: file_name, format: format === 'original' ? null : format, profile }
  const { used, url } = await recordDownload(ctx, member, { sourceFile, limits, link })
  return {
    version_code: sourceFile.version_code,
    file_name,
    uploaded_mp3_name: sourceFile.uploaded_name || file_name,
    url,
    bytes: tagged.length,
    used,
    limit: limits.limit,
  }
}

/** Throws `song_not_released` while only members of other plans can download the song. */
export async function requireReleased(
  ctx: AppContext,
  member: Pick<Caller, 'customer_id'>,
  sourceFile: SourceFile,
  limits: PlanLimits,
): Promise<void> {
  const early = await findTooEarly(ctx, member, [sourceFile], limits)
  if (early.size > 0) throw new ApiError('song_not_released', tooEarlyMessage(sourceFile, limits))
}

type DownloadToRecord = { sourceFile: SourceFile; limits: PlanLimits; link: Required<LinkOptions> }

/** Counts a download and returns its link. Those of staff are not counted, neither for the limit nor for charts and labels. */
async function recordDownload(
  ctx: AppContext,
  member: Caller,
  { sourceFile, limits, link }: DownloadToRecord,
): Promise<{ used: number; url: string }> {
  const { customer_id, session_id, staff_role } = member
  const { song_version_id } = sourceFile
  if (canDownloadAsStaff({ staff_role })) {
    ctx.log.info({ customer_id, staff_role, song_version_id }, 'Staff downloaded a version.')
    return { used: 0, url: await makeLink(ctx, { song_version_id }, member, link) }
  }
  const grant = await grantWithinPlan(ctx, { customer_id, song_version_id }, limits, (sql, params) =>
    grantLink(sql, params, link),
  )
  if (!grant) throw limitReachedError(sourceFile, limits.limit)
  const { used, link_id } = grant
  return { used, url: signLink(ctx, { kind: 'file', link_id, session_id, name: link.name }) }
}

/**
 * Returns the file of a version that is published or that this member can rescue; for staff, of any version. Throws
 * `unknown_version`.
 */
export async function findSourceFile(
  ctx: AppContext,
  member: Pick<Caller, 'customer_id' | 'staff_role'>,
  versionId: number,
): Promise<SourceFile> {
  const [sourceFile] = await findSourceFiles(ctx.sql, [versionId], accessScopeOf(ctx, member))
  if (!sourceFile) throw unknownVersionError()
  return sourceFile
}

const unknownVersionError = () => new ApiError('unknown_version', 'Version not found. It may have been unpublished.')

/** Throws `file_unavailable` when the version's file is missing or damaged. */
export async function checkFileAvailable(ctx: AppContext, sourceFile: SourceFile): Promise<void> {
  if (await isAvailable(ctx, sourceFile)) return
  const problem = await findProblem(ctx, sourceFile)
  throw new ApiError(
    'file_unavailable',
    `The file for “${sourceFile.title} (${sourceFile.version_label})” is ${problem} on our side. This download wasn’t counted.`,
  )
}

/** Returns whether downloading a version now would be counted again or use up its last download. Counts nothing. */
export async function checkDownload(
  ctx: AppContext,
  member: Caller,
  versionId: number,
): Promise<ReplyOf<typeof downloads.checkDownload>> {
  const { customer_id } = member
  const { title, version_label, song_version_id } = await findSourceFile(ctx, member, versionId)
  const { limit } = await findPlanLimits(ctx, member)
  const { used, is_free, opened_at } = await readGrant(ctx.sql, { customer_id, song_version_id, limit })
  const isCounted = !is_free && !canDownloadAsStaff(member)
  return {
    ...{ title, version_label, is_last: isCounted && used + 1 === limit },
    downloaded_at: isCounted && used > 0 && opened_at ? opened_at.toISOString() : null,
  }
}

type NamedVersion = Pick<SourceFile, 'title' | 'version_label'>

export const limitReachedError = (version: NamedVersion, limit: number): ApiError =>
  new ApiError('download_limit_reached', limitMessage(version, limit))

export const limitMessage = (sourceFile: NamedVersion, limit: number): string =>
  `You have no downloads left for “${sourceFile.title} (${sourceFile.version_label})”. You’ve used ${limit === 1 ? 'your one download' : limit === 2 ? 'both downloads' : `all ${limit} downloads`}.`
