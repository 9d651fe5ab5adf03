import { type catalogue, parseQuery, type ReplyOf } from '@dubplate/contract'
import { type SongCover, songImage } from '../catalogue/images.ts'
import { normalizePhrase, wordsOf } from '../catalogue/words.ts'
import type { Pool } from '../platform/db.ts'
import { findByPrefix, findSimilar, prefixGroup, readFuzzily } from './search-fuzzy.ts'
import { allGenres, type NamedItem } from './search-names.ts'
import { type SearchParams, wantedWords } from './search-params.ts'
import { findExactPhrase, findIds, groupOf, prepareSearch, type SearchQuery } from './search-tiers.ts'
import { type Counted, findPrefixMatches, type SearchWord } from './search-vocabulary.ts'

type Suggestions = ReplyOf<typeof catalogue.suggestSearch>

/** The best results, from which the suggested songs and artists are chosen. */
const MAX_CANDIDATES = 60
const MAX_SONGS = 6
const MAX_ARTISTS = 4
const MAX_GENRES = 3

/**
 * Suggestions for a text that is being typed, from its plain words alone: songs (the last word is a prefix), artists of
 * the same results, and genres by name. Empty for less than two characters.
 */
export async function suggest(sql: Pool, text: string, section: number): Promise<Suggestions> {
  const words = plainWordsOf(text)
  const last = words.at(-1)
  if (!last || [...text.trim()].length < 2) return { songs: [], artists: [], genres: [] }
  const params: SearchParams = { section, words, facets: [] }
  const [searchQuery, prefixMatches, genres] = await Promise.all([
    prepareSearch(sql, params),
    findPrefixMatches(sql, last),
    allGenres(sql),
  ])
  const ids = await findBest(searchQuery, last, prefixMatches)
  const suggestedSongs = ids.length > 0 ? await hitsOf(sql, ids) : []
  return {
    songs: suggestedSongs.slice(0, MAX_SONGS),
    artists: collectArtists(suggestedSongs, words),
    genres: findGenresByPrefix(genres, words),
  }
}

const plainWordsOf = (text: string): SearchWord[] =>
  wantedWords(
    parseQuery(text)
      .filter(({ kind, negated }) => !negated && (kind === 'word' || kind === 'phrase'))
      .map(({ value }) => value)
      .join(' '),
  )

/** Full titles and artists, then the newest songs; if there are not enough to show, followed by similar ones. */
async function findBest(
  searchQuery: SearchQuery,
  last: SearchWord,
  prefixMatches: readonly Counted[],
): Promise<number[]> {
  const { words } = searchQuery.params
  const ending = last.word.length < 2 ? groupOf(last, searchQuery.vocabulary) : prefixGroup(last, prefixMatches)
  const groups = [...words.slice(0, -1).map((wanted) => groupOf(wanted, searchQuery.vocabulary)), ending]
  const isPossible = groups.every(({ expected }) => expected > 0)
  const [whole, newest] = await Promise.all([
    findExactPhrase(searchQuery),
    isPossible ? findIds(searchQuery, groups, { offset: 0, limit: MAX_CANDIDATES }) : [],
  ])
  const found = [...new Set([...whole, ...newest])]
  if (found.length >= MAX_SONGS) return found.slice(0, MAX_CANDIDATES)
  const readings = await readFuzzily(searchQuery, found.length)
  const fuzzyResults = (
    await Promise.all([
      findSimilar(searchQuery, readings, MAX_CANDIDATES),
      findByPrefix(searchQuery, readings, MAX_CANDIDATES),
    ])
  ).flat()
  return [...new Set([...found, ...fuzzyResults])].slice(0, MAX_CANDIDATES)
}

type SuggestedSong = Suggestions['songs'][number]

async function hitsOf(sql: Pool, ids: readonly number[]): Promise<SuggestedSong[]> {
  const rows = await sql<SongCover[]>`
    select s.entity_id, s.title, s.artist, s.cover_seed, encode(a.sha256, 'hex') as artwork
    from unnest(${sql.array([...ids], 20)}::bigint[]) with ordinality ids (entity_id, n) join song s using (entity_id)
    left join artwork a using (artwork_id) where s.status = 'published' order by n`
  return rows.map((row) => ({ entity_id: row.entity_id, title: row.title, artist: row.artist, image: songImage(row) }))
}

/** Whether a name has all the words, the last one as a prefix. */
function startsWithWords(name: string, words: readonly SearchWord[]): boolean {
  const own = wordsOf(name)
  const last = words.at(-1)?.word ?? ''
  return words.slice(0, -1).every(({ word }) => own.includes(word)) && own.some((word) => word.startsWith(last))
}

/** Artists of the results that match the text: the exact one first, then by number of results. */
function collectArtists(suggestedSongs: readonly SuggestedSong[], words: readonly SearchWord[]): string[] {
  const queryText = words.map(({ word }) => word).join(' ')
  const counted = new Map<string, number>()
  for (const { artist } of suggestedSongs)
    if (startsWithWords(artist, words)) counted.set(artist, (counted.get(artist) ?? 0) + 1)
  const rank = ([artist, count]: [string, number]) =>
    (normalizePhrase(artist) === queryText ? MAX_CANDIDATES : 0) + count
  return [...counted]
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, MAX_ARTISTS)
    .map(([artist]) => artist)
}

const findGenresByPrefix = (genres: readonly NamedItem[], words: readonly SearchWord[]): Suggestions['genres'] =>
  genres
    .filter(({ name }) => startsWithWords(name, words))
    .slice(0, MAX_GENRES)
    .map(({ id, name }) => ({ genre_id: id, name }))
