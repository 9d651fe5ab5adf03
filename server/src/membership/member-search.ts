import { countUpTo } from '../platform/count-up-to.ts'
import type { Sql, SqlFragment } from '../platform/db.ts'
import { idsIfFew } from '../platform/few-rows.ts'

/** The words of a search; none if it has only punctuation and symbols. */
export const wordsOf = (search: string): string[] => search.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')

/** A tsquery for texts with words that begin with all words of a search; '' if it has no words. */
export const prefixQuery = (search: string): string =>
  wordsOf(search)
    .map((word) => `'${word}':*`)
    .join(' & ')

/** The pattern of LIKE for texts that contain this one. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/**
 * The condition for a member `c` whose DJ name or email address has words that begin with all words of the search. A
 * search without words is looked for in DJ names as it is.
 */
export function matchesMember(sql: Sql, search: string): SqlFragment {
  const query = prefixQuery(search)
  return query !== ''
    ? sql`c.search_words @@ to_tsquery('simple', ${query})`
    : sql`c.dj_name like ${containsPattern(search)}`
}

/** With more members than this, it is faster to check the member of each row, newest first. */
const MAX_LISTED_MEMBERS = 20_000

/**
 * The condition for the rows of another table that belong to members who match a search. Few members are looked up
 * first, so that an index on their ids finds the rows; more are collected once.
 */
export async function rowsOfMembers(sql: Sql, search: string): Promise<(customerId: SqlFragment) => SqlFragment> {
  const matching = matchesMember(sql, search)
  const ids = await idsIfFew(sql, sql`select customer_id as id from customer c where ${matching}`)
  if (ids) return (customerId) => sql`${customerId} = any(${ids}::bigint[])`
  const found = await countUpTo(sql, sql`select 1 from customer c where ${matching}`, MAX_LISTED_MEMBERS)
  return found <= MAX_LISTED_MEMBERS
    ? (customerId) => sql`${customerId} in (select c.customer_id from customer c where ${matching})`
    : (customerId) => sql`
        exists (select 1 from customer c where c.customer_id = ${customerId} and ${matching} offset 0)`
}
