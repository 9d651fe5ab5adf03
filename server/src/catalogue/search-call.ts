import { catalogue, type ParsedInputOf, parseQuery, type ReplyOf } from '@dubplate/contract'
import type { Pool, Sql } from '../platform/db.ts'
import { currentGenre, genresWithSongs } from './genres.ts'
import { column, type Order } from './lists.ts'
import { COUNTED_TO, type Found, type FoundId, search } from './search.ts'
import { allGenres, type Named } from './search-names.ts'
import { readWish, type SearchWish } from './search-wish.ts'
import { songsOf, theseSongs } from './songs.ts'

type Asked = ParsedInputOf<typeof catalogue.searchSongs>
const { SONGS_A_PAGE } = catalogue
const NOTHING: Found = { songs: [], exactCount: 0, totalCount: 0, more: false }

/** Songs by words, the search language and filters. Refuses `query_too_short`, `invalid_filter`. */
export async function answerSearch(
  sql: Pool,
  asked: Asked,
  asker: { customer_id: number } | undefined,
  downloadLimit: number,
): Promise<ReplyOf<typeof catalogue.searchSongs>> {
  const asksGenre = parseQuery(asked.searchTerm).some(({ kind }) => kind === 'genre')
  const [genres, kinds, named] = await Promise.all([
    genresWithSongs(sql, asked.song_section_id),
    versionKinds(sql),
    asksGenre ? allGenres(sql) : [],
  ])
  const genre_id = asked.genre_id && (await currentGenre(sql, asked.genre_id))
  const { wish, understood } = readWish(
    asked.searchTerm,
    { ...asked, genre_id },
    {
      genres: named,
      kinds,
      customer_id: asker?.customer_id,
    },
  )
  const found = wish ? await findPage(sql, wish, asked) : NOTHING
  const marks = new Map(found.songs.map(({ entity_id, words, tempo }) => [entity_id, { words, tempo }]))
  const songs = marks.size > 0 ? await songsOf(sql, theseSongs(sql, [...marks.keys()]), downloadLimit) : []
  return {
    songs: songs.map((song) => ({ ...song, found: marks.get(song.entity_id) ?? { words: 'exact', tempo: 'same' } })),
    genres,
    versions: kinds.map(({ version_code, name }) => ({ version_code, name })),
    pagination: { page: asked.page, perPageLimit: SONGS_A_PAGE, totalCount: found.totalCount, more: found.more },
    exact_count: found.exactCount,
    understood,
  }
}

/** The kinds of version that can be chosen. */
export const versionKinds = async (sql: Sql): Promise<(Named & { version_code: string })[]> =>
  sql<(Named & { version_code: string })[]>`
    select version_kind_id as id, version_code, name from version_kind where offered
    order by position = 0, position, version_kind_id`

/** One page: of the row as it was found, or of all that was counted, sorted by another column. */
async function findPage(sql: Pool, wish: SearchWish, asked: Asked): Promise<Found> {
  const offset = (asked.page - 1) * SONGS_A_PAGE
  if (asked.order === 'entity_id' && asked.orderDir === 'DESC')
    return search(sql, wish, { offset, limit: SONGS_A_PAGE })
  const found = await search(sql, wish, { offset: 0, limit: COUNTED_TO })
  return { ...found, songs: await sortFound(sql, found.songs, asked) }
}

async function sortFound(sql: Pool, songs: readonly FoundId[], asked: Asked): Promise<FoundId[]> {
  const by = asked.order === 'entity_id' ? sql`s.entity_id` : column(sql, asked.order satisfies Order)
  const way = asked.orderDir === 'ASC' ? sql`asc` : sql`desc`
  const rows = await sql<{ entity_id: number }[]>`
    select s.entity_id from song s where s.entity_id = any(${songs.map((song) => song.entity_id)}::bigint[])
    order by ${by} ${way} nulls last, s.entity_id desc
    limit ${SONGS_A_PAGE} offset ${(asked.page - 1) * SONGS_A_PAGE}`
  const byId = new Map(songs.map((song) => [song.entity_id, song]))
  return rows.flatMap((row) => byId.get(row.entity_id) ?? [])
}
