import * as z from 'zod/mini'
import {
  endpoint,
  id,
  integerBetween,
  nothing,
  page,
  pagination,
  person,
  refineTogether,
  search,
  versionInput,
} from './endpoint.ts'
import { reply, ticket, ticketDetails } from './helpdesk.ts'

/** The help desk, as staff see it. */

export const QUEUE_PER_PAGE = 24
export const QUEUE_STATES = ['waiting', 'answered', 'close', 'all'] as const

const customer = z.object({
  customer_id: z.number(),
  dj_name: z.string(),
  email: z.string(),
  payment_profile_status: z.enum(['paid', 'unpaid']),
})

export const queued = z.extend(ticket, {
  customer,
  assigned_to: z.nullable(person),
  /** Since when a reply has been due, from staff or from the customer. */
  waiting_since: z.string(),
  /** True if it has waited for staff longer than its priority allows. */
  is_overdue: z.boolean(),
})
export type QueuedTicket = z.output<typeof queued>

export const getQueue = endpoint({
  path: 'staff/tickets.json',
  access: 'staff',
  roles: ['support'],
  summary: 'List tickets by state: those awaiting a staff reply by urgency and waiting time, all others newest first.',
  input: z.object({
    state: z._default(z.enum(QUEUE_STATES), 'waiting'),
    /** Part of a subject, DJ name or email address, or a ticket number. */
    search,
    mine: z._default(z.boolean(), false),
    page,
  }),
  reply: z.object({
    tickets: z.array(queued),
    counts: z.object({
      waiting: z.number(),
      answered: z.number(),
      close: z.number(),
      all: z.number(),
      late: z.number(),
    }),
    response_times: z.object({
      /** Waiting time of tickets that need a reply from staff now, in seconds; null if there are none. */
      median_seconds: z.nullable(z.number()),
      /** Time from a ticket to its first reply, for first replies in the last 30 days. */
      first_reply_seconds: z.nullable(z.number()),
    }),
    pagination,
  }),
})

const inbound = z.object({
  verdict: z.string(),
  from: z.string(),
  detail: z.string(),
  received_at: z.string(),
})

const staffTicket = z.object({
  ticket: z.extend(ticketDetails, queued.shape),
  replies: z.array(reply),
  pagination,
  watch_url: z.string(),
  /** Emails to this ticket that did not become a reply: bounces, unknown senders, automatic replies. */
  rejected_mail: z.array(inbound),
})

const ticketNumber = id('ticket_number')

export const getTicket = endpoint({
  path: 'staff/ticket.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Get a ticket with one page of replies. Page 0 is the last page.',
  input: z.object({
    ticket_number: ticketNumber,
    page: z._default(integerBetween(0, 1_000_000, 'page must be 0 or a positive integer.'), 0),
  }),
  reply: staffTicket,
  errors: ['unknown_ticket'],
})

export const answerTicket = endpoint({
  path: 'staff/reply-to-ticket.json',
  access: 'staff',
  roles: ['support'],
  summary:
    'Reply to a ticket. The reply is emailed to the customer. Fails if someone else has replied since, unless the latest reply ID is given.',
  input: z.object({
    ticket_number: ticketNumber,
    details: z
      .string('Message cannot be blank!')
      .check(
        z.trim(),
        z.minLength(1, 'Message cannot be blank!'),
        z.maxLength(50_000, 'The message is too long. Attach it as a file.'),
      ),
    attachments: z._default(
      z.array(z.string().check(z.maxLength(40))).check(z.maxLength(8, 'Attach up to 8 files.')),
      [],
    ),
    /** Closes the ticket with the reply. */
    close: z._default(z.boolean(), false),
    /** The newest reply the author had seen; 0 for none. */
    after_reply_id: integerBetween(0, Number.MAX_SAFE_INTEGER, 'after_reply_id must be an integer.'),
  }),
  reply: z.object({ reply, ticket: queued }),
  errors: ['unknown_ticket', 'unknown_attachment', 'reply_conflict'],
})

export const changeTicket = endpoint({
  path: 'staff/change-ticket.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Close or reopen a ticket, assign it to a staff member (0: unassign), or change its department or priority.',
  input: z.object({
    ticket_number: ticketNumber,
    status: z.optional(z.enum(['open', 'close'])),
    assigned_to: z.optional(integerBetween(0, 2_147_483_647, 'assigned_to must be an integer.')),
    department_id: z.optional(id('department_id')),
    priority_id: z.optional(id('priority_id')),
  }),
  reply: z.object({ ticket: queued }),
  errors: ['unknown_ticket', 'unknown_department', 'unknown_priority', 'staff_member_required'],
})

export const getColleagues = endpoint({
  path: 'staff/colleagues.json',
  access: 'staff',
  roles: ['support'],
  summary: 'List the staff members tickets can be assigned to.',
  input: nothing,
  reply: z.object({ colleagues: z.array(person) }),
})

const faq = z.object({
  faq_id: z.number(),
  question: z.string(),
  /** Sanitised HTML. */
  answer: z.string(),
  published: z.boolean(),
  updated_at: z.string(),
})
export type StaffFaq = z.output<typeof faq>

export const getFaqs = endpoint({
  path: 'staff/faqs.json',
  access: 'staff',
  roles: ['support'],
  summary: 'List all FAQs, including unpublished ones.',
  input: nothing,
  reply: z.object({ faqs: z.array(faq) }),
})

export const saveFaq = endpoint({
  path: 'staff/save-faq.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Create or update an FAQ. New FAQs (without faq_id) are placed last.',
  input: z.object({
    faq_id: z.optional(id('faq_id')),
    question: z
      .string()
      .check(z.trim(), z.minLength(1, 'Enter a question.'), z.maxLength(300, 'Use at most 300 characters.')),
    answer: z
      .string()
      .check(z.trim(), z.minLength(1, 'Enter an answer.'), z.maxLength(50_000, 'The answer is too long.')),
    published: z._default(z.boolean(), true),
  }),
  reply: z.object({ faq }),
  errors: ['unknown_faq'],
})

export const removeFaq = endpoint({
  path: 'staff/remove-faq.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Delete an FAQ.',
  input: z.object({ faq_id: id('faq_id') }),
  reply: nothing,
  errors: ['unknown_faq'],
})

export const orderFaqs = endpoint({
  path: 'staff/order-faqs.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Reorder the FAQs.',
  input: z.object({ faq_ids: z.array(id('faq_id')).check(z.maxLength(500)) }),
  reply: nothing,
  errors: ['unknown_faq'],
})

/** Placeholders of saved replies, in braces: {dj_name}. */
export const PLACEHOLDERS = ['dj_name', 'ticket_number', 'subject', 'pool_name', 'staff_name'] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

const savedReply = z.object({
  saved_reply_id: z.number(),
  title: z.string(),
  /** Sanitised HTML, with its placeholders. */
  answer: z.string(),
  /** How often it was inserted into a reply, and when last. */
  used: z.number(),
  last_used_at: z.nullable(z.string()),
  /** DJ name of the person who last changed it; null if the account was deleted. */
  written_by: z.nullable(z.string()),
  updated_at: z.string(),
  /** Increases with each change; the caller sends the version they read. */
  version: z.number(),
})
export type SavedReply = z.output<typeof savedReply>

export const getSavedReplies = endpoint({
  path: 'staff/saved-replies.json',
  access: 'staff',
  roles: ['support'],
  summary: 'List saved replies, most used first.',
  input: nothing,
  reply: z.object({ answers: z.array(savedReply) }),
})

export const saveSavedReply = endpoint({
  path: 'staff/save-saved-reply.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Create (without saved_reply_id) or update a saved reply. Fails if someone else changed it first.',
  input: z
    .object({
      saved_reply_id: z.optional(id('saved_reply_id')),
      /** Version the caller read; missing for a new one. */
      version: z.optional(versionInput),
      title: z
        .string()
        .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(120, 'Use at most 120 characters.')),
      answer: z
        .string()
        .check(z.trim(), z.minLength(1, 'Enter an answer.'), z.maxLength(50_000, 'The answer is too long.')),
    })
    .check(
      refineTogether(({ saved_reply_id, version }) => (saved_reply_id === undefined) === (version === undefined), {
        message: 'version is required when updating a saved reply.',
        path: ['version'],
      }),
    ),
  reply: z.object({ answer: savedReply }),
  errors: ['unknown_saved_reply', 'conflict', 'name_taken'],
})

export const removeSavedReply = endpoint({
  path: 'staff/remove-saved-reply.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Delete a saved reply.',
  input: z.object({ saved_reply_id: id('saved_reply_id') }),
  reply: nothing,
  errors: ['unknown_saved_reply'],
})

export const fillSavedReply = endpoint({
  path: 'staff/fill-saved-reply.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Get a saved reply with its placeholders filled in for a ticket. Counts as a use.',
  input: z.object({ saved_reply_id: id('saved_reply_id'), ticket_number: ticketNumber }),
  reply: z.object({ html: z.string() }),
  errors: ['unknown_saved_reply', 'unknown_ticket'],
})
