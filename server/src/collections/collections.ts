import { catalogue, type collections, type ParsedInputOf } from '@dubplate/contract'
import type { PendingQuery, Row } from 'postgres'
import type { AppContext } from '../app-context.ts'
import {
  type CreditKind,
  countCredited,
  creditedSongs,
  creditQuery,
  displayName,
  genresOnSongs,
  listCredited,
  mostDownloaded,
  namesOnSongs,
  newestCredited,
} from '../catalogue/credits.ts'
import { genreImage } from '../catalogue/genre-tree.ts'
import { countSongs, findGenre } from '../catalogue/genres.ts'
import { applyHiddenParts } from '../catalogue/hidden-parts.ts'
import { type ListCover, listImage, type SongCover, songImage } from '../catalogue/images.ts'
import { sectionsOf } from '../catalogue/sections.ts'
import { songsOf, theseSongs } from '../catalogue/songs.ts'
import { isVisible } from '../curation/visibility.ts'
import { requireSection } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

type Reference = ParsedInputOf<typeof collections.getCollection>
type CollectionContext = Pick<AppContext, 'sql' | 'settings'>

const SECTION_OF = {
  genre: null,
  spotlight: 'spotlights',
  top20: 'top20',
  chart: 'charts',
  artist: null,
  label: null,
} as const
const CHART_TITLES = { daily: 'Daily chart', weekly: 'Weekly chart', monthly: 'Monthly chart' } as const

/** Adding up the lengths of more songs would take longer than the rest of the page. */
const MAX_SUMMED_SONGS = 50
const MAX_NEW_SONGS = 1000
const COVER_COUNT = 4
const NAME_COUNT = 12
const TOP_COUNT = 5

/** Throws `section_disabled` for a collection in a part of the site that an admin has hidden. */
async function withVisibleParts<T extends Reference>(ctx: CollectionContext, reference: T): Promise<T> {
  const section = SECTION_OF[reference.type]
  if (section) requireSection(ctx.settings, section)
  const isOfGenre = reference.type === 'genre' || reference.type === 'chart'
  const visible = await applyHiddenParts(ctx, {
    song_section_id: reference.song_section_id,
    genre_id: isOfGenre ? reference.id : undefined,
  })
  return { ...reference, song_section_id: visible.song_section_id }
}

/**
 * Returns the facts of a collection for its header. Throws `unknown_genre`, `unknown_list`, `unknown_artist`,
 * `unknown_label` and `section_disabled`.
 */
export async function getCollection(ctx: CollectionContext, requested: Reference): Promise<collections.Collection> {
  const { sql } = ctx
  const reference = await withVisibleParts(ctx, requested)
  switch (reference.type) {
    case 'genre':
      return genreFacts(sql, reference)
    case 'chart':
      return chartFacts(sql, reference)
    case 'artist':
    case 'label':
      return creditFacts(sql, reference.type, reference)
    default:
      return listFacts(sql, reference.type, reference.id ?? 0)
  }
}

const genreSongs = (sql: Sql, genreId: number, section: number) => sql`
  select entity_id from song_genre
  where genre_id = ${genreId} and listed_section = any(${sectionsOf(section)}::smallint[])`

async function genreFacts(sql: Sql, { id, song_section_id }: Reference): Promise<collections.Collection> {
  const { genre_id, name } = await findGenre(sql, id ?? 0)
  const [genre] = await sql<{ description: string; artwork: string | null }[]>`
    select description, encode(a.sha256, 'hex') as artwork from genre left join artwork a using (artwork_id) where genre_id = ${genre_id}`
  const newest = sql`
    ${genreSongs(sql, genre_id, song_section_id)} order by entity_id desc limit ${MAX_NEW_SONGS}`
  return {
    title: name,
    description: genre?.description ?? '',
    images: [genreImage({ genre_id, name, artwork: genre?.artwork ?? null })],
    created_by: null,
    song_count: await countSongs(sql, genre_id, song_section_id),
    duration_seconds: null,
    new_count: await countNew(sql, newest),
    updated_at: null,
  }
}

/** How many of these songs were added in the last week; null if all that were looked at are new. */
async function countNew(sql: Sql, newest: PendingQuery<Row[]>): Promise<number | null> {
  const [counted] = await sql<{ n: number }[]>`
    select count(*)::int as n from (${newest}) newest join song using (entity_id)
    where created_at > now() - interval '7 days'`
  return counted && counted.n < MAX_NEW_SONGS ? counted.n : null
}

const chartSongs = (sql: Sql, { chart_type, id, song_section_id }: Reference) => sql`
  select c.entity_id, c.rank as n from chart_snapshot c join song s using (entity_id)
  where c.chart = ${chart_type} and c.genre_id = ${id ?? 0} and c.song_section_id = ${song_section_id}
    and s.status = 'published'`

/** “Weekly chart, House”. */
export const chartTitle = (type: Reference['chart_type'], genreName: string | undefined): string =>
  genreName ? `${CHART_TITLES[type]}, ${genreName}` : CHART_TITLES[type]

async function chartFacts(sql: Sql, reference: Reference): Promise<collections.Collection> {
  const genre = reference.id ? await findGenre(sql, reference.id) : undefined
  const songs = chartSongs(sql, { ...reference, id: genre?.genre_id })
  const [refresh] = await sql<{ counted_at: Date }[]>`
    select counted_at from chart_refresh where chart = ${reference.chart_type}`
  return {
    title: chartTitle(reference.chart_type, genre?.name),
    description: '',
    ...(await songFacts(sql, songs)),
    created_by: null,
    new_count: null,
    updated_at: refresh?.counted_at.toISOString() ?? null,
  }
}

const LISTS = {
  spotlight: { image: 'list', missing: 'This list doesn’t exist or has been unpublished.' },
  top20: { image: 'top20', missing: 'This collection doesn’t exist or has been unpublished.' },
} as const

const listSongs = (sql: Sql, type: keyof typeof LISTS, id: number) =>
  type === 'spotlight'
    ? sql`
        select c.entity_id, c.position as n from curated_list_song c join song s using (entity_id)
        where c.curated_list_id = ${id} and s.status = 'published'`
    : sql`
        select c.entity_id, c.rank as n from top20_song c join song s using (entity_id)
        where c.top20_track_id = ${id} and s.status = 'published'`

type ListRow = ListCover & { description: string; created_by: string | null; updated_at: Date }

async function findList(sql: Sql, type: keyof typeof LISTS, id: number): Promise<ListRow> {
  const [list] = await (type === 'spotlight'
    ? sql<ListRow[]>`
        select title, description, created_by, cover_seed, encode(a.sha256, 'hex') as artwork,
          greatest(changed_at, published_at) as updated_at
        from curated_list left join artwork a using (artwork_id) where curated_list_id = ${id} and ${isVisible(sql)}`
    : sql<ListRow[]>`
        select title, description, null as created_by, cover_seed, encode(a.sha256, 'hex') as artwork,
          greatest(changed_at, published_at) as updated_at
        from top20 left join artwork a using (artwork_id) where top20_track_id = ${id} and ${isVisible(sql)}`)
  if (!list) throw new ApiError('unknown_list', LISTS[type].missing)
  return list
}

async function listFacts(sql: Sql, type: keyof typeof LISTS, id: number): Promise<collections.Collection> {
  const list = await findList(sql, type, id)
  const { song_count, duration_seconds } = await songFacts(sql, listSongs(sql, type, id))
  return {
    title: list.title,
    description: list.description,
    images: [listImage(LISTS[type].image, id, list)],
    created_by: list.created_by || null,
    song_count,
    duration_seconds,
    new_count: null,
    updated_at: list.updated_at.toISOString(),
  }
}

type SongFacts = Pick<collections.Collection, 'images' | 'song_count' | 'duration_seconds'>

/**
 * The number of songs, their length and the first covers, of a list that is short enough to read it as a whole.
 * @param songs a query of (entity_id, n)
 */
async function songFacts(sql: Sql, songs: PendingQuery<Row[]>): Promise<SongFacts> {
  const [facts] = await sql<{ songs: number; seconds: number; covers: SongCover[] }[]>`
    with listed as materialized (${songs})
    select count(*)::int as songs, coalesce(sum((
        select v.duration_seconds from song_version v where v.entity_id = listed.entity_id and v.status = 'published'
        order by v.position, v.song_version_id limit 1)), 0)::float8 as seconds,
      coalesce((select json_agg(first) from (
        select s.entity_id, s.title, s.artist, s.cover_seed, encode(a.sha256, 'hex') as artwork
        from listed join song s using (entity_id) left join artwork a using (artwork_id)
        order by listed.n limit ${COVER_COUNT}) first), '[]') as covers
    from listed`
  return {
    images: (facts?.covers ?? []).map(songImage),
    song_count: facts?.songs ?? 0,
    duration_seconds: facts?.seconds ?? 0,
  }
}

async function creditFacts(
  sql: Sql,
  kind: CreditKind,
  { name, song_section_id }: Pick<Reference, 'name' | 'song_section_id'>,
): Promise<collections.Collection> {
  const query = creditQuery(kind, name, song_section_id)
  const song_count = await countCredited(sql, query)
  const newest = await newestCredited(sql, query, { limit: MAX_SUMMED_SONGS })
  const isSummed = song_count <= MAX_SUMMED_SONGS
  const { images, duration_seconds } = await songFacts(
    sql,
    theseSongs(sql, isSummed ? newest : newest.slice(0, COVER_COUNT)),
  )
  const [updated] = await sql<{ created_at: Date }[]>`select created_at from song where entity_id = ${newest[0] ?? 0}`
  return {
    title: await displayName(sql, query),
    description: '',
    images,
    created_by: null,
    song_count,
    duration_seconds: isSummed ? duration_seconds : null,
    new_count: null,
    updated_at: updated?.created_at.toISOString() ?? null,
  }
}

type PageParams = ParsedInputOf<typeof collections.getCollectionSongs>

/** Returns a part of the songs of a collection, in its own order. Throws as `getCollection` does. */
export async function getCollectionSongs(ctx: CollectionContext, requested: PageParams, size: number) {
  const { sql, settings } = ctx
  const reference = await withVisibleParts(ctx, requested)
  const { ids, totalCount } = await pageOf(sql, reference, { limit: size, offset: (reference.page - 1) * size })
  const songs = await songsOf(sql, ids, settings.downloadLimit)
  return { songs, pagination: { page: reference.page, perPageLimit: size, totalCount } }
}

type Range = { limit: number; offset: number }

async function pageOf(sql: Sql, reference: Reference, range: Range): Promise<{ ids: number[]; totalCount: number }> {
  const { type, id = 0, name, song_section_id } = reference
  if (type === 'artist' || type === 'label') {
    const query = creditQuery(type, name, song_section_id)
    const totalCount = await countCredited(sql, query)
    return { ids: await newestCredited(sql, query, range), totalCount }
  }
  if (type === 'genre') {
    const { genre_id } = await findGenre(sql, id)
    const ids = await sql<{ entity_id: number }[]>`
      ${genreSongs(sql, genre_id, song_section_id)} order by entity_id desc limit ${range.limit} offset ${range.offset}`
    return { ids: ids.map(({ entity_id }) => entity_id), totalCount: await countSongs(sql, genre_id, song_section_id) }
  }
  const { songs } = await findRanked(sql, { ...reference, type })
  const rows = await sql<{ entity_id: number }[]>`select entity_id from (${songs}) ranked order by n`
  const ids = rows.slice(range.offset, range.offset + range.limit).map(({ entity_id }) => entity_id)
  return { ids, totalCount: rows.length }
}

/** The songs of a chart or list as a query of (entity_id, n). Throws `unknown_genre` and `unknown_list`. */
async function findRanked(sql: Sql, reference: Reference & { type: 'chart' | 'spotlight' | 'top20' }) {
  const { type, id = 0 } = reference
  if (type === 'chart') {
    const genre = id ? await findGenre(sql, id) : undefined
    return { songs: chartSongs(sql, { ...reference, id: genre?.genre_id }) }
  }
  await findList(sql, type, id)
  return { songs: listSongs(sql, type, id) }
}

/** Counts how many of these songs, a query of entity_id, a collection has. Throws as `getCollection` does. */
export async function countInCollection(
  ctx: CollectionContext,
  requested: Reference,
  songs: PendingQuery<Row[]>,
): Promise<number> {
  const { sql } = ctx
  const { collectionSongs } = await findSongs(sql, await withVisibleParts(ctx, requested))
  const [counted] = await sql<{ n: number }[]>`
    select count(*)::int as n from (select distinct entity_id from (${songs}) every_song) one
    where entity_id in (select entity_id from (${collectionSongs}) listed)`
  return counted?.n ?? 0
}

/** All songs of a collection as a query of entity_id; within an object, since awaiting a query runs it. */
async function findSongs(sql: Sql, reference: Reference): Promise<{ collectionSongs: PendingQuery<Row[]> }> {
  const { type, id = 0, name, song_section_id } = reference
  if (type === 'artist' || type === 'label')
    return { collectionSongs: creditedSongs(sql, creditQuery(type, name, song_section_id)) }
  if (type === 'genre') {
    const { genre_id } = await findGenre(sql, id)
    return { collectionSongs: genreSongs(sql, genre_id, song_section_id) }
  }
  return { collectionSongs: (await findRanked(sql, { ...reference, type })).songs }
}

type NameParams = { name: string; song_section_id: number }

/** Returns the page of an artist or label. Throws `unknown_artist`, `unknown_label` and `section_disabled`. */
export async function getCredited(
  ctx: CollectionContext,
  kind: CreditKind,
  requested: NameParams,
): Promise<collections.CreditedPage> {
  const { sql, settings } = ctx
  const params = await applyHiddenParts(ctx, requested)
  const query = creditQuery(kind, params.name, params.song_section_id)
  const collection = await creditFacts(sql, kind, params)
  const [top, artists, labels, genres] = await Promise.all([
    mostDownloaded(sql, query, TOP_COUNT),
    namesOnSongs(sql, query, { kind: 'artist', limit: NAME_COUNT }),
    kind === 'label' ? [] : namesOnSongs(sql, query, { kind: 'label', limit: NAME_COUNT }),
    genresOnSongs(sql, query, NAME_COUNT),
  ])
  const top_songs = await songsOf(sql, top, settings.downloadLimit)
  return { collection, top_songs, artists, labels, genres }
}

type SongsParams = ParsedInputOf<typeof collections.getArtistSongs>

/** Returns a page of the songs of an artist or label. Throws `unknown_artist`, `unknown_label` and `section_disabled`. */
export async function getCreditedSongs(ctx: CollectionContext, kind: CreditKind, requested: SongsParams) {
  const { sql, settings } = ctx
  const params = await applyHiddenParts(ctx, requested)
  const query = creditQuery(kind, params.name, params.song_section_id)
  const totalCount = await countCredited(sql, query)
  const ids = await listCredited(sql, query, params, totalCount)
  const songs = await songsOf(sql, ids, settings.downloadLimit)
  return { songs, pagination: { page: params.page, perPageLimit: catalogue.SONGS_PER_PAGE, totalCount } }
}
