import { members, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { matchesMember } from '../membership/member-search.ts'
import { ApiError } from '../platform/api-error.ts'
import { countPages, countUpTo } from '../platform/count-up-to.ts'
import type { Sql } from '../platform/db.ts'
import { idsIfFew } from '../platform/few-rows.ts'

type MemberState = (typeof members.MEMBER_STATES)[number]
type MemberRow = Omit<members.ListedMember, 'group' | 'last_seen_at' | 'created_at'> & {
  group_id: number
  group_name: string
  last_seen_at: Date | null
  created_at: Date
}

const stateCondition = (sql: Sql, state: MemberState) =>
  ({
    all: sql`true`,
    paid: sql`c.payment_profile_status = 'paid'`,
    unpaid: sql`c.payment_profile_status = 'unpaid'`,
    suspended: sql`c.status = 'suspended'`,
    staff: sql`c.staff_role is not null`,
  })[state]

/**
 * Matches the beginnings of all its words; a number also matches the member's id; a search without words matches
 * literally.
 */
function searchCondition(sql: Sql, search: string) {
  if (search === '') return sql`c.status <> 'deleted'`
  const number = /^#?(\d{1,9})$/.exec(search)?.[1]
  return sql`(c.customer_id = ${Number(number ?? 0)} or (${matchesMember(sql, search)} and c.status <> 'deleted'))`
}

const memberColumns = (sql: Sql) => sql`
  select c.customer_id, c.dj_name, c.email, c.group_id, g.name as group_name, c.payment_profile_status, c.status,
    (select a.state from dj_application a where a.customer_id = c.customer_id) as application, c.staff_role,
    (select max(s.seen_at) from session s where s.customer_id = c.customer_id and s.purpose = 'member') as last_seen_at,
    (select p.title from subscription u join plan p using (plan_id)
      where u.customer_id = c.customer_id and u.status in ('trialing', 'active', 'past_due', 'cancel_scheduled')
      order by u.subscription_id desc limit 1) as plan_name,
    c.country_id, c.created_at
  from customer c join customer_group g using (group_id)`

const toListedMember = ({
  group_id,
  group_name,
  last_seen_at,
  created_at,
  ...row
}: MemberRow): members.ListedMember => ({
  ...row,
  group: { group_id, name: group_name },
  last_seen_at: last_seen_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
})

/** An equal DJ name is sorted by age, so that pages do not overlap. */
const sortOrder = (sql: Sql, sort: (typeof members.MEMBER_SORTS)[number]) =>
  ({
    name: sql`lower(c.dj_name), c.customer_id`,
    '-name': sql`lower(c.dj_name) desc, c.customer_id desc`,
    joined: sql`c.customer_id`,
    '-joined': sql`c.customer_id desc`,
  })[sort]

/** Returns one page of the members in a state, and the number of matches in each state, up to MAX_COUNTED_ROWS. */
export async function listMembers(
  sql: Sql,
  { state, search, sort, page }: ParsedInputOf<typeof members.getMembers>,
): Promise<ReplyOf<typeof members.getMembers>> {
  const found = searchCondition(sql, search)
  const few = search && (await idsIfFew(sql, sql`select c.customer_id as id from customer c where ${found}`))
  const matchingMembers = few ? sql`c.customer_id = any(${few}::bigint[])` : found
  const limit = members.MEMBERS_PER_PAGE
  // An exact email address comes before members who only share its words. Otherwise the order is that of an index.
  const isAddress = search.includes('@')
  const order = sql`${isAddress ? sql`lower(c.email) = ${search.toLowerCase()} desc,` : sql``} ${sortOrder(sql, sort)}`
  const inState = (one: MemberState) =>
    sql`select c.customer_id from customer c where ${matchingMembers} and ${stateCondition(sql, one)}`
  const [rows, count, counts] = await Promise.all([
    // The page is selected before other tables are joined.
    sql<MemberRow[]>`
      ${memberColumns(sql)} where c.customer_id in (
        ${inState(state)} order by ${order} limit ${limit} offset ${(page - 1) * limit})
      order by ${order}`,
    countPages(sql, inState(state)),
    Promise.all(members.MEMBER_STATES.map(async (one) => [one, await countUpTo(sql, inState(one))] as const)),
  ])
  return {
    members: rows.map(toListedMember),
    counts: Object.fromEntries(counts) as Record<MemberState, number>,
    pagination: { page, perPageLimit: limit, ...count },
  }
}

/** Throws `unknown_member`. */
export async function getListedMember(sql: Sql, customerId: number): Promise<members.ListedMember> {
  const [row] = await sql<MemberRow[]>`${memberColumns(sql)} where c.customer_id = ${customerId}`
  if (!row) throw new ApiError('unknown_member', 'Member not found.')
  return toListedMember(row)
}
