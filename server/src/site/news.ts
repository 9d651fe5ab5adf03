import type { ReplyOf, site } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { audienceCondition, cachedMessage, currentCondition, type Viewer } from './announcements.ts'

const NEWS_PER_PAGE = 24

/** Returns the current announcements of all pages for this viewer, newest first, including those they have hidden. */
export async function getNewsPage(sql: Sql, viewer: Viewer, page: number): Promise<ReplyOf<typeof site.getNews>> {
  const [announcements, [total]] = await Promise.all([
    sql<{ message_id: number; message: string; page_name: string; published_at: Date }[]>`
      select message_id, message, page_name, published_at from announcement
      where ${currentCondition(sql)} and ${audienceCondition(sql, viewer)}
      order by published_at desc, message_id desc limit ${NEWS_PER_PAGE} offset ${(page - 1) * NEWS_PER_PAGE}`,
    sql<{ n: number }[]>`
      select count(*)::int as n from announcement where ${currentCondition(sql)} and ${audienceCondition(sql, viewer)}`,
  ])
  return {
    announcements: announcements.map((one) => ({
      ...one,
      message: cachedMessage(one.message),
      published_at: one.published_at.toISOString(),
    })),
    pagination: { page, perPageLimit: NEWS_PER_PAGE, totalCount: total?.n ?? 0 },
  }
}
