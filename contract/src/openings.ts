import * as z from 'zod/mini'
import { endpoint, id, nothing } from './endpoint.ts'

/** Jobs that are open. */

const opening = z.object({
  job_opening_id: z.number(),
  title: z.string(),
  place: z.string(),
  hours: z.string(),
  markdown: z.string(),
  apply_at: z.string(),
  published: z.boolean(),
})
export type StaffOpening = z.output<typeof opening>

export const getOpenings = endpoint({
  path: 'staff/openings.json',
  access: 'staff',
  roles: [],
  summary: 'All openings, also those that are not published.',
  input: nothing,
  reply: z.object({ openings: z.array(opening) }),
})

const line = z._default(z.string().check(z.trim(), z.maxLength(120, 'That is too long.')), '')

export const saveOpening = endpoint({
  path: 'staff/save-opening.json',
  access: 'staff',
  roles: [],
  summary: 'Writes an opening; a new one comes last.',
  input: z.object({
    job_opening_id: z.optional(id('job_opening_id')),
    title: z
      .string()
      .check(z.trim(), z.minLength(1, 'Give it a title.'), z.maxLength(120, 'A title has at most 120 characters.')),
    place: line,
    hours: line,
    markdown: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Describe the work.'),
        z.maxLength(50_000, 'A description has at most 50,000 characters.'),
      ),
    apply_at: z._default(
      z
        .string()
        .check(
          z.trim(),
          z.maxLength(500),
          z.regex(
            /^(|[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+|https?:\/\/[^\s<>"]+)$/i,
            'Enter a mail address or a web address.',
          ),
        ),
      '',
    ),
    published: z._default(z.boolean(), true),
  }),
  reply: z.object({ opening }),
  refusals: ['unknown_opening'],
})

export const removeOpening = endpoint({
  path: 'staff/remove-opening.json',
  access: 'staff',
  roles: [],
  summary: 'Throws an opening away.',
  input: z.object({ job_opening_id: id('job_opening_id') }),
  reply: nothing,
  refusals: ['unknown_opening'],
})
