import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'
import { deleteMailOf } from '../platform/outbox.ts'
import { subscriberReference } from './emails.ts'
import { changeSubscriberEmail } from './subscribers.ts'

/** A member's newsletter subscription and the genres, artists, labels and lists they follow. */
export const newsletterData: OwnData[] = [
  {
    name: 'newsletter',
    read: (sql, customerId) =>
      readBatches(
        () => sql<OwnRow[]>`
          select n.email, n.state, n.requested_at, n.confirmed_at, n.unsubscribed_at,
            (select count(*)::int from newsletter_digest d
              where d.newsletter_subscriber_id = n.newsletter_subscriber_id and d.songs > 0) as digests
          from newsletter_subscriber n join customer c on lower(n.email) = lower(c.email)
          where c.customer_id = ${customerId}`,
      ),
    // Runs before the account's email address is deleted, because it finds the subscription.
    deleteData: async (sql, customerId) => {
      const deleted = await sql<{ newsletter_subscriber_id: number; email: string }[]>`
        delete from newsletter_subscriber n using customer c
        where c.customer_id = ${customerId} and lower(n.email) = lower(c.email)
        returning n.newsletter_subscriber_id, n.email`
      for (const { newsletter_subscriber_id, email } of deleted) {
        await deleteMailOf(sql, { reference: subscriberReference(newsletter_subscriber_id), to: email })
      }
    },
    changeAddress: changeSubscriberEmail,
  },
  {
    name: 'followed-genres',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select genre_id, name, followed_at from followed_genre join genre using (genre_id)
          where customer_id = ${customerId} order by followed_at, genre_id limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) =>
      void (await sql`delete from followed_genre where customer_id = ${customerId}`),
  },
  {
    name: 'followed-names',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select kind, name, followed_at from followed_name
          where customer_id = ${customerId} order by followed_at, kind, credit_keys limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) =>
      void (await sql`delete from followed_name where customer_id = ${customerId}`),
  },
  {
    name: 'followed-lists',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select f.kind, case when f.kind in ('playlist', 'spotlight') then list_id end as id, coalesce(p.title, l.title) as title,
            nullif(chart, '') as chart, g.name as genre, followed_at, opened_at
          from followed_list f
          left join playlist p on f.kind = 'playlist' and p.playlist_id = list_id and p.public and p.deleted_at is null
          left join curated_list l on f.kind = 'spotlight' and curated_list_id = list_id
          left join genre g on f.kind = 'chart' and genre_id = list_id
          where f.customer_id = ${customerId} order by followed_at, f.kind, list_id, chart, song_section_id
          limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) =>
      void (await sql`delete from followed_list where customer_id = ${customerId}`),
  },
]
