import * as z from 'zod/mini'
import { endpoint, integerBetween, nothing } from './endpoint.ts'

/** The pages of the site that staff write. */

const sitePage = z.object({
  slug: z.string(),
  title: z.string(),
  markdown: z.string(),
  /** Null if it was never written: title and text are then a template. */
  updated_at: z.nullable(z.string()),
  updated_by: z.string(),
  version: z.number(),
})
export type StaffPageText = z.output<typeof sitePage>

const pageText = z.string().check(z.maxLength(100_000, 'Use at most 100,000 characters.'))

export const getPages = endpoint({
  path: 'staff/pages.json',
  access: 'staff',
  roles: [],
  summary: 'List the site pages, including those not written yet.',
  input: nothing,
  reply: z.object({ pages: z.array(sitePage) }),
})

export const savePage = endpoint({
  path: 'staff/save-page.json',
  access: 'staff',
  roles: [],
  summary: 'Create or update a site page in Markdown. `version` is 0 for a new page.',
  input: z.object({
    slug: z.string().check(z.maxLength(40)),
    title: z
      .string()
      .check(z.trim(), z.minLength(1, 'Enter a title.'), z.maxLength(120, 'Use at most 120 characters.')),
    markdown: pageText,
    version: integerBetween(0, 2_147_483_647, 'version must be an integer.'),
  }),
  reply: z.object({ page: sitePage }),
  errors: ['unknown_page', 'conflict'],
})

export const previewMarkdown = endpoint({
  path: 'staff/preview-markdown.json',
  access: 'staff',
  summary: 'Preview Markdown as sanitised HTML.',
  input: z.object({ markdown: pageText }),
  reply: z.object({ html: z.string() }),
})
