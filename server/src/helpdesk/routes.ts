import { helpdesk } from '@dubplate/contract'
import { on, type Route } from '../membership/caller.ts'
import { listFaqs } from './faqs.ts'
import { listSignedFiles, receiveAttachments } from './files.ts'
import { checkReply, getReply, replyToTicket } from './replies.ts'
import { readTicket } from './ticket-page.ts'
import {
  checkTicket,
  findTicket,
  listDepartments,
  listPriorities,
  listTickets,
  setStatus,
  submitTicket,
  toTicket,
} from './tickets.ts'

export const helpdeskRoutes: Route[] = [
  on(helpdesk.getFaqs, async ({ sql }) => ({ faqs: await listFaqs(sql) })),
  on(helpdesk.getPriorities, async ({ sql }) => ({ priorities: await listPriorities(sql) })),
  on(helpdesk.getDepartments, async ({ sql }) => ({ departments: await listDepartments(sql) })),
  on(
    helpdesk.submitTicket,
    async ({ input, member, ctx }) => ({ ticket_number: await submitTicket(ctx, member, input) }),
    {
      alsoCheck: ({ HelpdeskTickets }, { member, sql }) => checkTicket(sql, member, HelpdeskTickets),
    },
  ),
  on(helpdesk.getRecentTickets, async ({ input, member, sql }) =>
    listTickets(sql, member.customer_id, { ...input, status: 'all' }),
  ),
  on(helpdesk.getTickets, async ({ input, member, sql }) => listTickets(sql, member.customer_id, input)),
  on(helpdesk.getTicket, async ({ input, member, ctx }) => readTicket(ctx, member, input)),
  on(
    helpdesk.uploadAttachments,
    async ({ member, request, ctx, sql }) => {
      const ids = await receiveAttachments(ctx, member.customer_id, request)
      const files = await listSignedFiles(ctx, member, sql`ticket_file_id = any(${ids}::bigint[])`)
      return {
        UploadAttachmentsForm: { name: { attachments: ids.map(String) } },
        attachments: files.map(({ reply_id: _, ...file }) => file),
      }
    },
    { perMinute: 60 },
  ),
  on(
    helpdesk.replyToTicket,
    async ({ input, member, ctx, sql }) => {
      const replyId = await replyToTicket(ctx, member, input)
      const { ticket_number } = input
      const [reply, row] = await Promise.all([
        getReply(ctx, member, replyId),
        findTicket(sql, ticket_number, member.customer_id),
      ])
      const { customer_id: _, details: __, author: ___, closed_at: ____, ...ticket } = row
      return { reply, ticket: toTicket(ticket) }
    },
    { alsoCheck: (fields, { member, sql }) => checkReply(sql, member, fields) },
  ),
  on(helpdesk.closeTicket, async ({ input, member, sql }) => ({
    status: await setStatus(sql, input.ticket_number, 'close', member.customer_id),
  })),
  on(helpdesk.reopenTicket, async ({ input, member, sql }) => ({
    status: await setStatus(sql, input.ticket_number, 'open', member.customer_id),
  })),
]
