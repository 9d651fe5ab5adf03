import * as z from 'zod/mini'
import { endpoint, id, nothing } from './endpoint.ts'

/** Open positions. */

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
  summary: 'List all job openings, including unpublished ones.',
  input: nothing,
  reply: z.object({ openings: z.array(opening) }),
})

const line = z._default(z.string().check(z.trim(), z.maxLength(120, 'This text is too long.')), '')

export const saveOpening = endpoint({
  path: 'staff/save-opening.json',
  access: 'staff',
  roles: [],
  summary: 'Create or update a job opening. New openings are placed last.',
  input: z.object({
    job_opening_id: z.optional(id('job_opening_id')),
    title: z
      .string()
      .check(z.trim(), z.minLength(1, 'Enter a title.'), z.maxLength(120, 'Use at most 120 characters.')),
    place: line,
    hours: line,
    markdown: z
      .string()
      .check(z.trim(), z.minLength(1, 'Enter a description.'), z.maxLength(50_000, 'Use at most 50,000 characters.')),
    apply_at: z._default(
      z
        .string()
        .check(
          z.trim(),
          z.maxLength(500),
          z.regex(/^(|[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+|https?:\/\/[^\s<>"]+)$/i, 'Enter an email address or a URL.'),
        ),
      '',
    ),
    published: z._default(z.boolean(), true),
  }),
  reply: z.object({ opening }),
  errors: ['unknown_opening'],
})

export const removeOpening = endpoint({
  path: 'staff/remove-opening.json',
  access: 'staff',
  roles: [],
  summary: 'Delete a job opening.',
  input: z.object({ job_opening_id: id('job_opening_id') }),
  reply: nothing,
  errors: ['unknown_opening'],
})
