import { catalogue, type collections } from '@dubplate/contract'
import type { PendingQuery, Row } from 'postgres'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { artistsOf, type CreditedName } from './artist-credit.ts'
import { isSortedWhole, type ListSongsParams, sortColumn, sorted } from './lists.ts'
import { sectionsOf } from './sections.ts'
import { normalizePhrase } from './words.ts'

const { SONGS_PER_PAGE } = catalogue

/** The artists and labels of published songs: which songs are on the page of a name. */

export type CreditKind = 'artist' | 'label'

type CreditedSong = { artist: string; label: string; song_section_id: number }

function creditsOf({ artist, label }: Pick<CreditedSong, 'artist' | 'label'>): (CreditedName & { kind: CreditKind })[] {
  const key = normalizePhrase(label)
  return [
    ...artistsOf(artist).map((credit) => ({ ...credit, kind: 'artist' as const })),
    ...(key ? [{ key, name: label.trim(), kind: 'label' as const }] : []),
  ]
}

/** Saves the artists and the label of a published song, in the transaction that changed it. */
export async function creditSong(sql: Sql, entityId: number, song: CreditedSong): Promise<void> {
  const credits = creditsOf(song)
  const keys = credits.map(({ kind, key }) => `${kind} ${key}`)
  await sql`
    with gone as (
      delete from song_credit where entity_id = ${entityId} and kind || ' ' || credit_key <> all(${keys}::text[]))
    insert into song_credit (entity_id, kind, credit_key, name, song_section_id)
    select ${entityId}, kind, key, name, ${song.song_section_id}
    from unnest(${credits.map(({ kind }) => kind)}::text[], ${credits.map(({ key }) => key)}::text[],
      ${credits.map(({ name }) => name)}::text[]) as credit (kind, key, name)
    on conflict (entity_id, kind, credit_key) do update
      set name = excluded.name, song_section_id = excluded.song_section_id
      where (song_credit.name, song_credit.song_section_id) is distinct from (excluded.name, excluded.song_section_id)`
}

export async function removeCredits(sql: Sql, entityId: number): Promise<void> {
  await sql`delete from song_credit where entity_id = ${entityId}`
}

const FILL_BATCH = 2000

/** Saves the credits of published songs that have none: those of a pool from before artist pages existed. */
export async function creditMissing(sql: Sql, signal: AbortSignal): Promise<void> {
  let after = 0
  while (!signal.aborted) {
    const songs: (CreditedSong & { entity_id: number; is_credited: boolean })[] = await sql`
      select entity_id, artist, label, song_section_id,
        exists (select 1 from song_credit c where c.entity_id = s.entity_id) as is_credited
      from song s where entity_id > ${after} and status = 'published' order by entity_id limit ${FILL_BATCH}`
    const last = songs.at(-1)
    if (!last) return
    after = last.entity_id
    const credits = songs
      .filter(({ is_credited }) => !is_credited)
      .flatMap((song) => creditsOf(song).map((credit) => ({ ...credit, entity_id: song.entity_id })))
    if (credits.length === 0) continue
    // A song that was unpublished since must not come back.
    await sql`
      insert into song_credit (entity_id, kind, credit_key, name, song_section_id)
      select s.entity_id, kind, key, name, s.song_section_id
      from unnest(${credits.map(({ entity_id }) => entity_id)}::bigint[], ${credits.map(({ kind }) => kind)}::text[],
        ${credits.map(({ key }) => key)}::text[], ${credits.map(({ name }) => name)}::text[]) as credit (id, kind, key, name)
      join (select entity_id, song_section_id from song where entity_id = any(${songs.map(({ entity_id }) => entity_id)}::bigint[])
        and status = 'published' for share) s on s.entity_id = credit.id
      on conflict do nothing`
  }
}

/** The songs of an artist or label. A name such as “A feat. B” covers the songs of both together. */
export type CreditQuery = { kind: CreditKind; name: string; keys: string[]; sections: number[] }

/** Throws `unknown_artist` or `unknown_label` for a name without letters or digits. */
export function creditQuery(kind: CreditKind, name: string, section: number): CreditQuery {
  const keys = kind === 'artist' ? artistsOf(name).map(({ key }) => key) : [normalizePhrase(name)].filter(Boolean)
  if (keys.length === 0) throw unknownNameError(kind, name)
  return { kind, name, keys, sections: sectionsOf(section) }
}

const unknownNameError = (kind: CreditKind, name: string) =>
  kind === 'artist'
    ? new ApiError('unknown_artist', name ? `There are no songs by “${name}”.` : 'Enter the name of an artist.')
    : new ApiError('unknown_label', name ? `There are no songs on “${name}”.` : 'Enter the name of a label.')

/** Selects `entity_id` of the songs of a name, in no particular order. */
export function creditedSongs(sql: Sql, { kind, keys, sections }: CreditQuery): PendingQuery<Row[]> {
  const [first, ...others] = keys
  const together = others.map(
    (key) => sql`and exists (
      select 1 from song_credit o where o.entity_id = c.entity_id and o.kind = ${kind} and o.credit_key = ${key})`,
  )
  return sql`
    select c.entity_id from song_credit c
    where c.kind = ${kind} and c.credit_key = ${first ?? ''} and c.song_section_id = any(${sections}::smallint[])
    ${together.reduce((before, condition) => sql`${before} ${condition}`, sql``)}`
}

/** Throws `unknown_artist` or `unknown_label` if there are none. */
export async function countCredited(sql: Sql, query: CreditQuery): Promise<number> {
  const [counted] = await sql<{ n: number }[]>`select count(*)::int as n from (${creditedSongs(sql, query)}) c`
  if (!counted?.n) throw unknownNameError(query.kind, query.name)
  return counted.n
}

/** A part of the songs of a name, newest first. */
export async function newestCredited(
  sql: Sql,
  query: CreditQuery,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<number[]> {
  const rows = await sql<{ entity_id: number }[]>`
    ${creditedSongs(sql, query)} order by c.entity_id desc limit ${limit} offset ${offset}`
  return rows.map(({ entity_id }) => entity_id)
}

/** A page of the songs of a name, which has `totalCount` of them, in the order of a column. */
export async function listCredited(
  sql: Sql,
  query: CreditQuery,
  params: Omit<ListSongsParams, 'genre_id'>,
  totalCount: number,
): Promise<number[]> {
  const { page, order, orderDir } = params
  const direction = orderDir === 'ASC' ? sql`asc` : sql`desc`
  const part = sql`limit ${SONGS_PER_PAGE} offset ${(page - 1) * SONGS_PER_PAGE}`
  const rows = await (order === 'entity_id'
    ? sql<{ entity_id: number }[]>`${creditedSongs(sql, query)} order by c.entity_id ${direction} ${part}`
    : (await isSortedWhole(sql, params, totalCount))
      ? sql<{ entity_id: number }[]>`
          select s.entity_id from (${creditedSongs(sql, query)} offset 0) c join song s using (entity_id)
          order by ${sortColumn(sql, order)} ${direction} nulls last, s.entity_id ${direction} ${part}`
      : sorted(sql, params, sql`and exists (${creditedSongs(sql, query)} and c.entity_id = s.entity_id)`))
  return rows.map(({ entity_id }) => entity_id)
}

/** The name as its newest song writes it; a combination of several artists as it was asked for. */
export async function displayName(sql: Sql, { kind, name, keys }: CreditQuery): Promise<string> {
  if (keys.length > 1) return name
  const [newest] = await sql<{ name: string }[]>`
    select name from song_credit where kind = ${kind} and credit_key = ${keys[0] ?? ''} order by entity_id desc limit 1`
  return newest?.name ?? name
}

/** Names are gathered from this many of the newest songs, so that a label with a hundred thousand stays fast. */
const GATHERED_SONGS = 500

/** The artists or labels of these songs, those with the most songs first. */
export const namesOnSongs = async (
  sql: Sql,
  query: CreditQuery,
  { kind, limit }: { kind: CreditKind; limit: number },
): Promise<collections.CreditedName[]> =>
  sql<collections.CreditedName[]>`
    select (array_agg(other.name order by entity_id desc))[1] as name, count(*)::int as song_count
    from (${creditedSongs(sql, query)} order by c.entity_id desc limit ${GATHERED_SONGS}) c
    join song_credit other using (entity_id)
    where other.kind = ${kind} and not (other.kind = ${query.kind} and cardinality(${query.keys}::text[]) = 1
      and other.credit_key = any(${query.keys}::text[]))
    group by other.credit_key order by song_count desc, max(entity_id) desc limit ${limit}`

/** The main genres of these songs, the most frequent first. */
export const genresOnSongs = async (sql: Sql, query: CreditQuery, limit: number) =>
  sql<{ genre_id: number; name: string }[]>`
    select g.genre_id, g.name from (
      select genre_id, count(*) as n
      from (${creditedSongs(sql, query)} order by c.entity_id desc limit ${GATHERED_SONGS}) c
      join song_genre using (entity_id) group by genre_id) counted
    join genre g using (genre_id) where g.kind = 'genre' order by counted.n desc, g.parent_id is null, g.genre_id limit ${limit}`

/** Looking up the downloads of more songs would take longer than the rest of the page. */
const COMPARED_SONGS = 1000

/** The most downloaded songs of a name, among its newest 1,000. */
export async function mostDownloaded(sql: Sql, query: CreditQuery, limit: number): Promise<number[]> {
  const rows = await sql<{ entity_id: number }[]>`
    select c.entity_id from (${creditedSongs(sql, query)} order by c.entity_id desc limit ${COMPARED_SONGS}) c join song_total t using (entity_id)
    where t.downloads > 0 order by t.downloads desc, c.entity_id desc limit ${limit}`
  return rows.map(({ entity_id }) => entity_id)
}
