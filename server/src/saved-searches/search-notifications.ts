import { catalogue } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { sectionsOf } from '../catalogue/sections.ts'
import { songsOf } from '../catalogue/songs.ts'
import { customerReference } from '../membership/emails.ts'
import { wantsEmail } from '../notices/notification-choices.ts'
import { notify } from '../notices/notifications.ts'
import type { Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import {
  findAddedWithin,
  findAsTyped,
  readSearchEnvironment,
  type SearchEnvironment,
} from '../search/saved-search-query.ts'
import { newMusicEmail, newSongsText, type SearchFinds } from './emails.ts'
import { countNewSongs, MAX_NEW_SONGS, parseSavedSearch } from './new-songs.ts'
import { canSignIn, type SavedSearchRow, savedSearchColumns, searchSubject, searchUrl } from './saved-search-rows.ts'

type SavedSearchContext = Pick<AppContext, 'sql' | 'settings' | 'log'>

/**
 * Notifies members of new songs for their saved searches: a notification for each search and, if turned on, an email
 * for all of them, at most one per day. Songs of the last minute wait until the next run: one that is being inserted
 * now has the time its transaction began.
 */
export async function notifySavedSearches(ctx: SavedSearchContext): Promise<void> {
  const { sql: pool, log } = ctx
  const members = await findMembersToNotify(pool)
  if (members.length === 0) return
  const context = await readSearchEnvironment(pool)
  for (const member of members) {
    try {
      await pool.begin((sql) => notifyMember({ ...ctx, sql }, member, context))
    } catch (error) {
      log.error({ err: error, customer_id: member.customer_id }, 'Could not send saved search notifications')
    }
  }
}

const finishedBefore = (sql: Sql) => sql`now() - interval '1 minute'`

type Member = { customer_id: number; email: string; dj_name: string }

/** Members with a search whose section has songs they were not notified of, or with a due email. */
const findMembersToNotify = async (sql: Sql): Promise<Member[]> =>
  sql<Member[]>`
    select c.customer_id, c.email, c.dj_name from customer c
    where ${canSignIn(sql)} and exists (
      select 1 from saved_search s where s.customer_id = c.customer_id and (${isEmailDue(sql)} or exists (
        select 1 from song where status = 'published' and song_section_id = any(
            case (s.query->>'song_section_id')::smallint when ${catalogue.ALL_SECTIONS} then ${sectionsOf(catalogue.ALL_SECTIONS)}::smallint[]
            else array[(s.query->>'song_section_id')::smallint] end)
          and created_at > greatest(s.notified_at, s.seen_at) and created_at <= ${finishedBefore(sql)})))
    order by c.customer_id`

/** For search `s`: emails are on, the bell notified since the last email, and the search was not opened since. */
const isEmailDue = (sql: Sql) => sql`(s.by_email and exists (
  select 1 from notification n where n.customer_id = s.customer_id and n.subject = 'search ' || s.saved_search_id
    and n.created_at > greatest(s.seen_at, coalesce(s.mailed_at, s.created_at)))
  and not exists (select 1 from saved_search o where o.customer_id = s.customer_id and o.mailed_at > now() - interval '1 day'))`

type NotifyRun = { context: SearchEnvironment; until: string }
type NotifiedSearch = SavedSearchRow & { notified: string }
type NotifyContext = { sql: Sql; settings: SavedSearchContext['settings'] }

async function notifyMember(
  { sql, settings }: NotifyContext,
  member: Member,
  context: SearchEnvironment,
): Promise<void> {
  const [at] = await sql<{ until: string }[]>`select (${finishedBefore(sql)})::text as until`
  const notifyRun = { context, until: at?.until ?? '' }
  const searches = await sql<NotifiedSearch[]>`
    select ${savedSearchColumns(sql)}, greatest(s.notified_at, s.seen_at)::text as notified from saved_search s
    where customer_id = ${member.customer_id} order by lower(name) for update`
  for (const search of searches) await createNotification(sql, search, notifyRun)
  await sql`
    update saved_search set notified_at = greatest(notified_at, ${notifyRun.until}::text::timestamptz)
    where customer_id = ${member.customer_id}`
  await queueDigestEmail({ sql, settings }, member, notifyRun)
}

/** Creates the notification for a search with new songs: it gives the number of songs not seen yet. */
async function createNotification(sql: Sql, search: NotifiedSearch, { context, until }: NotifyRun): Promise<void> {
  const read = parseSavedSearch(search, context)
  if ((await countNewSongs(sql, read, { after: search.notified, until })) === 0) return
  const count = await countNewSongs(sql, read, { after: search.seen, until })
  await notify(sql, {
    customer_id: search.customer_id,
    kind: 'search',
    text: `${newSongsText(count, MAX_NEW_SONGS)} for “${search.name}”`,
    address: searchUrl(search.query),
    about: searchSubject(search.saved_search_id),
  })
}

async function queueDigestEmail({ sql, settings }: NotifyContext, member: Member, notifyRun: NotifyRun): Promise<void> {
  const due = await sql<(SavedSearchRow & { mailed: string })[]>`
    select ${savedSearchColumns(sql)}, greatest(s.seen_at, coalesce(s.mailed_at - interval '1 minute', s.created_at))::text as mailed from saved_search s
    where customer_id = ${member.customer_id} and ${isEmailDue(sql)} order by lower(name)`
  if (due.length === 0 || !(await wantsEmail(sql, member.customer_id, 'search'))) return
  const finds: SearchFinds[] = []
  for (const search of due) {
    const matches = await findNewSongs(
      { sql, settings },
      search,
      { after: search.mailed, until: notifyRun.until },
      notifyRun.context,
    )
    if (matches) finds.push(matches)
  }
  if (finds.length === 0) return
  await queueMail(sql, newMusicEmail(settings.emailSender, member, finds, MAX_NEW_SONGS), {
    reference: customerReference(member.customer_id),
  })
  const ids = due.map(({ saved_search_id }) => saved_search_id)
  await sql`update saved_search set mailed_at = now() where saved_search_id = any(${ids}::bigint[])`
}

/** The most songs an email lists for each search. */
const MAX_SONGS_LISTED = 10

async function findNewSongs(
  { sql, settings }: NotifyContext,
  search: SavedSearchRow,
  period: { after: string; until: string },
  context: SearchEnvironment,
): Promise<SearchFinds | undefined> {
  const { params } = parseSavedSearch(search, context)
  const added = params && (await findAddedWithin(sql, params.section, period))
  if (!params || !added) return undefined
  const ids = await findAsTyped(sql, params, { limit: MAX_NEW_SONGS, added })
  if (ids.length === 0) return undefined
  const songs = await songsOf(sql, ids.slice(0, MAX_SONGS_LISTED), settings.downloadLimit)
  return { name: search.name, address: searchUrl(search.query), count: ids.length, songs }
}
