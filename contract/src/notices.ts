import * as z from 'zod/mini'
import { endpoint, id, nothing, page, pagination } from './endpoint.ts'

export const NOTICES_PER_PAGE = 24
export const NOTICE_KINDS = ['reply', 'application', 'upload', 'payment', 'search', 'cloud'] as const
/** Kinds of notifications whose emails members can turn off. Emails about applications and payments are always sent. */
export const CHOSEN_KINDS = ['reply', 'upload', 'search'] as const

const notice = z.object({
  notification_id: z.number(),
  kind: z.enum(NOTICE_KINDS),
  text: z.string(),
  /** The screen it links to. */
  address: z.string(),
  created_at: z.string(),
  is_read: z.boolean(),
})
export type Notice = z.output<typeof notice>

export const getNotices = endpoint({
  path: 'notification/index.json',
  access: 'customer',
  summary: 'List notifications, newest first.',
  input: z.object({ page }),
  reply: z.object({ notices: z.array(notice), unread: z.number(), pagination }),
})

export const countUnread = endpoint({
  path: 'notification/unread.json',
  access: 'customer',
  summary: 'Get the number of unread notifications.',
  input: nothing,
  reply: z.object({ unread: z.number() }),
})

export const readNotices = endpoint({
  path: 'notification/read.json',
  access: 'customer',
  summary: 'Mark notifications as read, or all of them if no IDs are given.',
  input: z.object({ notification_ids: z.optional(z.array(id('notification_id')).check(z.maxLength(500))) }),
  reply: z.object({ unread: z.number() }),
})

const choices = z.object({ reply: z.boolean(), upload: z.boolean(), search: z.boolean() })

export const getChoices = endpoint({
  path: 'notification/choices.json',
  access: 'customer',
  summary: 'Get the email notification settings.',
  input: nothing,
  reply: z.object({ by_email: choices }),
})

export const saveChoices = endpoint({
  path: 'notification/save-choices.json',
  access: 'customer',
  summary: 'Update the email notification settings.',
  input: z.object({ by_email: choices }),
  reply: z.object({ by_email: choices }),
})
