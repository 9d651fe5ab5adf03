import { type ParsedInputOf, type ReplyOf, review } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on } from '../membership/caller.ts'
import type { Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import { type Call, toApiError } from '../platform/serve.ts'
import { publishUpload, rejectUpload } from '../uploads/publishing.ts'
import { checkEdit, editUpload, getUpload, listUploads } from '../uploads/review.ts'
import type { DecisionBatch } from '../uploads/upload-notifications.ts'
import { recordAudit } from './audit.ts'

/** Review of members' uploads; each action is recorded in the audit log. */
export const uploadReviewRoutes = (ctx: AppContext): Call<Caller>[] => [
  on(review.getUploads, async ({ input, member }) => listUploads(ctx, member, input)),
  on(review.getUpload, async ({ input, member }) => getUpload(ctx, member, input.entity_id)),
  on(review.decideUploads, async ({ input, member, request }) =>
    decide(ctx, input, { staff_id: member.customer_id, ip: request.ip }),
  ),
  on(
    review.editUpload,
    async ({ input, member, request }) => {
      await ctx.sql.begin(async (sql) => {
        await editUpload(ctx, sql, { ...input, staff_id: member.customer_id })
        await recordUploadAction(
          sql,
          { staff_id: member.customer_id, ip: request.ip },
          'upload edited',
          input.entity_id,
        )
      })
      return getUpload(ctx, member, input.entity_id)
    },
    { alsoCheck: (fields) => checkEdit(ctx, fields) },
  ),
]

type StaffActor = { staff_id: number; ip: string }

const recordUploadAction = (sql: Sql, who: StaffActor, action: string, entityId: number) =>
  recordAudit(sql, { ...who, action, subject: `upload ${entityId}` })

/** Each song is decided separately: one that cannot be published, for any reason, does not affect the others. */
async function decide(
  ctx: AppContext,
  { songs, decision, reason }: ParsedInputOf<typeof review.decideUploads>,
  who: StaffActor,
): Promise<ReplyOf<typeof review.decideUploads>> {
  const reply: ReplyOf<typeof review.decideUploads> = { done: [], left: [] }
  const decidedTogether: DecisionBatch = new Map()
  for (const song of songs) {
    const made = { ...song, staff_id: who.staff_id, atOnce: decidedTogether }
    try {
      await withDeadlockRetry(ctx.sql, async (sql) => {
        if (decision === 'publish') await publishUpload(ctx, sql, made)
        else await rejectUpload(ctx, sql, { ...made, reason })
        await recordUploadAction(
          sql,
          who,
          decision === 'publish' ? 'upload published' : 'upload declined',
          song.entity_id,
        )
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
