import { support } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { FAQ_ANSWER_FIELD, listAllFaqs, orderFaqs, removeFaq, saveFaq } from '../helpdesk/faqs.ts'
import {
  changeTicket,
  checkTicketChange,
  getQueuedTicket,
  getTicketForStaff,
  listColleagues,
  listQueue,
} from '../helpdesk/queue.ts'
import { addStaffReply, checkReply, getReply } from '../helpdesk/replies.ts'
import { rejectBlankHtml } from '../helpdesk/rich-text-input.ts'
import {
  checkSavedReply,
  fillSavedReply,
  listSavedReplies,
  removeSavedReply,
  saveSavedReply,
} from '../helpdesk/saved-replies.ts'
import { type Caller, on } from '../membership/caller.ts'
import type { Call } from '../platform/serve.ts'
import { recordAudit } from './audit.ts'

/** The help desk for staff; each action is recorded in the audit log. */
export const supportRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql } = ctx
  return [
    on(support.getQueue, async ({ input, member }) => listQueue(sql, member.customer_id, input)),
    on(support.getTicket, async ({ input, member }) => getTicketForStaff(ctx, member, input)),
    on(
      support.answerTicket,
      async ({ input, member, request }) => {
        const { ticket_number } = input
        const staff_id = member.customer_id
        const replyId = await sql.begin(async (sql) => {
          const replyId = await addStaffReply(ctx, sql, { ...input, staff_id })
          const action = input.close ? 'ticket replied to and closed' : 'ticket replied to'
          await recordAudit(sql, { staff_id, action, subject: `ticket ${ticket_number}`, ip: request.ip })
          return replyId
        })
        const [reply, ticket] = await Promise.all([getReply(ctx, member, replyId), getQueuedTicket(sql, ticket_number)])
        return { reply, ticket }
      },
      { alsoCheck: (fields, member) => checkReply(sql, member, fields) },
    ),
    on(
      support.changeTicket,
      async ({ input, member, request }) => {
        const { ticket_number, ...after } = input
        await sql.begin(async (sql) => {
          await changeTicket(sql, input)
          await recordAudit(sql, {
            staff_id: member.customer_id,
            action: 'ticket updated',
            subject: `ticket ${ticket_number}`,
            after,
            ip: request.ip,
          })
        })
        return { ticket: await getQueuedTicket(sql, ticket_number) }
      },
      { alsoCheck: (fields) => checkTicketChange(sql, fields) },
    ),
    on(support.getColleagues, async () => ({ colleagues: await listColleagues(sql) })),
    on(support.getFaqs, async () => ({ faqs: await listAllFaqs(sql) })),
    on(
      support.saveFaq,
      async ({ input, member, request }) => ({
        faq: await sql.begin(async (sql) => {
          const faq = await saveFaq(sql, input)
          const action = input.faq_id ? 'FAQ updated' : 'FAQ created'
          await recordAudit(sql, { staff_id: member.customer_id, action, subject: `faq ${faq.faq_id}`, ip: request.ip })
          return faq
        }),
      }),
      { alsoCheck: ({ answer }) => rejectBlankHtml(answer, FAQ_ANSWER_FIELD) },
    ),
    on(support.removeFaq, async ({ input, member, request }) => {
      const subject = `faq ${input.faq_id}`
      await sql.begin(async (sql) => {
        await removeFaq(sql, input.faq_id)
        await recordAudit(sql, {
          staff_id: member.customer_id,
          action: 'FAQ deleted',
          subject,
          ip: request.ip,
        })
      })
      return {}
    }),
    on(support.orderFaqs, async ({ input, member, request }) => {
      await sql.begin(async (sql) => {
        await orderFaqs(sql, input.faq_ids)
        const auditEntry = { action: 'FAQs reordered', subject: 'faqs', ip: request.ip }
        await recordAudit(sql, { staff_id: member.customer_id, ...auditEntry })
      })
      return {}
    }),
    on(support.getSavedReplies, async () => ({ answers: await listSavedReplies(sql) })),
    on(
      support.saveSavedReply,
      async ({ input, member, request }) => ({
        answer: await sql.begin(async (sql) => {
          const staff_id = member.customer_id
          const { answer, before } = await saveSavedReply(sql, { ...input, staff_id })
          const subject = `saved reply ${answer.saved_reply_id}`
          const after = { title: answer.title, answer: answer.answer }
          const action = before ? 'saved reply updated' : 'saved reply created'
          await recordAudit(sql, { staff_id, action, subject, ...(before ? { before } : {}), after, ip: request.ip })
          return answer
        }),
      }),
      { alsoCheck: (fields) => checkSavedReply(sql, fields) },
    ),
    on(support.removeSavedReply, async ({ input, member, request }) => {
      const subject = `saved reply ${input.saved_reply_id}`
      await sql.begin(async (sql) => {
        const before = await removeSavedReply(sql, input.saved_reply_id)
        const auditEntry = { action: 'saved reply deleted', subject, before, ip: request.ip }
        await recordAudit(sql, { staff_id: member.customer_id, ...auditEntry })
      })
      return {}
    }),
    on(support.fillSavedReply, async ({ input, member }) => ({
      html: await fillSavedReply(ctx, { ...input, staff_name: member.dj_name }),
    })),
  ]
}
