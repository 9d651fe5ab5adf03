import { type ParsedInputOf, type ReplyOf, review } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import type { Sql } from '../platform/db.ts'
import { type Call, refusalFor } from '../platform/serve.ts'
import { untangled } from '../platform/untangled.ts'
import { publishUpload, refuseUpload } from '../uploads/publishing.ts'
import { checkEdit, editUpload, listUploads, readUpload } from '../uploads/review.ts'
import type { AtOnce } from '../uploads/upload-notices.ts'
import type { World } from '../world.ts'
import { recordDeed } from './audit.ts'

/** What staff do with members' songs, each deed written down. */
export const uploadReviewRoutes = (world: World): Call<Asker>[] => [
  on(review.getUploads, async ({ input, member }) => listUploads(world, member, input)),
  on(review.getUpload, async ({ input, member }) => readUpload(world, member, input.entity_id)),
  on(review.decideUploads, async ({ input, member, request }) =>
    decide(world, input, { staff_id: member.customer_id, ip: request.ip }),
  ),
  on(
    review.editUpload,
    async ({ input, member, request }) => {
      await world.sql.begin(async (sql) => {
        await editUpload(world, sql, { ...input, staff_id: member.customer_id })
        await record(sql, { staff_id: member.customer_id, ip: request.ip }, 'upload edited', input.entity_id)
      })
      return readUpload(world, member, input.entity_id)
    },
    { alsoCheck: (given) => checkEdit(world, given) },
  ),
]

type Who = { staff_id: number; ip: string }

const record = (sql: Sql, who: Who, action: string, entityId: number) =>
  recordDeed(sql, { ...who, action, subject: `upload ${entityId}` })

/** Each song by itself: one that cannot be published, whatever the fault, does not keep the others back. */
async function decide(
  world: World,
  { songs, decision, reason }: ParsedInputOf<typeof review.decideUploads>,
  who: Who,
): Promise<ReplyOf<typeof review.decideUploads>> {
  const reply: ReplyOf<typeof review.decideUploads> = { done: [], left: [] }
  const atOnce: AtOnce = new Map()
  for (const song of songs) {
    const made = { ...song, staff_id: who.staff_id, atOnce }
    try {
      await untangled(world.sql, async (sql) => {
        if (decision === 'publish') await publishUpload(world, sql, made)
        else await refuseUpload(world, sql, { ...made, reason })
        await record(sql, who, decision === 'publish' ? 'upload published' : 'upload declined', song.entity_id)
      })
      reply.done.push(song.entity_id)
    } catch (error) {
      for (const songs of atOnce.values()) songs.delete(song.entity_id)
      const { code, message } = refusalFor(error, world.log)
      reply.left.push({ entity_id: song.entity_id, code, message })
    }
  }
  return reply
}
