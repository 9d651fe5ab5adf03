import type { AppContext } from '../app-context.ts'
import { isPrepared, prepareConversions, withConversions } from '../downloads/conversions.ts'
import { grantDownload } from '../downloads/grants.ts'
import {
  findPlanLimits,
  findTooEarly,
  grantInTransaction,
  type PlanLimits,
  tooEarlyMessage,
} from '../downloads/plan-limits.ts'
import { styleOf } from '../downloads/profile-files.ts'
import {
  accessScopeOf,
  findProblem,
  findSourceFiles,
  isAvailable,
  MEDIA_TYPES,
  type SourceFile,
  tagSourceFile,
} from '../downloads/source-files.ts'
import type { TaggedFile } from '../downloads/tagged-file.ts'
import { limitMessage } from '../downloads/versions.ts'
import { type Caller, canDownloadAsStaff, requireDownloadAccess } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { UploadTarget } from './provider.ts'
import type { QueuedFile } from './queue.ts'

/** What has to be true before a file is sent: the same as before a download. */

/** The file cannot be sent; the message is for the member. */
export class UnsendableError extends Error {}

/** The file cannot be sent yet. */
export class NotReadyError extends Error {
  readonly seconds: number

  constructor(message: string, seconds: number) {
    super(message)
    this.seconds = seconds
  }
}

type Member = Pick<Caller, 'customer_id' | 'group_id' | 'payment_profile_status' | 'staff_role'>

export type PreparedFile = {
  member: Member
  limits: PlanLimits
  sourceFile: SourceFile
  tagged: TaggedFile
  target: UploadTarget
}

/** Throws UnsendableError and NotReadyError. */
export async function prepareFile(ctx: AppContext, customerId: number, file: QueuedFile): Promise<PreparedFile> {
  const member = await findDownloader(ctx.sql, customerId)
  const [original] = await findSourceFiles(ctx.sql, [file.song_version_id], accessScopeOf(ctx, member))
  if (!original) throw new UnsendableError('This song is no longer available.')
  if (!(await isAvailable(ctx, original)))
    throw new UnsendableError(
      `The file is ${await findProblem(ctx, original)} on our side. This download wasn’t counted.`,
    )
  const limits = await findPlanLimits(ctx, member)
  const early = await findTooEarly(ctx, member, [original], limits)
  if (early.size > 0) throw new UnsendableError(tooEarlyMessage(original, limits))
  const sourceFile = await convertFile(ctx, original, file)
  const { path, tags } = await styleOf(ctx, sourceFile, file.profile)
  const tagged = await tagSourceFile(ctx, sourceFile, tags)
  const target = { path: path.normalize('NFC'), bytes: tagged.length, type: MEDIA_TYPES[sourceFile.format] }
  return { member, limits, sourceFile, tagged, target }
}

/** Throws UnsendableError if the member cannot download now. */
async function findDownloader(sql: Sql, customerId: number): Promise<Member> {
  const [member] = await sql<(Member & { status: string })[]>`
    select customer_id, group_id, payment_profile_status, staff_role, status from customer
    where customer_id = ${customerId}`
  if (member?.status !== 'active') throw new UnsendableError('This account can’t download at the moment.')
  try {
    requireDownloadAccess(member)
  } catch (error) {
    throw toUnsendable(error)
  }
  return member
}

const CONVERSION_DELAY_SECONDS = 3

/** The format of the profile, as in a zip: a file that is not offered in it, or cannot be converted, stays as it is. */
async function convertFile(ctx: AppContext, original: SourceFile, { profile }: QueuedFile): Promise<SourceFile> {
  const format = profile?.format ?? 'original'
  if (format === 'original') return original
  if (!isPrepared(await prepareConversions(ctx, [original], { format, is_bulk: true })))
    throw new NotReadyError('This file is being converted.', CONVERSION_DELAY_SECONDS)
  const [converted = original] = await withConversions(ctx, [original], format)
  return converted
}

const toUnsendable = (error: unknown): unknown =>
  error instanceof ApiError ? new UnsendableError(error.message) : error

/**
 * Counts the download, in one transaction with the file’s row, and returns its id; null for staff, whose downloads are not
 * counted. A download that the member has already begun in the browser is shared, and not refunded if sending fails.
 * Throws UnsendableError when a limit is reached.
 */
export async function countDownload(
  ctx: AppContext,
  { delivery_file_id, download_id }: QueuedFile,
  { member, limits, sourceFile }: PreparedFile,
): Promise<number | null> {
  if (canDownloadAsStaff(member)) return null
  if (download_id !== null) return download_id
  const { song_version_id } = sourceFile
  try {
    return await ctx.sql.begin(async (sql) => {
      const version = { customer_id: member.customer_id, song_version_id }
      const grant = await grantInTransaction(sql, version, limits, grantDownload)
      if (!grant) throw new UnsendableError(limitMessage(sourceFile, limits.limit))
      await sql`
        update cloud_delivery_file f set download_id = d.download_id, can_refund = d.at = now()
        from download d where d.download_id = ${grant.download_id} and f.delivery_file_id = ${delivery_file_id}`
      return grant.download_id
    })
  } catch (error) {
    throw toUnsendable(error)
  }
}
