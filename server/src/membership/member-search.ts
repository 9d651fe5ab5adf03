import type { Sql, SqlFragment } from '../platform/db.ts'

/** The text of the index `customer_search`; characters between words are not searched for. */
const searchText = (sql: Sql) => sql`
  to_tsvector('simple', translate(c.dj_name || ' ' || c.email, '@.-_+/:<>&''', '           '))`

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
    ? sql`${searchText(sql)} @@ to_tsquery('simple', ${query})`
    : sql`c.dj_name like ${containsPattern(search)}`
}

/** With more members than this, it is faster to check each row of the other table, newest first. */
const MAX_MEMBERS = 500

/**
 * The condition for the rows of another table that belong to members who match a search. Few members are looked up
 * first, so that an index on their ids finds the rows.
 */
export async function rowsOfMembers(sql: Sql, search: string): Promise<(customerId: SqlFragment) => SqlFragment> {
  const matching = matchesMember(sql, search)
  const members = await sql<{ customer_id: number }[]>`
    select customer_id from customer c where ${matching} limit ${MAX_MEMBERS + 1}`
  if (members.length > MAX_MEMBERS)
    return (customerId) => sql`
      exists (select 1 from customer c where c.customer_id = ${customerId} and ${matching} offset 0)`
  const ids = members.map(({ customer_id }) => customer_id)
  return (customerId) => sql`${customerId} = any(${ids}::bigint[])`
}
