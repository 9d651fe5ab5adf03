import { type ParsedInputOf, type ReplyOf, site, type sitePages } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { htmlOfMarkdown } from '../platform/markdown.ts'
import { memoizeAsync } from '../platform/memoize.ts'
import { PAGE_TEMPLATES } from './page-templates.ts'

type Slug = (typeof site.PAGES)[number]

/** The longest texts take some megabytes each. */
const TEXT_CACHE_SIZE = 40
export const cachedMarkdown = memoizeAsync(htmlOfMarkdown, TEXT_CACHE_SIZE)

/** Returns a page as everyone sees it; its default title and no text if it was never written. */
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

type PageRow = Omit<sitePages.StaffPageText, 'updated_at'> & { updated_at: Date }

const readRows = (sql: Sql) => sql<PageRow[]>`
  select slug, title, markdown, p.updated_at, version,
    coalesce((select dj_name from customer c where c.customer_id = updated_by and c.status <> 'deleted'), '') as updated_by
  from page p`

/** Returns the site's pages as staff edit them; one that was never written has a template, as version 0. */
export async function listPages(sql: Sql): Promise<sitePages.StaffPageText[]> {
  const rows = await readRows(sql)
  return site.PAGES.map((slug) => {
    const row = rows.find((one) => one.slug === slug)
    if (row) return { ...row, updated_at: row.updated_at.toISOString() }
    return { slug, ...PAGE_TEMPLATES[slug], updated_at: null, updated_by: '', version: 0 }
  })
}

type PageState = { slug: string; title: string; state: 'not_written' | 'sample' | 'written'; gaps: number }

/** Text in [brackets] that is not a link: the templates use it for what only the operator knows. */
const PLACEHOLDER_PATTERN = /(?<!\])\[[^\]]*\](?![([:])/g

/** Returns the state of each page: not written, the unchanged sample, or the pool's own. */
export async function getPageStates(sql: Sql): Promise<PageState[]> {
  const pages = await listPages(sql)
  return pages.map(({ slug, title, markdown, version }) => {
    const isSample = markdown.trim() === PAGE_TEMPLATES[slug as Slug].markdown.trim()
    const state = version === 0 ? 'not_written' : isSample ? 'sample' : 'written'
    return { slug, title, state, gaps: version === 0 ? 0 : (markdown.match(PLACEHOLDER_PATTERN)?.length ?? 0) }
  })
}

/**
 * Saves a page, in the caller's transaction, and returns it. Throws `unknown_page`, and `conflict` unless `version` is
 * the current one, 0 if there is none.
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
