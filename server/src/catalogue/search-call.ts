import { catalogue, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import type { Pool } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { genresWithSongs } from './genres.ts'
import { column, type Order } from './lists.ts'
import { COUNTED_TO, readRange, type SearchWish, search } from './search.ts'
import { songsOf, theseSongs } from './songs.ts'

type Asked = ParsedInputOf<typeof catalogue.searchSongs>
const { SONGS_A_PAGE } = catalogue

/** Songs by words and filters. Refuses `search_too_short`, `bad_filter`. */
export async function answerSearch(
  sql: Pool,
  asked: Asked,
  downloadLimit: number,
): Promise<ReplyOf<typeof catalogue.searchSongs>> {
  const wish = readWish(asked)
  const sorts = asked.order !== 'entity_id' || asked.orderDir === 'ASC'
  const [found, genres, versions] = await Promise.all([
    search(sql, sorts ? { ...wish, offset: 0, limit: COUNTED_TO } : wish),
    genresWithSongs(sql, asked.song_section_id),
    sql<
      { version_code: string; name: string }[]
    >`select version_code, name from version_kind order by position, version_kind_id`,
  ])
  const ids = sorts ? await sortFound(sql, found.ids, asked) : found.ids
  return {
    songs: ids.length > 0 ? await songsOf(sql, theseSongs(sql, ids), downloadLimit) : [],
    genres,
    versions,
    pagination: { page: asked.page, perPageLimit: SONGS_A_PAGE, totalCount: found.totalCount, more: found.more },
    similar: found.similar,
  }
}

function readWish(asked: Asked): SearchWish {
  const { title, artist, bpm, song_key, year } = asked.SongEntitySearch
  const text = [asked.searchTerm, title, artist].join(' ').trim()
  const bpmRange = readRange(String(bpm), 'BPM', 20, 400)
  const years = readRange(String(year), 'Year', 1900, 2100)
  const filtered = bpmRange || years || song_key.trim() || asked.genre_id || asked.versions.length > 0
  if ([...text].length < 3 && (text !== '' || !filtered)) {
    throw new Refusal('search_too_short', 'Type at least 3 characters to search.')
  }
  return {
    text,
    section: asked.song_section_id,
    genreIds: asked.genre_id ? [asked.genre_id] : [],
    versionCodes: asked.versions,
    keys: song_key
      .split(',')
      .map((key) => key.trim())
      .filter(Boolean),
    ...(bpmRange ? { bpm: bpmRange } : {}),
    ...(years ? { years } : {}),
    offset: (asked.page - 1) * SONGS_A_PAGE,
    limit: SONGS_A_PAGE,
  }
}

/** The asked page of what was found, in another order than newest first. */
async function sortFound(sql: Pool, ids: number[], asked: Asked): Promise<number[]> {
  const by = asked.order === 'entity_id' ? sql`s.entity_id` : column(sql, asked.order satisfies Order)
  const way = asked.orderDir === 'ASC' ? sql`asc` : sql`desc`
  const rows = await sql<{ entity_id: number }[]>`
    select s.entity_id from song s where s.entity_id = any(${ids}::bigint[])
    order by ${by} ${way} nulls last, s.entity_id desc
    limit ${SONGS_A_PAGE} offset ${(asked.page - 1) * SONGS_A_PAGE}`
  return rows.map((row) => row.entity_id)
}
