import { curation, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { type ListCover, listImage, storedImage } from '../catalogue/images.ts'
import { generatedCoverDataUrl } from '../catalogue/pictures.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { isSuggested, suggestedSince } from './visibility.ts'

/** Spotlights and top 20s as curators see them, in any state. */

type ListKind = curation.Kind

/** Both kinds are stored the same way: the names of the list, its id, its songs and their positions. */
const TABLES = {
  spotlight: { list: 'curated_list', id: 'curated_list_id', songs: 'curated_list_song', place: 'position' },
  top20: { list: 'top20', id: 'top20_track_id', songs: 'top20_song', place: 'rank' },
} as const

/** The table and column names of a kind, as parts of a statement. */
export function tableNames(sql: Sql, kind: ListKind) {
  const { list, id, songs, place } = TABLES[kind]
  return { list: sql(list), id: sql(id), songs: sql(songs), place: sql(place) }
}

export const unknownList = (kind: ListKind) =>
  new ApiError('unknown_list', `This ${kind === 'top20' ? 'top 20' : 'spotlight'} no longer exists.`)

const stateOf = (sql: Sql) => sql`
  case when unpublished_at is not null then 'unpublished' when published_at is null then 'draft'
    when published_at > now() then 'scheduled' when ended_at <= now() then 'ended' else 'published' end`

type ListRow = Omit<
  curation.StaffList,
  'image' | 'published_at' | 'ended_at' | 'unpublished_at' | 'changed_at' | 'suggested_from'
> &
  ListCover & {
    published_at: Date | null
    ended_at: Date | null
    unpublished_at: Date | null
    changed_at: Date
    suggested_from: Date | null
  }

/** The list is `l`, its artwork `a`. */
function listColumns(sql: Sql, kind: ListKind) {
  const { id, songs } = tableNames(sql, kind)
  const own =
    kind === 'spotlight'
      ? sql`l.created_by, l.curated_genre_id, l.suggested, l.suggested_from`
      : sql`'' as created_by, null::int as curated_genre_id, false as suggested, null::timestamptz as suggested_from`
  return sql`
    ${kind} as kind, l.${id} as list_id, l.title, l.description, ${stateOf(sql)} as state, l.published_at, l.ended_at, l.unpublished_at,
    (l.first_shown_at is not null or coalesce(l.published_at <= now(), false)) as was_published,
    l.cover_seed, l.artwork_id, encode(a.sha256, 'hex') as artwork, l.changed_at, l.version, ${own},
    (select count(*)::int from ${songs} c where c.${id} = l.${id}) as song_count,
    (select count(*)::int from ${songs} c join song s using (entity_id)
      where c.${id} = l.${id} and s.status <> 'published') as unpublished_songs`
}

const toIso = (date: Date | null): string | null => date?.toISOString() ?? null

const toStaffList = ({ artwork, ...row }: ListRow): curation.StaffList => ({
  ...row,
  published_at: toIso(row.published_at),
  ended_at: toIso(row.ended_at),
  unpublished_at: toIso(row.unpublished_at),
  suggested_from: toIso(row.suggested_from),
  changed_at: row.changed_at.toISOString(),
  image: imageOf({ ...row, artwork }),
})

/** The image itself as a data URL when members cannot fetch it yet. */
function imageOf(row: ListRow): string {
  if (row.artwork) return storedImage(row.artwork)
  if (row.state !== 'published') return generatedCoverDataUrl(row)
  return listImage(row.kind === 'top20' ? 'top20' : 'list', row.list_id, row)
}

type GetListsParams = ParsedInputOf<typeof curation.getLists>

function listFilter(sql: Sql, { kind, state, curated_genre_id, find }: Omit<GetListsParams, 'page'>) {
  const genre = kind === 'spotlight' ? curated_genre_id : undefined
  return sql`true
    ${state ? sql`and ${stateOf(sql)} = ${state}` : sql``}
    ${find ? sql`and l.title ilike ${`%${find.replace(/[\\%_]/g, '\\$&')}%`}` : sql``}
    ${
      genre
        ? sql`and l.curated_genre_id in (
        select curated_genre_id from curated_genre where curated_genre_id = ${genre} or parent_id = ${genre})`
        : sql``
    }`
}

/** A page of the lists of a kind, drafts first, and the number in each state. */
export async function listLists(sql: Sql, params: GetListsParams): Promise<ReplyOf<typeof curation.getLists>> {
  const { list, id } = tableNames(sql, params.kind)
  const limit = curation.LISTS_PER_PAGE
  const { state: _, ...ofAnyState } = params
  const [rows, counted] = await Promise.all([
    sql<ListRow[]>`
      select ${listColumns(sql, params.kind)} from ${list} l left join artwork a using (artwork_id) where ${listFilter(sql, params)}
      order by l.published_at desc nulls first, l.${id} desc limit ${limit} offset ${(params.page - 1) * limit}`,
    sql<{ state: curation.ListState; n: number }[]>`
      select ${stateOf(sql)} as state, count(*)::int as n from ${list} l where ${listFilter(sql, ofAnyState)} group by 1`,
  ])
  const countOf = (state: curation.ListState) => counted.find((row) => row.state === state)?.n ?? 0
  const [draft, scheduled, published] = [countOf('draft'), countOf('scheduled'), countOf('published')]
  const counts = { draft, scheduled, published, ended: countOf('ended'), unpublished: countOf('unpublished') }
  const totalCount = params.state ? counts[params.state] : Object.values(counts).reduce((sum, n) => sum + n, 0)
  return { lists: rows.map(toStaffList), counts, pagination: { page: params.page, perPageLimit: limit, totalCount } }
}

/** One list with its songs. Throws `unknown_list`. */
export async function readList(sql: Sql, kind: ListKind, listId: number): Promise<curation.ListDetails> {
  const { list, id, songs, place } = tableNames(sql, kind)
  const [row] = await sql<ListRow[]>`
    select ${listColumns(sql, kind)} from ${list} l left join artwork a using (artwork_id) where l.${id} = ${listId}`
  if (!row) throw unknownList(kind)
  const songRows = await sql<{ entity_id: number }[]>`
    select entity_id from ${songs} where ${id} = ${listId} order by ${place}`
  return { ...toStaffList(row), entity_ids: songRows.map(({ entity_id }) => entity_id) }
}

/** Suggested spotlights: those that members see now, in order, and the scheduled ones. */
export async function listSuggested(sql: Sql): Promise<ReplyOf<typeof curation.getSuggested>> {
  const rows = await sql<(ListRow & { is_now: boolean; since: Date | null })[]>`
    select ${listColumns(sql, 'spotlight')}, (${isSuggested(sql)}) as is_now, ${suggestedSince(sql)} as since
    from curated_list l left join artwork a using (artwork_id)
    where l.suggested and ${stateOf(sql)} <> 'ended' order by since desc nulls last, l.curated_list_id desc`
  const next = rows.filter((row) => !row.is_now).reverse()
  return {
    now: rows.filter((row) => row.is_now).map(({ is_now: _, since: __, ...row }) => toStaffList(row)),
    next: next.map(({ is_now: _, since, ...row }) => ({
      ...toStaffList(row),
      visible_from: ['scheduled', 'published'].includes(row.state) ? toIso(since) : null,
    })),
  }
}
