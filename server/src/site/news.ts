import type { ReplyOf, site } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { isCurrent } from './announcements.ts'

const NEWS_A_PAGE = 24

/** The announcements of all pages that are current, newest first; what somebody has hidden on a page is still news. */
export async function newsPage(sql: Sql, page: number): Promise<ReplyOf<typeof site.getNews>> {
  const [announcements, [total]] = await Promise.all([
    sql<{ message_id: number; message: string; page_name: string; published_at: Date }[]>`
      select message_id, message, page_name, published_at from announcement where ${isCurrent(sql)}
      order by published_at desc, message_id desc limit ${NEWS_A_PAGE} offset ${(page - 1) * NEWS_A_PAGE}`,
    sql<{ n: number }[]>`select count(*)::int as n from announcement where ${isCurrent(sql)}`,
  ])
  return {
    announcements: announcements.map((one) => ({ ...one, published_at: one.published_at.toISOString() })),
    pagination: { page, perPageLimit: NEWS_A_PAGE, totalCount: total?.n ?? 0 },
  }
}
