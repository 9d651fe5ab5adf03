import type { newsletter, ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { clearBounces } from '../platform/bounces.ts'
import { networkOf } from '../platform/client-network.ts'
import type { Sql } from '../platform/db.ts'
import { moveMail, queueMail } from '../platform/outbox.ts'
import { incrementCount } from '../platform/rate-counter.ts'
import { confirmSubscriptionEmail, subscriberReference, unsubscribeHeaders, welcomeEmail } from './emails.ts'
import {
  CONFIRM_MINUTES,
  createConfirmToken,
  createUnsubscribeToken,
  parseConfirmToken,
  parseUnsubscribeToken,
} from './tokens.ts'

const MAX_EMAILS_PER_DAY = 3
const MAX_REQUESTS_PER_SENDER_PER_HOUR = 10
const DAY_MINUTES = 24 * 60

/**
 * Requests a subscription: sends an email with a link to the address. Behaves the same whether or not the address is
 * subscribed or has an account, so that neither the response nor its duration reveals that. Throws `rate_limited` for a
 * network with too many requests; an address that has had its emails of the day is silently ignored.
 */
export async function requestSubscription(
  ctx: AppContext,
  { email, ip }: { email: string; ip: string },
): Promise<void> {
  const address = email.toLowerCase()
  await rejectTooMany(ctx.sql, networkOf(ip))
  await ctx.sql.begin(async (sql) => {
    const hasReachedLimit = (await incrementCount(sql, 'newsletter letter', address, DAY_MINUTES)) > MAX_EMAILS_PER_DAY
    if (hasReachedLimit) return
    const id = await recordRequest(sql, address)
    await queueMail(sql, confirmSubscriptionEmail(ctx.settings.emailSender, address, createConfirmToken(ctx, id)), {
      reference: subscriberReference(id),
      linkMinutes: CONFIRM_MINUTES,
    })
  })
}

async function rejectTooMany(sql: Sql, sender: string): Promise<void> {
  if ((await incrementCount(sql, 'newsletter from here', sender, 60)) <= MAX_REQUESTS_PER_SENDER_PER_HOUR) return
  throw new ApiError('rate_limited', 'Too many requests. Try again in an hour.')
}

/** A request does not change an address that is subscribed or unsubscribed: only the link emailed to it does. */
async function recordRequest(sql: Sql, email: string): Promise<number> {
  const [row] = await sql<{ newsletter_subscriber_id: number }[]>`
    insert into newsletter_subscriber (email) values (${email})
    on conflict (lower(email)) do update set requested_at = now() returning newsletter_subscriber_id`
  if (!row) throw new Error('Newsletter subscription insert returned no id')
  return row.newsletter_subscriber_id
}

type Subscribed = { email: string }

/**
 * Confirms a subscription by the link in that email; the first time, a welcome email is sent. Throws `invalid_link` and
 * `link_expired`.
 */
export async function confirmSubscription(ctx: AppContext, token: string): Promise<Subscribed> {
  const id = parseConfirmToken(ctx, token)
  return ctx.sql.begin(async (sql) => {
    const [before] = await sql<{ state: string }[]>`
      select state from newsletter_subscriber where newsletter_subscriber_id = ${id} for update`
    const subscribed = subscriberOrError(await subscribeAgain(sql, id))
    // The link was in an email that arrived.
    await clearBounces(sql, subscribed.email)
    if (before?.state !== 'subscribed') await sendWelcome(ctx, sql, id, subscribed)
    return subscribed
  })
}

async function sendWelcome(ctx: AppContext, sql: Sql, id: number, { email }: Subscribed): Promise<void> {
  const token = createUnsubscribeToken(ctx, id)
  await queueMail(sql, welcomeEmail(ctx.settings.emailSender, email, token), {
    reference: subscriberReference(id),
    headers: unsubscribeHeaders(ctx.settings.emailSender, token),
  })
}

/** Unsubscribes by the link in every newsletter. Has no effect if already unsubscribed. Throws `invalid_link`. */
export async function unsubscribe(ctx: AppContext, token: string): Promise<Subscribed> {
  const id = parseUnsubscribeToken(ctx, token)
  const [unsubscribed] = await ctx.sql<Subscribed[]>`
    update newsletter_subscriber set state = 'unsubscribed', unsubscribed_at = case when state = 'unsubscribed' then unsubscribed_at else now() end
    where newsletter_subscriber_id = ${id} returning email`
  return subscriberOrError(unsubscribed)
}

/** Undoes unsubscribing by the same link: only a recipient of a newsletter has it. Throws `invalid_link`. */
export async function resubscribe(ctx: AppContext, token: string): Promise<Subscribed> {
  return subscriberOrError(await subscribeAgain(ctx.sql, parseUnsubscribeToken(ctx, token)))
}

async function subscribeAgain(sql: Sql, subscriberId: number): Promise<Subscribed | undefined> {
  const [subscribed] = await sql<Subscribed[]>`
    update newsletter_subscriber set state = 'subscribed', unsubscribed_at = null,
      confirmed_at = case when state = 'subscribed' then confirmed_at else now() end
    where newsletter_subscriber_id = ${subscriberId} returning email`
  return subscribed
}

/** A link can be used after the account of its address was deleted. */
function subscriberOrError(subscribed: Subscribed | undefined): Subscribed {
  if (!subscribed)
    throw new ApiError('invalid_link', 'This link belongs to an email address that is no longer subscribed.')
  return subscribed
}

type MailingState = ReplyOf<typeof newsletter.getMailing>['state']

/** Returns the newsletter state of a member's own address. */
export async function getMailingState(sql: Sql, customerId: number): Promise<MailingState> {
  const [row] = await sql<{ state: 'pending' | 'subscribed' | 'unsubscribed' }[]>`
    select n.state from newsletter_subscriber n join customer c on lower(n.email) = lower(c.email)
    where c.customer_id = ${customerId}`
  return !row || row.state === 'unsubscribed' ? 'none' : row.state
}

/**
 * Saves a member's own choice; their address was confirmed when they joined. Locks the member's row, so that a
 * concurrent account deletion either deletes the subscription too or happens first.
 */
export async function saveMailingChoices(sql: Sql, customerId: number, subscribed: boolean): Promise<MailingState> {
  if (subscribed) {
    await sql`
      insert into newsletter_subscriber as n (email, state, confirmed_at)
      select lower(email), 'subscribed', now() from customer
      where customer_id = ${customerId} and status <> 'deleted' for share
      on conflict (lower(email)) do update set state = 'subscribed', unsubscribed_at = null,
        confirmed_at = case when n.state = 'subscribed' then n.confirmed_at else now() end`
  } else {
    await sql`
      update newsletter_subscriber n set state = 'unsubscribed', unsubscribed_at = now() from customer c
      where c.customer_id = ${customerId} and lower(n.email) = lower(c.email) and n.state <> 'unsubscribed'`
  }
  return getMailingState(sql, customerId)
}

/**
 * Moves a member's subscription to their new address, in the caller's transaction, so that it is deleted with their
 * account. If the new address is already known it keeps its state, except that an unconfirmed one is now confirmed.
 */
export async function changeSubscriberEmail(sql: Sql, { from, to }: { from: string; to: string }): Promise<void> {
  const [existing] = await sql<{ id: number }[]>`
    select newsletter_subscriber_id as id from newsletter_subscriber where lower(email) = lower(${to}) for update`
  if (!existing) {
    await sql`update newsletter_subscriber set email = lower(${to}) where lower(email) = lower(${from})`
    return
  }
  const [deleted] = await sql<{ id: number; state: string }[]>`
    delete from newsletter_subscriber where lower(email) = lower(${from}) returning newsletter_subscriber_id as id, state`
  if (!deleted) return
  if (deleted.state === 'subscribed') {
    await sql`
      update newsletter_subscriber set state = 'subscribed', confirmed_at = now()
      where newsletter_subscriber_id = ${existing.id} and state = 'pending'`
  }
  await moveMail(sql, subscriberReference(deleted.id), subscriberReference(existing.id))
}

/** Deletes subscriptions whose link was never opened, when it expires. */
export async function sweepUnconfirmed(sql: Sql): Promise<void> {
  await sql`
    delete from newsletter_subscriber
    where state = 'pending' and requested_at < now() - make_interval(mins => ${CONFIRM_MINUTES + DAY_MINUTES})`
}
