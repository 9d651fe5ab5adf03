import { catalogue } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import type { Digest, DigestList, DigestSong } from './emails.ts'
import { type ListContext, type ListKey, listName, readListNews } from './followed-lists.ts'
import type { FollowedCredit } from './followed-names.ts'

const { SECTIONS } = catalogue

const MAX_SONGS_LISTED = 20
/** The maximum number of the week's newest songs that are read, for pools that import a million at once. */
const MAX_SONGS_SCANNED = 20_000

export type Week = { from: Date; to: Date }

/** What a digest is made for: genres with their sub-genres, artists, labels and lists. */
export type DigestChoice = {
  genreIds: readonly number[]
  names: readonly FollowedCredit[]
  lists: readonly ListKey[]
}

/**
 * Returns the songs added in this period, and the lists with songs added to them. Songs of the artists, labels and lists
 * come first, then those of the genres, or all others if no genres are given.
 */
export async function buildDigest(
  ctx: ListContext,
  { from, to }: Week,
  { genreIds, names, lists }: DigestChoice,
): Promise<Digest> {
  const { sql } = ctx
  const isFollowed = genreIds.length > 0
  const { listNews, listedIds } = await readDigestLists(ctx, { from, to }, lists)
  const rows = await sql<{ entity_id: number; total: number; is_more: boolean }[]>`
    with scanned as (
      select entity_id, created_at from song
      where status = 'published' and song_section_id = ${SECTIONS.songs} and created_at >= ${from} and created_at < ${to}
      order by created_at desc, entity_id desc limit ${MAX_SONGS_SCANNED}),
    ranked as (
      select l.*, entity_id = any(${listedIds}::bigint[]) or ${
        names.length > 0
          ? sql`exists (
              select 1 from song_credit c
              join jsonb_to_recordset(${sql.json([...names])}::jsonb) f (kind text, keys text[])
                on f.kind = c.kind and f.keys[1] = c.credit_key
              where c.entity_id = l.entity_id and f.keys <@ array(
                select o.credit_key::text from song_credit o where o.entity_id = l.entity_id and o.kind = f.kind))`
          : sql`false`
      } as comes_first
      from scanned l),
    matching as (
      select entity_id, created_at, comes_first from ranked l where comes_first or ${
        isFollowed
          ? sql`exists (
              select 1 from song_genre g where g.entity_id = l.entity_id and g.genre_id = any(${[...genreIds]}::int[]))`
          : sql`true`
      })
    select entity_id, count(*) over ()::int as total,
      (select count(*) from scanned) = ${MAX_SONGS_SCANNED} as is_more
    from matching order by comes_first desc, created_at desc, entity_id desc limit ${MAX_SONGS_LISTED}`
  const [first] = rows
  return {
    songs: await readDigestSongs(
      sql,
      rows.map((row) => row.entity_id),
    ),
    total: first?.total ?? 0,
    hasMore: first?.is_more ?? false,
    isFollowed,
    followsNames: names.length > 0,
    lists: listNews,
  }
}

/** Returns the lists with songs added in this period, and the ids of these songs. */
async function readDigestLists(ctx: ListContext, { from, to }: Week, keys: readonly ListKey[]) {
  if (keys.length === 0) return { listNews: [], listedIds: [] }
  const rows = await readListNews(
    ctx,
    ctx.sql`
      select *, ${from}::timestamptz as since, ${to}::timestamptz as until
      from jsonb_to_recordset(${ctx.sql.json([...keys])}::jsonb)
        f (kind text, list_id bigint, chart text, song_section_id smallint)`,
  )
  const changed = rows.filter((row) => row.new_count > 0)
  const listNews = changed.map((row): DigestList => {
    const { kind, id, chart, song_section_id } = row
    return { kind, id, chart, song_section_id, name: listName(row), title: row.title ?? '', newCount: row.new_count }
  })
  return { listNews, listedIds: [...new Set(changed.flatMap((row) => row.song_ids))] }
}

/** Returns songs with the first of their genres, as shown in lists. */
async function readDigestSongs(sql: Sql, entityIds: readonly number[]): Promise<DigestSong[]> {
  if (entityIds.length === 0) return []
  return sql<DigestSong[]>`
    select s.entity_id, s.title, s.artist, s.min_bpm, s.max_bpm, s.song_key,
      (select g.name from song_genre sg join genre g using (genre_id)
        where sg.entity_id = s.entity_id and g.kind = 'genre'
        order by g.parent_id is not null, g.position, g.genre_id limit 1) as genre
    from unnest(${[...entityIds]}::bigint[]) with ordinality ids (entity_id, n) join song s using (entity_id) order by n`
}

/** Returns these genres and all their sub-genres. */
export function withSubgenres(genreIds: readonly number[], parents: ReadonlyMap<number, number | null>): number[] {
  const isInGenres = (genreId: number): boolean => {
    if (genreIds.includes(genreId)) return true
    const parent = parents.get(genreId)
    return parent !== null && parent !== undefined && isInGenres(parent)
  }
  return [...parents.keys()].filter(isInGenres)
}

export async function readParents(sql: Sql): Promise<Map<number, number | null>> {
  const rows = await sql<{ genre_id: number; parent_id: number | null }[]>`
    select genre_id, parent_id from genre order by genre_id`
  return new Map(rows.map((row) => [row.genre_id, row.parent_id]))
}
