import { MOST_HARD_BOUNCES } from '../platform/bounces.ts'
import type { Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import type { World } from '../world.ts'
import { digestOf, readParents, type Week, withBelow } from './digest-songs.ts'
import { type Digest, leaveHeaders, ofSubscriber, weeklyDigest } from './letters.ts'
import { leaveToken } from './tokens.ts'

const AT_ONCE = 100
/** Members who follow the same genres get the same songs: so many of these are kept while a week is mailed. */
const KEPT_DIGESTS = 500

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Thursday, 15:00 UTC: after Monday's midnight. */
const DUE_AFTER_MS = 3 * DAY_MS + 15 * HOUR_MS

/**
 * The Monday of this week and the seven days its digest tells of, which end when it is due; undefined before that. One that
 * is sent later, because no process was there, tells of the same days.
 */
export function dueDigest(now: Date): { monday: string; week: Week } | undefined {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const monday = midnight - ((now.getUTCDay() + 6) % 7) * DAY_MS
  const due = monday + DUE_AFTER_MS
  if (now.getTime() < due) return undefined
  return {
    monday: new Date(monday).toISOString().slice(0, 10),
    week: { from: new Date(due - 7 * DAY_MS), to: new Date(due) },
  }
}

type Subscriber = { newsletter_subscriber_id: number; email: string; followed: number[] }
type Mailing = { monday: string; week: Week; digestFor(sql: Sql, followed: readonly number[]): Promise<Digest> }

/**
 * Mails this week's digest to whoever has not had it, from Thursday afternoon to the end of Sunday; without a mail server to
 * nobody, so that no old news go out on the day there is one. Safe to run at any time, any number of times, in several
 * processes.
 */
export async function sendDigests(world: World): Promise<void> {
  const due = dueDigest(world.now())
  if (!due || !world.config.smtpUrl) return
  const mailing = { ...due, digestFor: await keepDigests(world.sql, due.week) }
  let last: number | undefined = 0
  while (last !== undefined) {
    const after: number = last
    last = await world.sql.begin((sql) => mailSome(world, sql, mailing, after))
  }
}

/** The digest of what somebody follows, each made once. */
async function keepDigests(sql: Sql, week: Week): Promise<Mailing['digestFor']> {
  const parents = await readParents(sql)
  const kept = new Map<string, Digest>()
  return async (sql, followed) => {
    const genreIds = withBelow(followed, parents)
    const key = genreIds.join(' ')
    const digest = kept.get(key) ?? (await digestOf(sql, week, genreIds))
    if (kept.size < KEPT_DIGESTS) kept.set(key, digest)
    return digest
  }
}

/** Mails to the next subscribers after this one, and answers the last of them; undefined when there are none. */
async function mailSome(world: World, sql: Sql, mailing: Mailing, after: number): Promise<number | undefined> {
  const subscribers = await nextSubscribers(sql, mailing, after)
  const digests = new Map<number, Digest>()
  for (const { newsletter_subscriber_id, followed } of subscribers) {
    digests.set(newsletter_subscriber_id, await mailing.digestFor(sql, followed))
  }
  const taken = await takeTurns(sql, mailing.monday, digests)
  for (const subscriber of subscribers) {
    const digest = digests.get(subscriber.newsletter_subscriber_id)
    if (digest && digest.total > 0 && taken.has(subscriber.newsletter_subscriber_id)) {
      await queueDigest(world, sql, subscriber, digest)
    }
  }
  return subscribers.at(-1)?.newsletter_subscriber_id
}

/** Who confirmed after it was due gets the next one. Their rows are held, so that none goes in between. */
const nextSubscribers = async (sql: Sql, { monday, week }: Mailing, after: number): Promise<Subscriber[]> =>
  sql<Subscriber[]>`
    select n.newsletter_subscriber_id, n.email,
      array(select f.genre_id from followed_genre f join customer c using (customer_id)
        where lower(c.email) = lower(n.email) and c.status = 'active' order by 1) as followed
    from newsletter_subscriber n
    where n.state = 'subscribed' and not exists (
        select 1 from bounced_address b where b.address = lower(n.email) and b.hard >= ${MOST_HARD_BOUNCES})
      and n.confirmed_at < ${week.to} and n.newsletter_subscriber_id > ${after}
      and not exists (select 1 from newsletter_digest d
        where d.newsletter_subscriber_id = n.newsletter_subscriber_id and d.week = ${monday})
    order by n.newsletter_subscriber_id limit ${AT_ONCE} for key share of n`

/** Of two processes at the same time one gets a subscriber; whoever has nothing new is done with for this week, too. */
async function takeTurns(sql: Sql, monday: string, digests: ReadonlyMap<number, Digest>): Promise<Set<number>> {
  const taken = await sql<{ newsletter_subscriber_id: number }[]>`
    insert into newsletter_digest (newsletter_subscriber_id, week, songs)
    select id, ${monday}, songs
    from unnest(${[...digests.keys()]}::bigint[], ${[...digests.values()].map((digest) => digest.total)}::int[]) turns (id, songs)
    order by id
    on conflict do nothing returning newsletter_subscriber_id`
  return new Set(taken.map((row) => row.newsletter_subscriber_id))
}

async function queueDigest(world: World, sql: Sql, subscriber: Subscriber, digest: Digest): Promise<void> {
  const token = leaveToken(world, subscriber.newsletter_subscriber_id)
  await queueMail(sql, weeklyDigest(world.settings.letterhead, subscriber.email, { token, digest }), {
    whose: ofSubscriber(subscriber.newsletter_subscriber_id),
    headers: leaveHeaders(world.settings.letterhead, token),
  })
}

const KEPT_DAYS = 60

/** Which week somebody had is needed while it lasts. */
export const sweepDigests = async (sql: Sql): Promise<void> => {
  await sql`delete from newsletter_digest where week < current_date - ${KEPT_DAYS}::int`
}
