import * as z from 'zod/mini'
import { endpoint, id, moment, nothing, page, pagination, versionInput } from './endpoint.ts'

/** Announcements that staff show on the site. */

export const AUDIENCES = ['all', 'unpaid', 'paid'] as const
export const ANNOUNCED_PAGES = ['mp3_home', 'mp3_chart', 'mp3_latest'] as const
export const ANNOUNCEMENT_STATES = ['current', 'scheduled', 'ended'] as const

const announcement = z.object({
  message_id: z.number(),
  page_name: z.string(),
  /** Sanitised HTML. */
  message: z.string(),
  audience: z.enum(AUDIENCES),
  state: z.enum(ANNOUNCEMENT_STATES),
  published_at: z.string(),
  ended_at: z.nullable(z.string()),
  /** DJ name; '' if unknown. */
  written_by: z.string(),
  /** How many members have dismissed it. */
  hidden_by: z.number(),
  version: z.number(),
})
export type StaffAnnouncement = z.output<typeof announcement>

const ANNOUNCERS = ['curator', 'support'] as const

export const getAnnouncements = endpoint({
  path: 'staff/announcements.json',
  access: 'staff',
  roles: ANNOUNCERS,
  summary: 'List announcements by state, newest first.',
  input: z.object({ state: z._default(z.enum(ANNOUNCEMENT_STATES), 'current'), page }),
  reply: z.object({
    announcements: z.array(announcement),
    counts: z.object({ current: z.number(), scheduled: z.number(), ended: z.number() }),
    pagination,
  }),
})

export const saveAnnouncement = endpoint({
  path: 'staff/save-announcement.json',
  access: 'staff',
  roles: ANNOUNCERS,
  summary:
    'Create or update an announcement, from a start time (default: now) until an end time or indefinitely. Members who hid it won’t see the update unless `show_again` is set.',
  input: z.object({
    message_id: z.optional(id('message_id')),
    version: z.optional(versionInput),
    page_name: z.enum(ANNOUNCED_PAGES),
    message: z
      .string()
      .check(z.trim(), z.minLength(1, 'Enter a message.'), z.maxLength(5000, 'Use at most 5,000 characters.')),
    audience: z._default(z.enum(AUDIENCES), 'all'),
    published_at: z.optional(z.nullable(moment)),
    ended_at: z.optional(z.nullable(moment)),
    show_again: z._default(z.boolean(), false),
  }),
  reply: z.object({ announcement }),
  errors: ['unknown_announcement', 'conflict', 'invalid_date_range', 'empty_content'],
})

export const endAnnouncement = endpoint({
  path: 'staff/end-announcement.json',
  access: 'staff',
  roles: ANNOUNCERS,
  summary: 'End an announcement now. A scheduled announcement is deleted.',
  input: z.object({ message_id: id('message_id') }),
  reply: nothing,
  errors: ['unknown_announcement'],
})
