import { catalogue, newsletter } from '@dubplate/contract'
import { countCredited, creditQuery } from '../catalogue/credits.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

const { FOLLOW_LIMIT } = newsletter

/** An artist or label in the credits of songs. A name such as “A feat. B” has several keys. */
export type FollowedCredit = { kind: newsletter.FollowedName['kind']; keys: string[] }

/** Returns the artists and labels a member follows, by name, written as on their newest song. */
export const listFollowedNames = async (sql: Sql, customerId: number): Promise<newsletter.FollowedName[]> =>
  sql<newsletter.FollowedName[]>`
    select kind, coalesce(newest.name, f.name) as name
    from followed_name f left join lateral (
      select c.name from song_credit c
      where cardinality(f.credit_keys) = 1 and c.kind = f.kind and c.credit_key = f.credit_keys[1]
      order by entity_id desc limit 1) newest on true
    where customer_id = ${customerId} order by lower(coalesce(newest.name, f.name)), kind`

/**
 * Follows or unfollows an artist or label, and returns all that the member follows. Throws `unknown_artist` or
 * `unknown_label` for a name without songs, and `too_many_followed`; a name that has lost its songs since can still be
 * unfollowed.
 */
export async function followName(
  sql: Sql,
  customerId: number,
  { kind, name, follow }: newsletter.FollowedName & { follow: boolean },
): Promise<newsletter.FollowedName[]> {
  const query = creditQuery(kind, name, catalogue.ALL_SECTIONS)
  const keys = query.keys.toSorted()
  if (follow) {
    await countCredited(sql, query)
    const [saved] = await sql`
      insert into followed_name (customer_id, kind, credit_keys, name)
      select ${customerId}, ${kind}, ${keys}::text[], ${name}
      where (select count(*) from followed_name
        where customer_id = ${customerId} and (kind, credit_keys) <> (${kind}, ${keys}::text[])) < ${FOLLOW_LIMIT}
      on conflict (customer_id, kind, credit_keys) do update set name = followed_name.name returning 1`
    if (!saved) throw tooManyFollowedError('artists and labels')
  } else {
    await sql`
      delete from followed_name
      where customer_id = ${customerId} and kind = ${kind} and credit_keys = ${keys}::text[]`
  }
  return listFollowedNames(sql, customerId)
}

/** @param what “lists” */
export const tooManyFollowedError = (what: string) =>
  new ApiError('too_many_followed', `You can follow up to ${FOLLOW_LIMIT} ${what}. Unfollow some first.`)
