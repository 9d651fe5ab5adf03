import { camelotOrder, catalogue, KEYS, mixesWith, parseKey, type SongKey, TEMPO_MULTIPLES } from '@dubplate/contract'
import { currentSong } from '../catalogue/merged-songs.ts'
import { readRankedSongs } from '../catalogue/songs.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { filterGroups, filterTokens } from './filter-groups.ts'
import { type MixCandidate, type MixMatch, rankMixes } from './mixes.ts'
import { bpmFacets } from './search-facets.ts'
import { planSearch } from './search-plan.ts'
import { loadVocabulary } from './search-vocabulary.ts'

const MAX_SIMILAR = 24
const MAX_SAME_GENRE = 80
const MAX_ANY_GENRE = 40
const MAX_SAME_CRATES = 100
/**
 * A popular song is in too many crates to read all: this many members' and, of each crate, this many of the newest
 * songs.
 */
const MAX_CRATES = 200
const MAX_SONGS_PER_CRATE = 300

type PlayingSong = {
  entity_id: number
  key: SongKey | undefined
  end_bpm: number | undefined
  section: number
  genreIds: number[]
  artistAndTitle: string
}

/** Up to 24 songs that mix well after this one, best first. Throws `unknown_song`. */
export async function similarSongs(sql: Sql, entityId: number, downloadLimit: number): Promise<catalogue.MixingSong[]> {
  const mixes = await findMixes(sql, await currentSong(sql, entityId))
  return readRankedSongs(sql, mixes, downloadLimit)
}

/**
 * The 24 best mixes after a song, from the newest songs in its keys and tempos and the songs in the same crates. A song
 * without a key is matched by tempo, one without a tempo by key, one without both by genre and crates. Throws
 * `unknown_song`.
 */
export async function findMixes(sql: Sql, entityId: number): Promise<MixMatch[]> {
  const song = await findSong(sql, entityId)
  const [found, crateCounts] = await Promise.all([
    findNewestCompatible(sql, song),
    countSharedCrates(sql, song.entity_id),
  ])
  const beside = [...crateCounts.keys()].slice(0, MAX_SAME_CRATES)
  const candidates = await factsOf(sql, song, [...new Set([...found, ...beside])], crateCounts)
  return rankMixes(song, candidates).slice(0, MAX_SIMILAR)
}

type SongRow = {
  min_bpm: number | null
  max_bpm: number | null
  song_key: string | null
  song_section_id: number
  song_identity: string
  genre_ids: number[]
}

async function findSong(sql: Sql, entityId: number): Promise<PlayingSong> {
  const [row] = await sql<SongRow[]>`
    select min_bpm, max_bpm, song_key, song_section_id, song_identity,
      array(select genre_id from song_genre join genre g using (genre_id) where entity_id = ${entityId} and g.kind = 'genre') as genre_ids
    from song where entity_id = ${entityId} and status = 'published'`
  if (!row) throw new ApiError('unknown_song', 'Song not found. It may have been unpublished.')
  return {
    entity_id: entityId,
    key: parseKey(row.song_key ?? ''),
    end_bpm: row.max_bpm ?? row.min_bpm ?? undefined,
    section: row.song_section_id,
    genreIds: row.genre_ids,
    artistAndTitle: artistAndTitle(row.song_identity),
  }
}

/** The identity without its remix: see identityOf. */
const artistAndTitle = (identity: string): string => identity.split('|').slice(0, 2).join('|')

/** The newest songs in a compatible key and tempo, those of its genres first. */
async function findNewestCompatible(sql: Sql, song: PlayingSong): Promise<number[]> {
  const section = [`#s${song.section}`]
  const compatibleFacets = [keyFacets(song.key), tempoFacets(song.end_bpm)].filter((facets) => facets.length > 0)
  const genres = song.genreIds.map((genre) => `#g${genre}`)
  const vocabulary = await loadVocabulary(sql, [
    ...section,
    ...filterTokens(compatibleFacets),
    ...filterTokens([...compatibleFacets, genres]),
  ])
  const newest = async (choices: string[][], limit: number): Promise<number[]> => {
    const plan = planSearch(filterGroups([section, ...choices], vocabulary), vocabulary, { limit, offset: 0 })
    // Planned each time, because a cached plan does not know how rare the facets are.
    const rows = await sql.unsafe<{ entity_id: number }[]>(plan.text, plan.values)
    return rows.map((row) => row.entity_id)
  }
  const [sameGenreIds, anyGenreIds] = await Promise.all([
    genres.length > 0 ? newest([...compatibleFacets, genres], MAX_SAME_GENRE) : [],
    compatibleFacets.length > 0 ? newest(compatibleFacets, MAX_ANY_GENRE) : [],
  ])
  return [...sameGenreIds, ...anyGenreIds]
}

const keyFacets = (key: SongKey | undefined): string[] =>
  key ? KEYS.filter((other) => mixesWith(key, other)).map((other) => `#k${camelotOrder(other)}`) : []

function tempoFacets(bpm: number | undefined): string[] {
  if (!bpm) return []
  const around = (tempo: number): [number, number] => [
    Math.round(tempo * (1 - catalogue.MIXABLE_TEMPO_RATIO)),
    Math.round(tempo * (1 + catalogue.MIXABLE_TEMPO_RATIO)),
  ]
  return [...new Set(Object.values(TEMPO_MULTIPLES).flatMap((part) => bpmFacets(around(bpm * part))))]
}

/** In how many of the members' crates each other song is together with this one, the most first. */
async function countSharedCrates(sql: Sql, entityId: number): Promise<Map<number, number>> {
  const rows = await sql<{ entity_id: number; n: number }[]>`
    with members as (
      select distinct customer_id from crate_item where entity_id = ${entityId} order by customer_id desc limit ${MAX_CRATES})
    select entity_id, count(*)::int as n from members cross join lateral (
      select distinct i.entity_id from crate_item i where i.customer_id = members.customer_id
      order by i.entity_id desc limit ${MAX_SONGS_PER_CRATE}) beside
    where entity_id <> ${entityId} group by 1 order by n desc, entity_id desc`
  return new Map(rows.map((row) => [row.entity_id, row.n]))
}

type FactsRow = {
  entity_id: number
  min_bpm: number | null
  max_bpm: number | null
  song_key: string | null
  song_identity: string
  shared_genres: number
}

/** The data of each song for the ranking, without the song itself, its other mixes and unpublished songs. */
async function factsOf(
  sql: Sql,
  song: PlayingSong,
  ids: number[],
  crateCounts: Map<number, number>,
): Promise<MixCandidate[]> {
  const rows = await sql<FactsRow[]>`
    select s.entity_id, s.min_bpm, s.max_bpm, s.song_key, s.song_identity,
      (select count(*)::int from song_genre sg where sg.entity_id = s.entity_id and sg.genre_id = any(${song.genreIds}::int[])) as shared_genres
    from song s where s.entity_id = any(${ids}::bigint[]) and s.status = 'published' and s.song_section_id = ${song.section}`
  return rows
    .filter((row) => row.entity_id !== song.entity_id && artistAndTitle(row.song_identity) !== song.artistAndTitle)
    .map((row) => ({
      entity_id: row.entity_id,
      key: parseKey(row.song_key ?? ''),
      start_bpm: row.min_bpm ?? row.max_bpm ?? undefined,
      shared_genres: row.shared_genres,
      shared_crates: crateCounts.get(row.entity_id) ?? 0,
    }))
}
