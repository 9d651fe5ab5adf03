import { type ParsedInputOf, type ReplyOf, savedSearches } from '@dubplate/contract'
import { readAgain, surroundings } from '../catalogue/search-again.ts'
import { noticeSeen } from '../notices/notices.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { feedUrl } from './feed-address.ts'
import { aboutSearch, type Kept, type KeptQuery, keptColumns, unknownSearch } from './kept.ts'
import { asSearch, countNew, readKept } from './new-songs.ts'

const { MOST_SEARCHES } = savedSearches
type Tools = Pick<World, 'sql' | 'config' | 'signing'>

/** A member's searches by name, each with how much is new. One that cannot be asked any more says why. */
export async function listSearches(tools: Tools, customerId: number): Promise<savedSearches.SavedSearch[]> {
  const { sql } = tools
  const kept = await sql<Kept[]>`
    select ${keptColumns(sql)} from saved_search s where customer_id = ${customerId}
    order by lower(name), saved_search_id`
  return show(tools, kept)
}

async function show(tools: Tools, kept: readonly Kept[]): Promise<savedSearches.SavedSearch[]> {
  if (kept.length === 0) return []
  const around = await surroundings(tools.sql)
  const shown: savedSearches.SavedSearch[] = []
  // One after the other: whoever keeps fifty takes no more of the database than others do.
  for (const search of kept) {
    const { saved_search_id, name, query, by_mail, seen_at, seen } = search
    const read = readKept(search, around)
    shown.push({
      ...{ saved_search_id, name, query, by_mail },
      seen_at: seen_at.toISOString(),
      new_songs: await countNew(tools.sql, read, { after: seen }),
      feed_url: feedUrl(tools, search),
      trouble: read.trouble,
    })
  }
  return shown
}

async function showOne(tools: Tools, kept: Kept): Promise<savedSearches.SavedSearch> {
  const [shown] = await show(tools, [kept])
  if (!shown) throw new Error('Saved search could not be read back after saving')
  return shown
}

const nameTaken = (name: string) => new Refusal('name_taken', `You already have a saved search named “${name}”.`)

/** What is kept of what was asked: numbers as they are typed, each version once. */
const queryOf = ({ searchTerm, genre_id, SongEntitySearch: fields, ...asked }: Wish['query']): KeptQuery => ({
  searchTerm: searchTerm.trim(),
  genre_id: genre_id ?? null,
  SongEntitySearch: {
    title: fields.title.trim(),
    artist: fields.artist.trim(),
    bpm: String(fields.bpm).trim(),
    song_key: fields.song_key.trim(),
    year: String(fields.year).trim(),
  },
  versions: [...new Set(asked.versions)],
  not_downloaded: asked.not_downloaded,
  song_section_id: asked.song_section_id,
})

type Wish = ParsedInputOf<typeof savedSearches.saveSearch>

/** Keeps a search. Refuses `too_many_searches`, `name_taken`, and what cannot be asked: `invalid_filter`, `query_too_short`. */
export async function saveSearch(tools: Tools, customerId: number, wish: Wish): Promise<savedSearches.SavedSearch> {
  const query = queryOf(wish.query)
  readAgain(asSearch({ query }), { ...(await surroundings(tools.sql)), customer_id: customerId })
  const kept = await tools.sql.begin(async (sql) => {
    // A member's searches are kept one after the other, for their number.
    await sql`select 1 from customer where customer_id = ${customerId} for no key update`
    const [own] = await sql<{ n: number }[]>`
      select count(*)::int as n from saved_search where customer_id = ${customerId}`
    if ((own?.n ?? 0) >= MOST_SEARCHES)
      throw new Refusal(
        'too_many_searches',
        `You’ve reached the limit of ${MOST_SEARCHES} saved searches. Delete one first.`,
      )
    const [added] = await sql<Kept[]>`
      insert into saved_search as s (customer_id, name, query, by_mail)
      values (${customerId}, ${wish.name}, ${sql.json(query)}, ${wish.by_mail})
      on conflict (customer_id, lower(name)) do nothing returning ${keptColumns(sql)}`
    if (!added) throw nameTaken(wish.name)
    return added
  })
  return showOne(tools, kept)
}

/** Renames a search, switches its mail, gives its feed another address. Refuses `unknown_search`, `name_taken`. */
export async function changeSearch(
  tools: Tools,
  customerId: number,
  { saved_search_id, name, by_mail, new_feed }: ParsedInputOf<typeof savedSearches.changeSearch>,
): Promise<savedSearches.SavedSearch> {
  const { sql } = tools
  const [kept] = await sql<Kept[]>`
    update saved_search s set name = coalesce(${name ?? null}, name), by_mail = coalesce(${by_mail ?? null}, by_mail),
      feed_version = feed_version + ${new_feed ? 1 : 0}
    where saved_search_id = ${saved_search_id} and customer_id = ${customerId}
    returning ${keptColumns(sql)}`.catch((error) => {
    if ((error as { constraint_name?: string }).constraint_name === 'saved_search_own') throw nameTaken(name ?? '')
    throw error
  })
  if (!kept) throw unknownSearch()
  return showOne(tools, kept)
}

/** What it finds by now has been seen, and its notice with it. Refuses `unknown_search`. */
export async function markSeen(
  sql: Sql,
  customerId: number,
  id: number,
): Promise<ReplyOf<typeof savedSearches.markSeen>> {
  const [seen] = await sql<{ seen_at: Date }[]>`
    update saved_search set seen_at = now() where saved_search_id = ${id} and customer_id = ${customerId}
    returning seen_at`
  if (!seen) throw unknownSearch()
  await noticeSeen(sql, customerId, aboutSearch(id))
  return { seen_at: seen.seen_at.toISOString() }
}

/** Throws a search away, and what was told of it is not news any more. Refuses `unknown_search`. */
export async function removeSearch(sql: Sql, customerId: number, id: number): Promise<void> {
  const gone = await sql`
    delete from saved_search where saved_search_id = ${id} and customer_id = ${customerId} returning 1`
  if (gone.length === 0) throw unknownSearch()
  await noticeSeen(sql, customerId, aboutSearch(id))
}
