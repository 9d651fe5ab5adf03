import { MAX_COUNTED_ROWS, type ParsedInputOf, type ReplyOf, staffSongs } from '@dubplate/contract'
import { countPages, countUpTo } from '../platform/count-up-to.ts'
import type { Sql, SqlFragment } from '../platform/db.ts'
import { songImage } from './images.ts'
import { NO_GENRE } from './search-index.ts'
import { theseSongs } from './songs.ts'
import type { Origins } from './value-sources.ts'
import { tempoColumns } from './version-values.ts'
import { normalizePhrase } from './words.ts'

const { LACKS, MAX_SELECTED_SONGS } = staffSongs

export type Filters = ParsedInputOf<typeof staffSongs.countSongs>
type MissingField = (typeof LACKS)[number]

/** The same expression as in the index `song_staff_search`. */
const words = (sql: Sql) =>
  sql`to_tsvector('simple', translate(s.song_identity, '|', ' ') || ' ' || s.album || ' ' || s.label)`

/**
 * Selects songs `s` that lack a value, as in `toStaffSong`. Every song without a picture has a generated cover; it is missing a cover unless
 * it was added with a seed, because then the generated cover was designed for it (the demo's songs).
 */
export const missingFieldFilter = (sql: Sql, missingField: MissingField) =>
  missingField === 'genre' ? hasNoGenre(sql) : hasNoValue(sql, missingField)

const hasNoGenre = (sql: Sql) => sql`
  s.entity_id in (
    select entity_id from song_search where tsv @@ ${`'${NO_GENRE}'`}::tsquery
    union all
    select entity_id from song other where status <> 'published' and not exists (
      select 1 from song_genre sg join genre g using (genre_id) where sg.entity_id = other.entity_id and g.kind = 'genre'))`

const hasNoValue = (sql: Sql, missingField: Exclude<MissingField, 'genre'>) =>
  ({
    key: sql`s.key_position is null`,
    bpm: sql`s.min_bpm is null`,
    art: sql`s.artwork_id is null and s.cover_seed = 0`,
    year: sql`s.year is null`,
  })[missingField]

const ISRC = /^[a-z]{2}-?[a-z0-9]{3}-?\d{2}-?\d{5}$/i
const MAX_INT4 = 2_147_483_647
/** Too many words begin with a single character, so it is matched as a whole word. */
const SINGLE_CHARACTER = /^[a-z0-9]$/

/** The condition for a song `s` that matches the search text: prefixes of all words, an id or an ISRC. */
function findFilter(sql: Sql, find: string): SqlFragment {
  const number = Number(/^#?(\d{1,10})$/.exec(find)?.[1] ?? 0)
  const prefixPhrase = normalizePhrase(find)
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => (SINGLE_CHARACTER.test(word) ? `'${word}'` : `'${word}':*`))
    .join(' & ')
  const hasNumber = number > 0 && number <= MAX_INT4
  const isrc = ISRC.test(find) && find.replace(/-/g, '').toUpperCase()
  return sql`(
    ${words(sql)} @@ to_tsquery('simple', ${prefixPhrase})
    ${hasNumber ? sql`or s.entity_id = ${number}` : sql``}
    ${isrc ? sql`or (s.isrc <> '' and s.isrc = ${isrc})` : sql``})`
}

/**
 * The songs `s` that match the search text, from its indexes. OFFSET 0 makes it a query of its own: as a filter of an index
 * scan in another order, the words of each song would be split again.
 */
const searched = (sql: Sql, { find }: Filters) =>
  find === '' ? sql`song s` : sql`(select * from song s where ${findFilter(sql, find)} offset 0) s`

/** The FROM and WHERE clauses of the filters. */
const matching = (sql: Sql, filters: Filters) => sql`
  ${searched(sql, filters)} where true ${andMatches(sql, filters)} ${andOfGenre(sql, filters)}`

/** The filters by values in the row of a song. */
const andMatches = (sql: Sql, { state, lacks, song_section_id }: Filters) => sql`
  ${state === 'all' ? sql`` : sql`and s.status = ${state}`}
  ${lacks ? sql`and ${missingFieldFilter(sql, lacks)}` : sql``}
  ${song_section_id ? sql`and s.song_section_id = ${song_section_id}` : sql``}`

const andOfGenre = (sql: Sql, { genre_id }: Filters) =>
  genre_id ? sql`and s.entity_id in (select entity_id from song_genre where genre_id = ${genre_id})` : sql``

/** Songs without a value are last in both directions. Titles, artists and ids can be read from an index in either. */
const sortOrder = (sql: Sql, sort: (typeof staffSongs.STAFF_SONG_SORTS)[number]) =>
  ({
    title: sql`lower(s.title) collate "C", s.entity_id`,
    '-title': sql`lower(s.title) collate "C" desc, s.entity_id desc`,
    artist: sql`lower(s.artist) collate "C", s.entity_id`,
    '-artist': sql`lower(s.artist) collate "C" desc, s.entity_id desc`,
    bpm: sql`s.min_bpm, s.entity_id`,
    '-bpm': sql`s.min_bpm desc nulls last, s.entity_id desc`,
    key: sql`s.key_position, s.entity_id`,
    '-key': sql`s.key_position desc nulls last, s.entity_id desc`,
    year: sql`s.year, s.entity_id`,
    '-year': sql`s.year desc nulls last, s.entity_id desc`,
    added: sql`s.entity_id`,
    '-added': sql`s.entity_id desc`,
    changed: sql`s.changed_at, s.entity_id`,
    '-changed': sql`s.changed_at desc nulls last, s.entity_id desc`,
  })[sort]

/** One page of the songs that match the filters, in any state. */
export async function listStaffSongs(
  sql: Sql,
  { sort, page, per_page, ...filters }: ParsedInputOf<typeof staffSongs.getSongs>,
): Promise<ReplyOf<typeof staffSongs.getSongs>> {
  const [ids, count] = await Promise.all([
    sql<{ entity_id: number }[]>`
      select s.entity_id from ${matching(sql, filters)}
      order by ${sortOrder(sql, sort)} limit ${per_page} offset ${(page - 1) * per_page}`,
    countPages(sql, sql`select 1 from ${matching(sql, filters)}`),
  ])
  return {
    songs: await readStaffSongs(
      sql,
      ids.map(({ entity_id }) => entity_id),
    ),
    pagination: { page, perPageLimit: per_page, ...count },
  }
}

/** How many songs each filter would leave, with all others unchanged; counted up to MAX_COUNTED_ROWS. */
export async function countStaffSongs(sql: Sql, filters: Filters): Promise<ReplyOf<typeof staffSongs.countSongs>> {
  const changes = {
    states: staffSongs.STAFF_SONG_STATES.map((state): Partial<Filters> => ({ state })),
    lacks: LACKS.map((lacks): Partial<Filters> => ({ lacks })),
    sections: [{ song_section_id: 1 }, { song_section_id: 2 }] satisfies Partial<Filters>[],
  }
  const all = Object.values(changes).flat()
  const counts = filters.find === '' ? await countByIndexes(sql, filters, all) : await countFound(sql, filters, all)
  const countOf = (change: Partial<Filters>) => Math.min(counts[all.indexOf(change)] ?? 0, MAX_COUNTED_ROWS + 1)
  const named = <Name extends string>(names: readonly Name[], of: readonly Partial<Filters>[]) =>
    Object.fromEntries(names.map((name, n) => [name, countOf(of[n] ?? {})])) as Record<Name, number>
  return {
    states: named(staffSongs.STAFF_SONG_STATES, changes.states),
    lacks: named(LACKS, changes.lacks),
    sections: named(['songs', 'kuts'], changes.sections),
  }
}

/** Counts for each change of the filters, in statements that end at MAX_COUNTED_ROWS. */
const countByIndexes = (sql: Sql, filters: Filters, changes: readonly Partial<Filters>[]): Promise<number[]> =>
  Promise.all(changes.map((change) => countUpTo(sql, sql`select 1 from ${matching(sql, { ...filters, ...change })}`)))

type FoundGroup = { status: string; song_section_id: number; n: number } & Record<MissingField, boolean>

/** The same from one pass over the songs that a search found, grouped by all that they can be filtered by. */
async function countFound(sql: Sql, filters: Filters, changes: readonly Partial<Filters>[]): Promise<number[]> {
  const groups = await sql<FoundGroup[]>`
    select s.status, s.song_section_id, count(*)::int as n,
      ${missingFieldFilter(sql, 'key')} as key, ${missingFieldFilter(sql, 'bpm')} as bpm, ${missingFieldFilter(sql, 'art')} as art,
      ${missingFieldFilter(sql, 'year')} as year, ${missingFieldFilter(sql, 'genre')} as genre
    from ${searched(sql, filters)} where true ${andOfGenre(sql, filters)}
    group by 1, 2, 4, 5, 6, 7, 8`
  return changes.map((change) => {
    const { state, lacks, song_section_id } = { ...filters, ...change }
    return groups
      .filter((group) => state === 'all' || group.status === state)
      .filter((group) => !lacks || group[lacks])
      .filter((group) => !song_section_id || group.song_section_id === song_section_id)
      .reduce((sum, { n }) => sum + n, 0)
  })
}

/** The songs that match the filters, newest first, up to the number that can be changed at once. */
export async function selectStaffSongs(sql: Sql, filters: Filters): Promise<ReplyOf<typeof staffSongs.selectSongs>> {
  const [songs, total] = await Promise.all([
    sql<{ entity_id: number; revision: number }[]>`
      select s.entity_id, s.revision from ${matching(sql, filters)}
      order by s.entity_id desc limit ${MAX_SELECTED_SONGS}`,
    countUpTo(sql, sql`select 1 from ${matching(sql, filters)}`),
  ])
  return { songs: [...songs], total }
}

type ComputedField = 'image' | 'has_cover' | 'lacks' | 'unpublished_at' | 'created_at' | 'changed_at'

type SongRow = Omit<staffSongs.StaffSong, ComputedField> & {
  unpublished_at: Date | null
  created_at: Date
  changed_at: Date | null
  artwork: string | null
  cover_seed: number
  key_position: number | null
  bpm_source: staffSongs.Origin | null
  key_source: staffSongs.Origin | null
  origins: Origins
  versions: staffSongs.StaffVersion[] | null
}

/** Songs as staff see them, in any state, in the order of the ids. */
export async function readStaffSongs(sql: Sql, ids: readonly number[]): Promise<staffSongs.StaffSong[]> {
  if (ids.length === 0) return []
  const rows = await sql<SongRow[]>`
    select s.entity_id, s.revision, s.title, s.artist, s.album, s.label, s.remixer, s.isrc, s.year, s.min_bpm, s.max_bpm,
      s.bpm_source, s.song_key, s.key_position, s.key_source, s.song_section_id, s.status, s.unpublished_at, s.origins, s.created_at,
      s.changed_at, s.cover_seed, encode(a.sha256, 'hex') as artwork,
      coalesce((select json_agg(json_build_object('genre_id', g.genre_id, 'name', g.name, 'kind', g.kind)
          order by g.kind, g.parent_id is not null, g.position, g.genre_id)
        from song_genre sg join genre g using (genre_id) where sg.entity_id = s.entity_id), '[]') as genres,
      (select json_agg(json_build_object('song_version_id', v.song_version_id, 'version_kind_id', v.version_kind_id,
          'version_label', v.version_label, 'start_seconds', v.preview_start_seconds,
          'duration_seconds', v.duration_seconds, 'status', v.status, 'unpublished_at', v.unpublished_at, 'format', f.format,
          'file', case when v.file_id is null then 'generated' when f.missing_since is null then 'stored' else 'missing' end,
          ${tempoColumns(sql)}) order by v.status = 'unpublished', v.position, v.song_version_id)
        from song_version v left join file f using (file_id) left join analysis a using (file_id)
        where v.entity_id = s.entity_id) as versions
    from (${theseSongs(sql, ids)}) chosen join song s using (entity_id) left join artwork a using (artwork_id)
    order by chosen.n`
  return rows.map(toStaffSong)
}

function toStaffSong(row: SongRow): staffSongs.StaffSong {
  const { artwork, cover_seed, key_position, bpm_source, key_source, origins, ...song } = row
  const isMissing: Record<MissingField, boolean> = {
    key: key_position === null,
    bpm: song.min_bpm === null,
    art: artwork === null && cover_seed === 0,
    genre: !song.genres.some(({ kind }) => kind === 'genre'),
    year: song.year === null,
  }
  return {
    ...song,
    image: songImage({ ...song, artwork, cover_seed }),
    has_cover: artwork !== null,
    lacks: LACKS.filter((field) => isMissing[field]),
    origins: { ...origins, ...(bpm_source && { bpm: bpm_source }), ...(key_source && { song_key: key_source }) },
    versions: song.versions ?? [],
    unpublished_at: song.unpublished_at?.toISOString() ?? null,
    created_at: song.created_at.toISOString(),
    changed_at: song.changed_at?.toISOString() ?? null,
  }
}
