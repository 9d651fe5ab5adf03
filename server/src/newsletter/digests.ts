import type { AppContext } from '../app-context.ts'
import { MAX_HARD_BOUNCES } from '../platform/bounces.ts'
import type { Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import { buildDigest, readParents, type Week, withSubgenres } from './digest-songs.ts'
import { type Digest, subscriberReference, unsubscribeHeaders, weeklyDigest } from './emails.ts'
import type { ListKey } from './followed-lists.ts'
import type { FollowedCredit } from './followed-names.ts'
import { createUnsubscribeToken } from './tokens.ts'

const BATCH_SIZE = 100
/** Members who follow the same genres, names and lists get the same songs: how many digests are cached while a week is sent. */
const DIGEST_CACHE_SIZE = 500

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Thursday, 15:00 UTC, as an offset from midnight on Monday. */
const SEND_OFFSET_MS = 3 * DAY_MS + 15 * HOUR_MS

/**
 * Returns the Monday of this week and the seven days its digest covers, which end when it is due; undefined before
 * that. A digest that is sent later because no process was running covers the same days.
 */
export function findDueDigest(now: Date): { monday: string; week: Week } | undefined {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const monday = midnight - ((now.getUTCDay() + 6) % 7) * DAY_MS
  const due = monday + SEND_OFFSET_MS
  if (now.getTime() < due) return undefined
  return {
    monday: new Date(monday).toISOString().slice(0, 10),
    week: { from: new Date(due - 7 * DAY_MS), to: new Date(due) },
  }
}

type Followed = { followed: number[]; followed_names: FollowedCredit[]; followed_lists: ListKey[] }
type Subscriber = Followed & { newsletter_subscriber_id: number; email: string }
type DigestRun = { monday: string; week: Week; getDigest(sql: Sql, followed: Followed): Promise<Digest> }

/**
 * Emails this week's digest to subscribers who have not received it, from Thursday afternoon to the end of Sunday.
 * Without a mail server it sends nothing, so that no old digests are sent once there is one. Safe to run at any time,
 * repeatedly and in several processes.
 */
export async function sendDigests(ctx: AppContext): Promise<void> {
  const due = findDueDigest(ctx.now())
  if (!due || !ctx.config.smtpUrl) return
  const digestRun = { ...due, getDigest: await cacheDigests(ctx, due.week) }
  let last: number | undefined = 0
  while (last !== undefined) {
    const after: number = last
    last = await ctx.sql.begin((sql) => sendBatch(ctx, sql, digestRun, after))
  }
}

/** Returns a function that creates the digest for what is followed, each only once. */
async function cacheDigests({ sql: pool, settings }: AppContext, week: Week): Promise<DigestRun['getDigest']> {
  const parents = await readParents(pool)
  const cache = new Map<string, Digest>()
  return async (sql, { followed, followed_names: names, followed_lists: lists }) => {
    const genreIds = withSubgenres(followed, parents)
    const key = JSON.stringify([genreIds, names, lists])
    const digest = cache.get(key) ?? (await buildDigest({ sql, settings }, week, { genreIds, names, lists }))
    if (cache.size < DIGEST_CACHE_SIZE) cache.set(key, digest)
    return digest
  }
}

/**
 * Queues emails to the next subscribers after this one, and returns the last of them; undefined when there are none.
 */
async function sendBatch(ctx: AppContext, sql: Sql, digestRun: DigestRun, after: number): Promise<number | undefined> {
  const subscribers = await nextSubscribers(sql, digestRun, after)
  const digests = new Map<number, Digest>()
  for (const subscriber of subscribers) {
    digests.set(subscriber.newsletter_subscriber_id, await digestRun.getDigest(sql, subscriber))
  }
  const claimed = await claimSubscribers(sql, digestRun.monday, digests)
  for (const subscriber of subscribers) {
    const digest = digests.get(subscriber.newsletter_subscriber_id)
    if (digest && countNewSongs(digest) > 0 && claimed.has(subscriber.newsletter_subscriber_id)) {
      await queueDigest(ctx, sql, subscriber, digest)
    }
  }
  return subscribers.at(-1)?.newsletter_subscriber_id
}

/**
 * Subscribers who confirmed after the digest was due get the next one. Their rows are locked, so that none is deleted
 * at the same time.
 */
const nextSubscribers = async (sql: Sql, { monday, week }: DigestRun, after: number): Promise<Subscriber[]> =>
  sql<Subscriber[]>`
    select n.newsletter_subscriber_id, n.email,
      array(select f.genre_id from followed_genre f join customer c using (customer_id)
        where lower(c.email) = lower(n.email) and c.status = 'active' order by 1) as followed,
      coalesce((select jsonb_agg(jsonb_build_object('kind', f.kind, 'keys', f.credit_keys) order by f.kind, f.credit_keys)
        from followed_name f join customer c using (customer_id)
        where lower(c.email) = lower(n.email) and c.status = 'active'), '[]') as followed_names,
      coalesce((select jsonb_agg(jsonb_build_object('kind', f.kind, 'list_id', f.list_id, 'chart', f.chart,
          'song_section_id', f.song_section_id) order by f.kind, f.list_id, f.chart, f.song_section_id)
        from followed_list f join customer c using (customer_id)
        where lower(c.email) = lower(n.email) and c.status = 'active'), '[]') as followed_lists
    from newsletter_subscriber n
    where n.state = 'subscribed' and not exists (
        select 1 from bounced_address b where b.address = lower(n.email) and b.hard >= ${MAX_HARD_BOUNCES})
      and n.confirmed_at < ${week.to} and n.newsletter_subscriber_id > ${after}
      and not exists (select 1 from newsletter_digest d
        where d.newsletter_subscriber_id = n.newsletter_subscriber_id and d.week = ${monday})
    order by n.newsletter_subscriber_id limit ${BATCH_SIZE} for key share of n`

/** Songs of lists are counted only if there are no others: most of them are also among the others. */
const countNewSongs = ({ total, lists }: Digest): number =>
  total || lists.reduce((sum, { newCount }) => sum + newCount, 0)

/**
 * Of two concurrent processes only one claims a subscriber. Subscribers without new songs are also marked for the week.
 */
async function claimSubscribers(sql: Sql, monday: string, digests: ReadonlyMap<number, Digest>): Promise<Set<number>> {
  const claimed = await sql<{ newsletter_subscriber_id: number }[]>`
    insert into newsletter_digest (newsletter_subscriber_id, week, songs)
    select id, ${monday}, songs
    from unnest(${[...digests.keys()]}::bigint[], ${[...digests.values()].map(countNewSongs)}::int[]) turns (id, songs)
    order by id
    on conflict do nothing returning newsletter_subscriber_id`
  return new Set(claimed.map((row) => row.newsletter_subscriber_id))
}

async function queueDigest(ctx: AppContext, sql: Sql, subscriber: Subscriber, digest: Digest): Promise<void> {
  const token = createUnsubscribeToken(ctx, subscriber.newsletter_subscriber_id)
  await queueMail(sql, weeklyDigest(ctx.settings.emailSender, subscriber.email, { token, digest }), {
    reference: subscriberReference(subscriber.newsletter_subscriber_id),
    headers: unsubscribeHeaders(ctx.settings.emailSender, token),
  })
}

const RETENTION_DAYS = 60

/** The records of sent digests are only needed during their week. */
export const sweepDigests = async (sql: Sql): Promise<void> => {
  await sql`delete from newsletter_digest where week < current_date - ${RETENTION_DAYS}::int`
}
