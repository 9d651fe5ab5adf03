import { support } from '@dubplate/contract'
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
import { on, type Route } from '../membership/caller.ts'
import { staffRead, staffWrite } from './audit.ts'

const ticketSubject = ({ ticket_number }: { ticket_number: number }) => `ticket ${ticket_number}`

const ticketRoutes: Route[] = [
  staffRead(support.getQueue, async ({ input, member, sql }) => listQueue(sql, member.customer_id, input)),
  staffRead(support.getTicket, async ({ input, member, ctx }) => getTicketForStaff(ctx, member, input)),
  staffWrite(
    support.answerTicket,
    { action: ({ close }) => (close ? 'ticket replied to and closed' : 'ticket replied to'), subject: ticketSubject },
    async ({ input, member, staff_id, sql, ctx }) => {
      const replyId = await addStaffReply(ctx, sql, { ...input, staff_id })
      const ticket = await getQueuedTicket(sql, input.ticket_number)
      return { reply: async () => ({ reply: await getReply(ctx, member, replyId), ticket }) }
    },
    { alsoCheck: (fields, { member, sql }) => checkReply(sql, member, fields) },
  ),
  staffWrite(
    support.changeTicket,
    { action: 'ticket updated', subject: ticketSubject },
    async ({ input, sql }) => {
      const { ticket_number, ...after } = input
      await changeTicket(sql, input)
      return { reply: { ticket: await getQueuedTicket(sql, ticket_number) }, after }
    },
    { alsoCheck: (fields, { sql }) => checkTicketChange(sql, fields) },
  ),
  staffRead(support.getColleagues, async ({ sql }) => ({ colleagues: await listColleagues(sql) })),
]

const faqSubject = ({ faq_id }: { faq_id: number }) => `faq ${faq_id}`

const faqRoutes: Route[] = [
  staffRead(support.getFaqs, async ({ sql }) => ({ faqs: await listAllFaqs(sql) })),
  staffWrite(
    support.saveFaq,
    { action: ({ faq_id }) => (faq_id ? 'FAQ updated' : 'FAQ created') },
    async ({ input, sql }) => {
      const faq = await saveFaq(sql, input)
      return { reply: { faq }, subject: faqSubject(faq) }
    },
    { alsoCheck: ({ answer }) => rejectBlankHtml(answer, FAQ_ANSWER_FIELD) },
  ),
  staffWrite(support.removeFaq, { action: 'FAQ deleted', subject: faqSubject }, async ({ input, sql }) => {
    await removeFaq(sql, input.faq_id)
    return { reply: {} }
  }),
  staffWrite(support.orderFaqs, { action: 'FAQs reordered', subject: 'faqs' }, async ({ input, sql }) => {
    await orderFaqs(sql, input.faq_ids)
    return { reply: {} }
  }),
]

const savedReplySubject = ({ saved_reply_id }: { saved_reply_id: number }) => `saved reply ${saved_reply_id}`

const savedReplyRoutes: Route[] = [
  staffRead(support.getSavedReplies, async ({ sql }) => ({ answers: await listSavedReplies(sql) })),
  staffWrite(
    support.saveSavedReply,
    { action: ({ saved_reply_id }) => (saved_reply_id ? 'saved reply updated' : 'saved reply created') },
    async ({ input, staff_id, sql }) => {
      const { answer, before } = await saveSavedReply(sql, { ...input, staff_id })
      const after = { title: answer.title, answer: answer.answer }
      return { reply: { answer }, subject: savedReplySubject(answer), before, after }
    },
    { alsoCheck: (fields, { sql }) => checkSavedReply(sql, fields) },
  ),
  staffWrite(
    support.removeSavedReply,
    { action: 'saved reply deleted', subject: savedReplySubject },
    async ({ input, sql }) => ({
      reply: {},
      before: await removeSavedReply(sql, input.saved_reply_id),
    }),
  ),
  on(
    support.fillSavedReply,
    async ({ input, member, ctx }) => ({ html: await fillSavedReply(ctx, { ...input, staff_name: member.dj_name }) }),
    { audit: { unrecorded: 'counts only how often the saved reply was used; the reply it goes into is recorded' } },
  ),
]

/** The help desk for staff; each action is recorded in the audit log. */
export const supportRoutes: Route[] = [...ticketRoutes, ...faqRoutes, ...savedReplyRoutes]
