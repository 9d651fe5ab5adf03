import { HOUSE } from '@dubplate/demo/world'
import type { Sql } from '../platform/db.ts'
import { ANNOUNCEMENTS, OPENINGS, PAGES } from './site-texts.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const PAGES_UPDATED_DAYS_AGO = 12

/** Adds the pages, job openings and announcements of the demo's staff, and a DJ who gets the newsletter. */
export async function fillSite(sql: Sql, { dj, staff, now }: { dj: number; staff: number; now: Date }): Promise<void> {
  const inHours = (hours: number) => new Date(now.getTime() + hours * HOUR)
  const pages = Object.entries(PAGES).map(([slug, text]) => ({
    ...{ slug, ...text, updated_by: staff, updated_at: new Date(now.getTime() - PAGES_UPDATED_DAYS_AGO * DAY) },
  }))
  const announcements = ANNOUNCEMENTS.map(({ from_hours, until_hours, ...announcement }) => ({
    ...announcement,
    published_at: inHours(from_hours),
    ended_at: until_hours === undefined ? null : inHours(until_hours),
  }))
  await sql`insert into page ${sql(pages)}`
  await sql`insert into job_opening ${sql(OPENINGS.map((opening, n) => ({ ...opening, position: n + 1 })))}`
  await sql`insert into announcement ${sql(announcements)}`
  await sql`update announcement set written_by = ${staff}`
  await sql`
    insert into newsletter_subscriber (email, state, requested_at, confirmed_at)
    select email, 'subscribed', created_at, created_at from customer where customer_id = ${dj}`
  await sql`insert into followed_genre (customer_id, genre_id, followed_at) values (${dj}, ${HOUSE}, ${inHours(-40)})`
}
