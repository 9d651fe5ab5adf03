import type { downloads, ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { findDefaultProfile } from '../booth/profiles.ts'
import { type Caller, canDownloadAsStaff } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import { convertedVersion, type DownloadFormat } from './conversions.ts'
import { readGrant } from './grants.ts'
import { type LinkTarget, makeLink } from './links.ts'
import { findPlanLimits, findTooEarly, grantWithinPlan, type PlanLimits, tooEarlyMessage } from './plan-limits.ts'
import { styleOf } from './profile-files.ts'
import {
  accessScopeOf,
  findProblem,
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
  const original = await findSourceFile(ctx, member, versionId)
  await checkFileAvailable(ctx, original)
  const limits = await findPlanLimits(ctx, member)
  await requireReleased(ctx, member, original, limits)
  // Before it is counted: a conversion that is not made yet costs nothing.
  const sourceFile = format === 'original' ? original : await convertedVersion(ctx, original, format)
  const { used, target } = await recordDownload(ctx, member, sourceFile, limits)
  const profile = await findDefaultProfile(ctx.sql, member.customer_id)
  const { name: file_name, tags } = await styleOf(ctx, sourceFile, profile)
  const tagged = await tagSourceFile(ctx, sourceFile, tags)
  return {
    version_code: sourceFile.version_code,
    file_name,
    uploaded_mp3_name: sourceFile.uploaded_name || file_name,
    url: await makeLink(ctx, target, member, {
      name: file_name,
      format: format === 'original' ? null : format,
      profile,
    }),
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

/** Staff downloads are not counted, neither for the limit nor for charts and labels. */
async function recordDownload(
  ctx: AppContext,
  { customer_id, staff_role }: Caller,
  sourceFile: SourceFile,
  limits: PlanLimits,
): Promise<{ used: number; target: LinkTarget }> {
  const { song_version_id } = sourceFile
  if (canDownloadAsStaff({ staff_role })) {
    ctx.log.info({ customer_id, staff_role, song_version_id }, 'Staff downloaded a version.')
    return { used: 0, target: { song_version_id } }
  }
  const grant = await grantWithinPlan(ctx, { customer_id, song_version_id }, limits)
  if (!grant) throw limitReachedError(sourceFile, limits.limit)
  return { used: grant.used, target: { download_id: grant.download_id } }
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
  if (!sourceFile) throw new ApiError('unknown_version', 'Version not found. It may have been unpublished.')
  return sourceFile
}

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
