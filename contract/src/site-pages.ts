import * as z from 'zod/mini'
import { endpoint, nothing, whole } from './endpoint.ts'

/** The pages of the site that staff write. */

const sitePage = z.object({
  slug: z.string(),
  title: z.string(),
  markdown: z.string(),
  /** Null for one that was never written: title and text are a beginning to work from. */
  updated_at: z.nullable(z.string()),
  updated_by: z.string(),
  version: z.number(),
})
export type StaffPageText = z.output<typeof sitePage>

const pageText = z.string().check(z.maxLength(100_000, 'A page has at most 100,000 characters.'))

export const getPages = endpoint({
  path: 'staff/pages.json',
  access: 'staff',
  roles: [],
  summary: 'The pages of the site that staff write, also those nobody has written yet.',
  input: nothing,
  reply: z.object({ pages: z.array(sitePage) }),
})

export const savePage = endpoint({
  path: 'staff/save-page.json',
  access: 'staff',
  roles: [],
  summary: 'Writes a page in Markdown. `version` is 0 for one that was never written.',
  input: z.object({
    slug: z.string().check(z.maxLength(40)),
    title: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Give the page a title.'),
        z.maxLength(120, 'A title has at most 120 characters.'),
      ),
    markdown: pageText,
    version: whole(0, 2_147_483_647, 'version must be a whole number.'),
  }),
  reply: z.object({ page: sitePage }),
  refusals: ['unknown_page', 'changed_meanwhile'],
})

export const previewMarkdown = endpoint({
  path: 'staff/preview-markdown.json',
  access: 'staff',
  summary: 'What Markdown will look like: HTML, cleaned.',
  input: z.object({ markdown: pageText }),
  reply: z.object({ html: z.string() }),
})
