import { catalogue } from '@dubplate/contract'
import { addedWithin, findAsTyped, type Surroundings, surroundings } from '../catalogue/search-again.ts'
import { sectionsOf } from '../catalogue/sections.ts'
import { songsOf, theseSongs } from '../catalogue/songs.ts'
import { ofCustomer } from '../membership/letters.ts'
import { wantsMail } from '../notices/choices.ts'
import { notify } from '../notices/notices.ts'
import type { Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import type { World } from '../world.ts'
import { aboutSearch, addressOf, type Kept, keptColumns, mayComeIn } from './kept.ts'
import { type Finds, newMusic, newSongs } from './letters.ts'
import { countNew, MOST_NEW, readKept } from './new-songs.ts'

type Tools = Pick<World, 'sql' | 'settings' | 'log'>

/**
 * Tells members what is new for their saved searches: a notice for each search, and where it is wanted a letter for all of
 * them, at most one in a day. What came within the last minute waits for the next time: a song that is being written now
 * bears the moment at which that began.
 */
export async function tellSavedSearches(tools: Tools): Promise<void> {
  const { sql: pool, log } = tools
  const members = await membersToTell(pool)
  if (members.length === 0) return
  const around = await surroundings(pool)
  for (const member of members) {
    try {
      await pool.begin((sql) => tellMember({ ...tools, sql }, member, around))
    } catch (error) {
      log.error({ err: error, customer_id: member.customer_id }, 'Could not send saved search notifications')
    }
  }
}

const finished = (sql: Sql) => sql`now() - interval '1 minute'`

type Member = { customer_id: number; email: string; dj_name: string }

/** Something came into the section of a search that its member was not told of, or a letter of what they were told is due. */
const membersToTell = async (sql: Sql): Promise<Member[]> =>
  sql<Member[]>`
    select c.customer_id, c.email, c.dj_name from customer c
    where ${mayComeIn(sql)} and exists (
      select 1 from saved_search s where s.customer_id = c.customer_id and (${isLetterDue(sql)} or exists (
        select 1 from song where status = 'published' and song_section_id = any(
            case (s.query->>'song_section_id')::smallint when ${catalogue.ALL_SECTIONS} then ${sectionsOf(catalogue.ALL_SECTIONS)}::smallint[]
            else array[(s.query->>'song_section_id')::smallint] end)
          and created_at > greatest(s.told_at, s.seen_at) and created_at <= ${finished(sql)})))
    order by c.customer_id`

/** Of search `s`: it is to be mailed, the bell told of it since the last letter, and nobody has looked since. */
const isLetterDue = (sql: Sql) => sql`(s.by_mail and exists (
  select 1 from notice n where n.customer_id = s.customer_id and n.about = 'search ' || s.saved_search_id
    and n.created_at > greatest(s.seen_at, coalesce(s.mailed_at, s.created_at)))
  and not exists (select 1 from saved_search o where o.customer_id = s.customer_id and o.mailed_at > now() - interval '1 day'))`

type Turn = { around: Surroundings; until: string }
type Told = Kept & { told: string }
type InTransaction = { sql: Sql; settings: Tools['settings'] }

async function tellMember({ sql, settings }: InTransaction, member: Member, around: Surroundings): Promise<void> {
  const [at] = await sql<{ until: string }[]>`select (${finished(sql)})::text as until`
  const turn = { around, until: at?.until ?? '' }
  const kept = await sql<Told[]>`
    select ${keptColumns(sql)}, greatest(s.told_at, s.seen_at)::text as told from saved_search s
    where customer_id = ${member.customer_id} order by lower(name) for update`
  for (const search of kept) await ring(sql, search, turn)
  await sql`
    update saved_search set told_at = greatest(told_at, ${turn.until}::text::timestamptz)
    where customer_id = ${member.customer_id}`
  await write({ sql, settings }, member, turn)
}

/** The notice of a search that found something since the last: it says how much there is that was not seen. */
async function ring(sql: Sql, search: Told, { around, until }: Turn): Promise<void> {
  const read = readKept(search, around)
  if ((await countNew(sql, read, { after: search.told, until })) === 0) return
  const count = await countNew(sql, read, { after: search.seen, until })
  await notify(sql, {
    customer_id: search.customer_id,
    kind: 'search',
    text: `${newSongs(count, MOST_NEW)} for “${search.name}”`,
    address: addressOf(search.query),
    about: aboutSearch(search.saved_search_id),
  })
}

async function write({ sql, settings }: InTransaction, member: Member, turn: Turn): Promise<void> {
  const due = await sql<(Kept & { mailed: string })[]>`
    select ${keptColumns(sql)}, greatest(s.seen_at, coalesce(s.mailed_at - interval '1 minute', s.created_at))::text as mailed from saved_search s
    where customer_id = ${member.customer_id} and ${isLetterDue(sql)} order by lower(name)`
  if (due.length === 0 || !(await wantsMail(sql, member.customer_id, 'search'))) return
  const finds: Finds[] = []
  for (const search of due) {
    const found = await findsOf({ sql, settings }, search, { after: search.mailed, until: turn.until }, turn.around)
    if (found) finds.push(found)
  }
  if (finds.length === 0) return
  await queueMail(sql, newMusic(settings.letterhead, member, finds, MOST_NEW), {
    whose: ofCustomer(member.customer_id),
  })
  const ids = due.map(({ saved_search_id }) => saved_search_id)
  await sql`update saved_search set mailed_at = now() where saved_search_id = any(${ids}::bigint[])`
}

/** Songs a letter names of each search. */
const NAMED = 10

async function findsOf(
  { sql, settings }: InTransaction,
  search: Kept,
  moments: { after: string; until: string },
  around: Surroundings,
): Promise<Finds | undefined> {
  const { wish } = readKept(search, around)
  const added = wish && (await addedWithin(sql, wish.section, moments))
  if (!wish || !added) return undefined
  const ids = await findAsTyped(sql, wish, { limit: MOST_NEW, added })
  if (ids.length === 0) return undefined
  const songs = await songsOf(sql, theseSongs(sql, ids.slice(0, NAMED)), settings.downloadLimit)
  return { name: search.name, address: addressOf(search.query), count: ids.length, songs }
}
