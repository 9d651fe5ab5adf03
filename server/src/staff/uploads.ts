import { type ParsedInputOf, type ReplyOf, review } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { Route } from '../membership/caller.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import { toApiError } from '../platform/error-replies.ts'
import { publishUpload, rejectUpload } from '../uploads/publishing.ts'
import { checkEdit, editUpload, getUpload, listUploads } from '../uploads/review.ts'
import type { DecisionBatch } from '../uploads/upload-notifications.ts'
import { type RecordEntry, staffRead, staffWrite, staffWriteInSteps } from './audit.ts'

const subject = ({ entity_id }: { entity_id: number }) => `upload ${entity_id}`

/** Review of members' uploads; each action is recorded in the audit log. */
export const uploadReviewRoutes: Route[] = [
  staffRead(review.getUploads, async ({ input, member, ctx }) => listUploads(ctx, member, input)),
  staffRead(review.getUpload, async ({ input, member, ctx }) => getUpload(ctx, member, input.entity_id)),
  staffWriteInSteps(review.decideUploads, async ({ input, staff_id, record, ctx }) =>
    decide(ctx, input, staff_id, record),
  ),
  staffWrite(
    review.editUpload,
    { action: 'upload edited', subject },
    async ({ input, member, staff_id, sql, ctx }) => {
      await editUpload(ctx, sql, { ...input, staff_id })
      return { reply: () => getUpload(ctx, member, input.entity_id) }
    },
    { alsoCheck: (fields, { ctx }) => checkEdit(ctx, fields) },
  ),
]

/** Each song is decided separately: one that cannot be published, for any reason, does not affect the others. */
async function decide(
  ctx: AppContext,
  { songs, decision, reason }: ParsedInputOf<typeof review.decideUploads>,
  staff_id: number,
  record: RecordEntry,
): Promise<ReplyOf<typeof review.decideUploads>> {
  const reply: ReplyOf<typeof review.decideUploads> = { done: [], left: [] }
  const decidedTogether: DecisionBatch = new Map()
  const action = decision === 'publish' ? 'upload published' : 'upload declined'
  for (const song of songs) {
    const upload = { ...song, staff_id, atOnce: decidedTogether }
    try {
      await withDeadlockRetry(ctx.sql, async (sql) => {
        if (decision === 'publish') await publishUpload(ctx, sql, upload)
        else await rejectUpload(ctx, sql, { ...upload, reason })
        await record(sql, { action, subject: subject(song) })
      })
      reply.done.push(song.entity_id)
    } catch (error) {
      for (const songs of decidedTogether.values()) songs.delete(song.entity_id)
      const { code, message } = toApiError(error, ctx.log)
      reply.left.push({ entity_id: song.entity_id, code, message })
    }
  }
  return reply
}
