import { type catalogue, ownLibrary, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { songsOf } from '../catalogue/songs.ts'
import type { Sql } from '../platform/db.ts'
import { unknownLibraryError } from './libraries.ts'

type MatchRow = Omit<ownLibrary.EntryMatch, 'file_name' | 'folder'> & { path_parts: string[] }

/** An entry `e` as it is shown. `pending` entries are those that are compared for the first time. */
const matchColumns = (sql: Sql) => sql`
  e.entry_id, e.library_id, e.artist, e.title, e.version, e.path_parts, e.duration_seconds, e.state, e.decision,
  e.reason, e.entity_id, e.song_version_id,
  case when e.entity_id is not null then (select c.confidence from own_library_candidate c
    where c.entry_id = e.entry_id and c.entity_id = e.entity_id order by c.rank limit 1) end as confidence,
  (select coalesce(json_agg(json_build_object('entity_id', c.entity_id, 'song_version_id', c.song_version_id,
      'confidence', c.confidence) order by c.rank), '[]')
    from own_library_candidate c where c.entry_id = e.entry_id) as candidates`

const toMatch = ({ path_parts, ...row }: MatchRow): ownLibrary.EntryMatch => ({
  ...row,
  file_name: path_parts.at(-1) ?? '',
  folder: path_parts.slice(0, -1).join('/'),
})

type Context = Pick<AppContext, 'settings'> & { sql: Sql }
type Matches = { matches: ownLibrary.EntryMatch[]; songs: catalogue.Song[] }

/** These entries in this order, with the songs that they refer to. */
export async function showEntries({ sql, settings }: Context, entryIds: readonly number[]): Promise<Matches> {
  const rows = await sql<MatchRow[]>`
    select ${matchColumns(sql)} from unnest(${[...entryIds]}::bigint[]) with ordinality ids (entry_id, position)
    join own_library_entry e using (entry_id) order by ids.position`
  const songIds = new Set(
    rows.flatMap(({ entity_id, candidates }) => [
      ...(entity_id === null ? [] : [entity_id]),
      ...candidates.map((candidate) => candidate.entity_id),
    ]),
  )
  const songs = await songsOf(sql, [...songIds], settings.downloadLimit)
  return { matches: rows.map(toMatch), songs }
}

/** A page of the files of a member's libraries. Throws `unknown_library`. */
export async function listMatches(
  ctx: Context,
  customerId: number,
  { library_id, state, search, page }: ParsedInputOf<typeof ownLibrary.getMatches>,
): Promise<ReplyOf<typeof ownLibrary.getMatches>> {
  const { sql } = ctx
  const libraries = await sql<{ library_id: number }[]>`
    select library_id from own_library where customer_id = ${customerId} and is_listed
      ${library_id ? sql`and library_id = ${library_id}` : sql``}`
  if (library_id && libraries.length === 0) throw unknownLibraryError()
  const limit = ownLibrary.MATCHES_PER_PAGE
  const found = sql`
    from own_library_entry e
    where e.library_id = any(${libraries.map((library) => library.library_id)}::bigint[]) and e.state = ${state}
      ${containsWords(sql, search)}`
  const [rows, [counted]] = await Promise.all([
    sql<{ entry_id: number }[]>`
      select e.entry_id ${found} order by e.library_id, e.n limit ${limit} offset ${(page - 1) * limit}`,
    sql<{ n: number }[]>`select count(*)::int as n ${found}`,
  ])
  const shown = await showEntries(
    ctx,
    rows.map(({ entry_id }) => entry_id),
  )
  return { ...shown, pagination: { page, perPageLimit: limit, totalCount: counted?.n ?? 0 } }
}

function containsWords(sql: Sql, search: string) {
  const patterns = search
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
  return patterns.length === 0
    ? sql``
    : sql`and concat_ws(' ', e.artist, e.title, e.version, e.path_parts[cardinality(e.path_parts)])
        ilike all(${patterns}::text[])`
}
