import * as z from 'zod/mini'
import { endpoint, id, integerBetween, nothing, page, pagination } from './endpoint.ts'

export const TICKETS_PER_PAGE = 10
export const REPLIES_PER_PAGE = 10
export const RECENT_TICKETS = 5
/** The help desk replies within this many hours. */
export const ANSWER_HOURS = 24
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024
export const MAX_ATTACHMENTS = 8
/** Length of the HTML as it is sent, before sanitising. */
export const MAX_TEXT_LENGTH = 50_000

export const TICKET_STATUSES = ['all', 'open', 'close'] as const

const namedOption = z.object({ id: z.number(), name: z.string() })
export type NamedItem = z.output<typeof namedOption>

const summary = z.object({ total: z.number(), open: z.number(), close: z.number() })
export type TicketSummary = z.output<typeof summary>

export const ticket = z.object({
  ticket_number: z.number(),
  subject: z.string(),
  status: z.enum(['open', 'close']),
  modified_at: z.string(),
  created_at: z.string(),
  department: z.string(),
  priority: z.string(),
  /** Replies from staff that the customer has not seen. */
  unread: z.number(),
  /** Who has to reply next: `staff` or `customer`. */
  awaiting_reply_from: z.enum(['staff', 'customer']),
})
export type Ticket = z.output<typeof ticket>

export const attachment = z.object({
  ticket_file_id: z.number(),
  /** A signed URL, valid for this session and one hour. */
  file_path: z.string(),
  filename: z.string(),
  bytes: z.number(),
  /** Media type, detected from the content: `image/png`. */
  type: z.string(),
  /** True if it is shown as a picture; all other files are downloaded. */
  is_image: z.boolean(),
})
export type Attachment = z.output<typeof attachment>

export const reply = z.object({
  id: z.number(),
  /** 0 if the customer wrote it, otherwise the id of the staff member. */
  admin_id: z.number(),
  /** DJ name of the author. */
  author: z.string(),
  /** Sanitised HTML. */
  details: z.string(),
  /** Sanitised HTML: what an email quoted from earlier ones; '' if nothing. */
  quoted: z.string(),
  via: z.enum(['page', 'mail']),
  created_at: z.string(),
  attachments: z.array(attachment),
})
export type Reply = z.output<typeof reply>

/** Newest last; the ticket's own text comes before the first page. */
export const ticketDetails = z.extend(ticket, {
  /** Sanitised HTML. */
  details: z.string(),
  author: z.string(),
  attachments: z.array(attachment),
  closed_at: z.nullable(z.string()),
})
export type TicketDetails = z.output<typeof ticketDetails>

const faq = z.object({ faq_id: z.number(), question: z.string(), answer: z.string() })
export type Faq = z.output<typeof faq>

export const getFaqs = endpoint({
  path: 'common/get-faqs.json',
  access: 'public',
  shared: true,
  summary: 'List the FAQs with their answers (HTML), in order.',
  input: nothing,
  reply: z.object({ faqs: z.array(faq) }),
})

export const getPriorities = endpoint({
  path: 'helpdesk/helpdesk-priorities.json',
  access: 'customer',
  summary: 'List ticket priorities.',
  input: nothing,
  reply: z.object({ priorities: z.array(namedOption) }),
})

export const getDepartments = endpoint({
  path: 'helpdesk/helpdesk-departments.json',
  access: 'customer',
  summary: 'List help desk departments.',
  input: nothing,
  reply: z.object({ departments: z.array(namedOption) }),
})

const ticketNumber = id('ticket_number')

/** Names of files uploaded before, as upload-attachments.json returned them. */
const attachments = z._default(
  z
    .array(z.string().check(z.maxLength(40)))
    .check(z.maxLength(MAX_ATTACHMENTS, `Attach up to ${MAX_ATTACHMENTS} files.`)),
  [],
)

const requiredChoice = (message: string) => integerBetween(1, 2_147_483_647, message)

export const submitTicket = endpoint({
  path: 'helpdesk/submit-ticket.json',
  access: 'customer',
  summary: 'Create a ticket. An IP address in the request is ignored; the server detects it.',
  input: z.object({
    HelpdeskTickets: z.object({
      department_id: requiredChoice('Please select the department'),
      priority_id: requiredChoice('Please select the priority'),
      subject: z
        .string('Subject cannot be blank!')
        .check(z.trim(), z.minLength(1, 'Subject cannot be blank!'), z.maxLength(200, 'Use at most 200 characters.')),
      /** HTML or plain text; tags that are not allowed are removed. */
      details: z
        .string('Description cannot be blank!')
        .check(
          z.trim(),
          z.minLength(1, 'Description cannot be blank!'),
          z.maxLength(MAX_TEXT_LENGTH, 'The description is too long. Attach it as a file.'),
        ),
      ip: z.optional(z.unknown()),
      attachments,
    }),
  }),
  reply: z.object({ ticket_number: z.number() }),
  errors: ['unknown_department', 'unknown_priority', 'unknown_attachment'],
})

export const getRecentTickets = endpoint({
  path: 'helpdesk/get-recent-tickets.json',
  access: 'customer',
  summary: 'List the most recently updated tickets with ticket counts.',
  input: z.object({
    page,
    pageLimit: z._default(integerBetween(1, 50, 'pageLimit must be between 1 and 50.'), RECENT_TICKETS),
  }),
  reply: z.object({ tickets: z.array(ticket), summary, pagination }),
})

export const getTickets = endpoint({
  path: 'helpdesk/tickets.json',
  access: 'customer',
  summary: 'List the member’s tickets by status, most recently updated first.',
  input: z.object({
    page,
    pageLimit: z._default(integerBetween(1, 50, 'pageLimit must be between 1 and 50.'), TICKETS_PER_PAGE),
    status: z._default(z.enum(TICKET_STATUSES), 'all'),
  }),
  reply: z.object({ tickets: z.array(ticket), summary, pagination }),
})

export const getTicket = endpoint({
  path: 'helpdesk/get-ticket.json',
  access: 'customer',
  summary:
    'Get a ticket with one page of replies, oldest first. Page 0 is the last page. Marks the returned replies as read.',
  input: z.object({
    ticket_number: ticketNumber,
    page: z._default(integerBetween(0, 1_000_000, 'page must be 0 or a positive integer.'), 1),
    pageLimit: z._default(integerBetween(1, 50, 'pageLimit must be between 1 and 50.'), REPLIES_PER_PAGE),
  }),
  reply: z.object({
    ticket: ticketDetails,
    replies: z.array(reply),
    pagination,
    /** URL of server-sent `ticket` events, sent whenever the ticket changes; signed, valid for ten minutes. */
    watch_url: z.string(),
  }),
  errors: ['unknown_ticket'],
})

export const uploadAttachments = endpoint({
  path: 'helpdesk/upload-attachments.json',
  access: 'customer',
  body: 'multipart',
  summary: `Upload attachments for a ticket or reply being written: fields UploadAttachmentsForm[attachments][i], 10 MB each, up to ${MAX_ATTACHMENTS} files.`,
  input: nothing,
  reply: z.object({
    UploadAttachmentsForm: z.object({ name: z.object({ attachments: z.array(z.string()) }) }),
    /** The same files in a form that can be shown. */
    attachments: z.array(attachment),
  }),
  errors: ['file_required', 'too_large', 'too_many_files', 'empty_file', 'insufficient_storage'],
})

export const replyToTicket = endpoint({
  path: 'helpdesk/reply.json',
  access: 'customer',
  summary: 'Add a reply. Reopens a closed ticket.',
  input: z.object({
    ticket_number: ticketNumber,
    details: z
      .string('Message cannot be blank!')
      .check(
        z.trim(),
        z.minLength(1, 'Message cannot be blank!'),
        z.maxLength(MAX_TEXT_LENGTH, 'The message is too long. Attach it as a file.'),
      ),
    ip: z.optional(z.unknown()),
    attachments,
  }),
  reply: z.object({ reply, ticket }),
  errors: ['unknown_ticket', 'unknown_attachment'],
})

export const closeTicket = endpoint({
  path: 'helpdesk/close.json',
  access: 'customer',
  summary: 'Close a ticket.',
  input: z.object({ ticket_number: ticketNumber }),
  reply: z.object({ status: z.enum(['open', 'close']) }),
  errors: ['unknown_ticket'],
})

export const reopenTicket = endpoint({
  path: 'helpdesk/reopen.json',
  access: 'customer',
  summary: 'Reopen a ticket.',
  input: z.object({ ticket_number: ticketNumber }),
  reply: z.object({ status: z.enum(['open', 'close']) }),
  errors: ['unknown_ticket'],
})
