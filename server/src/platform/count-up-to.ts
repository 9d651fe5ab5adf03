import { MAX_COUNTED_ROWS, type Pagination } from '@dubplate/contract'
import type { Sql, SqlFragment } from './db.ts'

/**
 * Counts the rows of a SELECT, exactly up to `maxCount`; `maxCount + 1` means that there are more. A table with a
 * million rows is not read to its end for a number that no one reads to the last digit.
 */
export async function countUpTo(sql: Sql, select: SqlFragment, maxCount = MAX_COUNTED_ROWS): Promise<number> {
  const [counted] = await sql<{ n: number }[]>`
    select count(*)::int as n from (${select} limit ${maxCount + 1}) counted`
  return counted?.n ?? 0
}

/** The same as part of a list's pagination. */
export async function countPages(
  sql: Sql,
  select: SqlFragment,
  maxCount = MAX_COUNTED_ROWS,
): Promise<Pick<Pagination, 'totalCount' | 'more'>> {
  const n = await countUpTo(sql, select, maxCount)
  return n > maxCount ? { totalCount: maxCount, more: true } : { totalCount: n }
}
