import { support } from '@dubplate/contract'
import { FAQ_ANSWER, listAllFaqs, orderFaqs, removeFaq, saveFaq } from '../helpdesk/faqs.ts'
import {
  changeTicket,
  checkTicketChange,
  listColleagues,
  listQueue,
  readForStaff,
  readQueued,
} from '../helpdesk/queue.ts'
import { addStaffReply, checkReply, showReply } from '../helpdesk/replies.ts'
import {
  checkSavedAnswer,
  fillSavedAnswer,
  listSavedAnswers,
  removeSavedAnswer,
  saveSavedAnswer,
} from '../helpdesk/saved-answers.ts'
import { refuseWordless } from '../helpdesk/writing.ts'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { recordDeed } from './audit.ts'

/** What staff do at the help desk, each deed written down. */
export const supportRoutes = (world: World): Call<Asker>[] => {
  const { sql } = world
  return [
    on(support.getQueue, async ({ input, member }) => listQueue(sql, member.customer_id, input)),
    on(support.getTicket, async ({ input, member }) => readForStaff(world, member, input)),
    on(
      support.answerTicket,
      async ({ input, member, request }) => {
        const { ticket_number } = input
        const staff_id = member.customer_id
        const replyId = await sql.begin(async (sql) => {
          const replyId = await addStaffReply(world, sql, { ...input, staff_id })
          const action = input.close ? 'ticket replied to and closed' : 'ticket replied to'
          await recordDeed(sql, { staff_id, action, subject: `ticket ${ticket_number}`, ip: request.ip })
          return replyId
        })
        const [reply, ticket] = await Promise.all([showReply(world, member, replyId), readQueued(sql, ticket_number)])
        return { reply, ticket }
      },
      { alsoCheck: (given, member) => checkReply(sql, member, given) },
    ),
    on(
      support.changeTicket,
      async ({ input, member, request }) => {
        const { ticket_number, ...after } = input
        await sql.begin(async (sql) => {
          await changeTicket(sql, input)
          await recordDeed(sql, {
            staff_id: member.customer_id,
            action: 'ticket updated',
            subject: `ticket ${ticket_number}`,
            after,
            ip: request.ip,
          })
        })
        return { ticket: await readQueued(sql, ticket_number) }
      },
      { alsoCheck: (given) => checkTicketChange(sql, given) },
    ),
    on(support.getColleagues, async () => ({ colleagues: await listColleagues(sql) })),
    on(support.getFaqs, async () => ({ faqs: await listAllFaqs(sql) })),
    on(
      support.saveFaq,
      async ({ input, member, request }) => ({
        faq: await sql.begin(async (sql) => {
          const faq = await saveFaq(sql, input)
          const action = input.faq_id ? 'help article updated' : 'help article created'
          await recordDeed(sql, { staff_id: member.customer_id, action, subject: `faq ${faq.faq_id}`, ip: request.ip })
          return faq
        }),
      }),
      { alsoCheck: ({ answer }) => refuseWordless(answer, FAQ_ANSWER) },
    ),
    on(support.removeFaq, async ({ input, member, request }) => {
      const subject = `faq ${input.faq_id}`
      await sql.begin(async (sql) => {
        await removeFaq(sql, input.faq_id)
        await recordDeed(sql, { staff_id: member.customer_id, action: 'help article deleted', subject, ip: request.ip })
      })
      return {}
    }),
    on(support.orderFaqs, async ({ input, member, request }) => {
      await sql.begin(async (sql) => {
        await orderFaqs(sql, input.faq_ids)
        const deed = { action: 'help articles reordered', subject: 'faqs', ip: request.ip }
        await recordDeed(sql, { staff_id: member.customer_id, ...deed })
      })
      return {}
    }),
    on(support.getSavedAnswers, async () => ({ answers: await listSavedAnswers(sql) })),
    on(
      support.saveSavedAnswer,
      async ({ input, member, request }) => ({
        answer: await sql.begin(async (sql) => {
          const staff_id = member.customer_id
          const { answer, before } = await saveSavedAnswer(sql, { ...input, staff_id })
          const subject = `saved reply ${answer.saved_answer_id}`
          const after = { title: answer.title, answer: answer.answer }
          const action = before ? 'saved reply updated' : 'saved reply created'
          await recordDeed(sql, { staff_id, action, subject, ...(before ? { before } : {}), after, ip: request.ip })
          return answer
        }),
      }),
      { alsoCheck: (given) => checkSavedAnswer(sql, given) },
    ),
    on(support.removeSavedAnswer, async ({ input, member, request }) => {
      const subject = `saved reply ${input.saved_answer_id}`
      await sql.begin(async (sql) => {
        const before = await removeSavedAnswer(sql, input.saved_answer_id)
        const deed = { action: 'saved reply deleted', subject, before, ip: request.ip }
        await recordDeed(sql, { staff_id: member.customer_id, ...deed })
      })
      return {}
    }),
    on(support.fillSavedAnswer, async ({ input, member }) => ({
      html: await fillSavedAnswer(world, { ...input, staff_name: member.dj_name }),
    })),
  ]
}
