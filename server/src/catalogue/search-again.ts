import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { versionKinds } from './search-call.ts'
import { allGenres } from './search-names.ts'
import type { Added } from './search-plan.ts'
import { findIds, groupOf, prepare } from './search-tiers.ts'
import { type Around, readWish, type SearchForm, type SearchWish } from './search-wish.ts'
import { sectionsOf } from './sections.ts'

/** What names and codes mean in the pool as it is now: asked once for many searches. */
export type Surroundings = Omit<Around, 'customer_id'>

export async function surroundings(sql: Sql): Promise<Surroundings> {
  const [genres, kinds] = await Promise.all([allGenres(sql), versionKinds(sql)])
  return { genres, kinds }
}

export type KeptSearch = SearchForm & { searchTerm: string }

/**
 * Reads a search that was asked before, for a member. Refuses `invalid_filter`, also where what it looks for is not there any
 * more, and `query_too_short`.
 */
export function readAgain(kept: KeptSearch, around: Around): SearchWish {
  const { genre_id, versions } = kept
  if (genre_id && !around.genres.some(({ id }) => id === genre_id))
    throw new Refusal('invalid_filter', 'The genre in this search no longer exists.')
  if (versions.length > 0 && !around.kinds.some(({ version_code }) => versions.includes(version_code)))
    throw new Refusal('invalid_filter', 'The versions in this search no longer exist.')
  const { wish } = readWish(kept.searchTerm, kept, around)
  if (!wish) throw new Refusal('query_too_short', 'This search is empty. Add a word or a filter.')
  return wish
}

/** More new songs than this, and where they begin is not worth knowing. */
const MOST_ADDED = 5000

/**
 * The songs of a section that came after a moment and, where given, up to another (both as PostgreSQL writes them), for
 * `findAdded`; undefined where none did.
 */
export async function addedWithin(
  sql: Sql,
  section: number,
  { after, until }: Pick<Added, 'after' | 'until'>,
): Promise<Added | undefined> {
  const [added] = await sql<{ n: number; first: number | null }[]>`
    select count(*)::int as n, min(entity_id) as first from (
      select added.entity_id from unnest(${sectionsOf(section)}::smallint[]) of (section) cross join lateral (
        select entity_id from song
        where status = 'published' and song_section_id = of.section and created_at > ${after}::text::timestamptz
          and created_at <= coalesce(${until ?? null}::text::timestamptz, 'infinity')
        order by created_at limit ${MOST_ADDED + 1}) added) newer`
  if (!added?.first) return undefined
  return { after, until, above: added.n > MOST_ADDED ? 0 : added.first - 1 }
}

/** What a search finds as it was typed, at the tempo asked for: the newest `limit` songs, of those added where given. */
export async function findAsTyped(
  sql: Sql,
  wish: SearchWish,
  { limit, added }: { limit: number; added?: Added | undefined },
): Promise<number[]> {
  const quest = await prepare(sql, wish)
  const words = wish.words.map((wanted) => groupOf(wanted, quest.vocabulary))
  if (words.some(({ expected }) => expected === 0)) return []
  if (quest.vocabulary.newest <= (added?.above ?? 0)) return []
  return findIds(quest, words, { offset: 0, limit, added })
}

/** The same among what was added, counted to `most`. */
export async function countAdded(
  sql: Sql,
  wish: SearchWish,
  moments: Pick<Added, 'after' | 'until'>,
  most: number,
): Promise<number> {
  const added = await addedWithin(sql, wish.section, moments)
  return added ? (await findAsTyped(sql, wish, { limit: most, added })).length : 0
}
