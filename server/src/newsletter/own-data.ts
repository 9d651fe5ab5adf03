import { inBatches, type OwnData, type OwnRow } from '../membership/own-data.ts'
import { forgetMail } from '../platform/outbox.ts'
import { ofSubscriber } from './letters.ts'
import { moveSubscription } from './subscribers.ts'

/** Whether a member's address has the newsletter, and which genres they follow. */
export const newsletterData: OwnData[] = [
  {
    name: 'newsletter',
    read: (sql, customerId) =>
      inBatches(
        () => sql<OwnRow[]>`
          select n.email, n.state, n.asked_at, n.confirmed_at, n.left_at,
            (select count(*)::int from newsletter_digest d
              where d.newsletter_subscriber_id = n.newsletter_subscriber_id and d.songs > 0) as digests
          from newsletter_subscriber n join customer c on lower(n.email) = lower(c.email)
          where c.customer_id = ${customerId}`,
      ),
    // Before the account's own address goes, by which it is found.
    forget: async (sql, customerId) => {
      const gone = await sql<{ newsletter_subscriber_id: number; email: string }[]>`
        delete from newsletter_subscriber n using customer c
        where c.customer_id = ${customerId} and lower(n.email) = lower(c.email)
        returning n.newsletter_subscriber_id, n.email`
      for (const { newsletter_subscriber_id, email } of gone) {
        await forgetMail(sql, { whose: ofSubscriber(newsletter_subscriber_id), to: email })
      }
    },
    moveAddress: moveSubscription,
  },
  {
    name: 'followed-genres',
    read: (sql, customerId) =>
      inBatches(
        (limit, offset) => sql<OwnRow[]>`
          select genre_id, name, since from followed_genre join genre using (genre_id)
          where customer_id = ${customerId} order by since, genre_id limit ${limit} offset ${offset}`,
      ),
    forget: async (sql, customerId) => void (await sql`delete from followed_genre where customer_id = ${customerId}`),
  },
]
