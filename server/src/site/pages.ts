import { type ParsedInputOf, type ReplyOf, site, type sitePages } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { htmlOfMarkdown } from '../platform/markdown.ts'
import { memoizeAsync } from '../platform/memoize.ts'
import { PAGE_TEMPLATES } from './page-templates.ts'

type Slug = (typeof site.PAGES)[number]

/** Of the longest texts some megabytes. */
const TEXT_CACHE_SIZE = 40
export const cachedMarkdown = memoizeAsync(htmlOfMarkdown, TEXT_CACHE_SIZE)

/** A page as everybody reads it; its usual title and no text where nobody has written it yet. */
export async function getPage(sql: Sql, slug: Slug): Promise<ReplyOf<typeof site.getPage>> {
  const [page] = await sql<{ title: string; markdown: string; updated_at: Date }[]>`
    select title, markdown, updated_at from page where slug = ${slug}`
  if (!page) return { slug, title: PAGE_TEMPLATES[slug].title, html: '', updated_at: null }
  return {
    slug,
    title: page.title,
    html: await cachedMarkdown(page.markdown),
    updated_at: page.updated_at.toISOString(),
  }
}

type Row = Omit<sitePages.StaffPageText, 'updated_at'> & { updated_at: Date }

const readRows = (sql: Sql) => sql<Row[]>`
  select slug, title, markdown, p.updated_at, version,
    coalesce((select dj_name from customer c where c.customer_id = updated_by and c.status <> 'deleted'), '') as updated_by
  from page p`

/** The pages of the site as staff write them; of one that was never written a beginning to work from, as version 0. */
export async function listPages(sql: Sql): Promise<sitePages.StaffPageText[]> {
  const rows = await readRows(sql)
  return site.PAGES.map((slug) => {
    const row = rows.find((one) => one.slug === slug)
    if (row) return { ...row, updated_at: row.updated_at.toISOString() }
    return { slug, ...PAGE_TEMPLATES[slug], updated_at: null, updated_by: '', version: 0 }
  })
}

type PageState = { slug: string; title: string; state: 'not_written' | 'sample' | 'written'; gaps: number }

/** What stands in [brackets] and is no link: a beginning leaves there what only its operator knows. */
const PLACEHOLDER_PATTERN = /(?<!\])\[[^\]]*\](?![([:])/g

/** How far each page is: nobody has written it, it is what the product brought along, or somebody's own. */
export async function getPageStates(sql: Sql): Promise<PageState[]> {
  const pages = await listPages(sql)
  return pages.map(({ slug, title, markdown, version }) => {
    const isSample = markdown.trim() === PAGE_TEMPLATES[slug as Slug].markdown.trim()
    const state = version === 0 ? 'not_written' : isSample ? 'sample' : 'written'
    return { slug, title, state, gaps: version === 0 ? 0 : (markdown.match(PLACEHOLDER_PATTERN)?.length ?? 0) }
  })
}

/**
 * Writes a page, in the caller's transaction, and answers it. Refuses `unknown_page`, and `conflict` unless
 * `version` is the one that is there, 0 where none is.
 */
export async function savePage(
  sql: Sql,
  { slug, title, markdown, version, staff_id }: ParsedInputOf<typeof sitePages.savePage> & { staff_id: number },
): Promise<sitePages.StaffPageText> {
  if (!(site.PAGES as readonly string[]).includes(slug)) throw new ApiError('unknown_page', 'Page not found.')
  const [savedPage] =
    version === 0
      ? await sql`
          insert into page (slug, title, markdown, updated_by) values (${slug}, ${title}, ${markdown}, ${staff_id})
          on conflict (slug) do nothing returning slug`
      : await sql`
          update page set title = ${title}, markdown = ${markdown}, updated_by = ${staff_id}, updated_at = now(),
            version = version + 1
          where slug = ${slug} and version = ${version} returning slug`
  if (!savedPage) {
    throw new ApiError('conflict', 'Someone else changed this page. Copy your text, then reload to see their version.')
  }
  const saved = (await listPages(sql)).find((page) => page.slug === slug)
  if (!saved) throw new Error(`Page ${slug} not found after saving`)
  return saved
}
