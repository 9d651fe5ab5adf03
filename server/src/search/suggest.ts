import { type catalogue, parseQuery, type ReplyOf } from '@dubplate/contract'
import { artistsOf } from '../catalogue/artist-credit.ts'
import { type SongCover, songImage } from '../catalogue/images.ts'
import { sectionsOf } from '../catalogue/sections.ts'
import { normalizePhrase, wordsOf } from '../catalogue/words.ts'
import { isVisible } from '../curation/visibility.ts'
import type { Pool } from '../platform/db.ts'
import type { Settings } from '../platform/settings.ts'
import { findByPrefix, findSimilar, genresBegun, prefixGroup, readFuzzily } from './search-fuzzy.ts'
import { genresNear, namedGenres, readPlainWords, spellingOf } from './search-meanings.ts'
import { allGenres, type SearchGenre, toGenreHit } from './search-names.ts'
import type { SearchParams } from './search-params.ts'
import { findExactPhrase, findIds, groupOf, orGenres, prepareSearch, type SearchQuery } from './search-tiers.ts'
import { type Counted, findPrefixMatches, type SearchWord } from './search-vocabulary.ts'

type Suggestions = ReplyOf<typeof catalogue.suggestSearch>

/** The best results of each kind, from which the suggestions are chosen. */
const MAX_CANDIDATES = 60
const MAX_PREFIX_CANDIDATES = 24
const MAX_SONGS = 6
const MAX_NAMES = 4
const MAX_GENRES = 3
const MAX_SPOTLIGHTS = 3
const MIN_LENGTH = 2

/**
 * Suggestions for a text that is being typed, from its plain words alone. In each group, names that begin with the text
 * come first, then names with words that begin with it, then the others. Empty for less than two characters.
 */
export async function suggest(
  sql: Pool,
  text: string,
  section: number,
  { hidden }: Pick<Settings, 'hidden'>,
): Promise<Suggestions> {
  const genres = (await allGenres(sql, section)).filter(({ kind }) => kind === 'genre' || !hidden.has('moods'))
  const words = plainWordsOf(text, genres)
  const last = words.at(-1)
  if (!last || [...text.trim()].length < MIN_LENGTH)
    return { songs: [], artists: [], labels: [], genres: [], spotlights: [] }
  const [songs, labels, spotlights] = await Promise.all([
    findSongs(sql, { section, words, genres, facets: [] }, last),
    findLabels(sql, words, section),
    hidden.has('spotlights') ? [] : findSpotlights(sql, words),
  ])
  return {
    songs: songs.slice(0, MAX_SONGS).map(({ label: _, ...song }) => song),
    artists: collectNames(
      songs.flatMap(({ artist }) => artistsNamed(artist, words)),
      words,
    ),
    labels,
    genres: findGenres(genres, words),
    spotlights,
  }
}

const plainWordsOf = (text: string, genres: readonly SearchGenre[]): SearchWord[] => {
  const parts = parseQuery(text).filter(({ kind, negated }) => !negated && (kind === 'word' || kind === 'phrase'))
  const words = readPlainWords(
    parts.map(({ value }) => value),
    genres,
  ).flat()
  return words.filter(({ word }, at) => words.findLastIndex((other) => other.word === word) === at)
}

const textOf = (words: readonly SearchWord[]): string => words.map(({ word }) => word).join(' ')

/** Songs whose title or artist begins with the text, the newest with words that begin as typed, then similar ones. */
async function findSongs(sql: Pool, params: SearchParams, last: SearchWord): Promise<SuggestedSong[]> {
  const [searchQuery, prefixMatches, leading] = await Promise.all([
    prepareSearch(sql, params),
    findPrefixMatches(sql, last),
    findByBeginning(sql, params),
  ])
  const ids = await findCandidates(searchQuery, last, { prefixMatches, leading })
  const songs = ids.length > 0 ? await hitsOf(sql, ids) : []
  const rank = rankOf(params.words)
  return songs
    .map((song, at) => ({ song, rank: rank(song), at }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ song }) => song)
}

async function findCandidates(
  searchQuery: SearchQuery,
  last: SearchWord,
  { prefixMatches, leading }: { prefixMatches: readonly Counted[]; leading: readonly number[] },
): Promise<number[]> {
  const { words, genres } = searchQuery.params
  const exact = groupOf(last, searchQuery.vocabulary)
  const beginning = prefixGroup(last, prefixMatches)
  const ending =
    last.word.length < MIN_LENGTH
      ? exact
      : orGenres(
          { ...beginning, match: `${beginning.match}|${exact.match}`, expected: beginning.expected + exact.expected },
          genresBegun(last, genres),
        )
  const groups = [...words.slice(0, -1).map((wanted) => groupOf(wanted, searchQuery.vocabulary)), ending]
  const isPossible = groups.every(({ expected }) => expected > 0)
  const [whole, newest] = await Promise.all([
    findExactPhrase(searchQuery),
    isPossible ? findIds(searchQuery, groups, { offset: 0, limit: MAX_CANDIDATES }) : [],
  ])
  const found = [...new Set([...whole, ...leading, ...newest])].sort((a, b) => b - a)
  if (found.length >= MAX_SONGS) return found
  const readings = await readFuzzily(searchQuery, found.length)
  const [begun, similar] = await Promise.all([
    findByPrefix(searchQuery, readings, MAX_CANDIDATES),
    findSimilar(searchQuery, readings, MAX_CANDIDATES),
  ])
  return [...new Set([...found, ...begun, ...similar])].slice(0, MAX_CANDIDATES)
}

/** Songs whose title or artist begins with the text, from the indexes of titles and artists in plain words. */
async function findByBeginning(sql: Pool, { words, section }: SearchParams): Promise<number[]> {
  const from = textOf(words)
  const end = `${from}\u{10ffff}`
  const rows = await sql<{ entity_id: number }[]>`
    select found.entity_id from unnest(${sectionsOf(section)}::smallint[]) of (section) cross join lateral (
      (select entity_id from song where song_section_id = of.section and status = 'published'
        and split_part(song_identity, '|', 2) >= ${from} and split_part(song_identity, '|', 2) < ${end}
        order by split_part(song_identity, '|', 2) limit ${MAX_PREFIX_CANDIDATES})
      union all
      (select entity_id from song where song_section_id = of.section and status = 'published'
        and song_identity >= ${from} and song_identity < ${end} order by song_identity limit ${MAX_PREFIX_CANDIDATES})) found`
  return rows.map((row) => row.entity_id)
}

type SuggestedSong = Suggestions['songs'][number] & { label: string }

async function hitsOf(sql: Pool, ids: readonly number[]): Promise<SuggestedSong[]> {
  const rows = await sql<(SongCover & { label: string })[]>`
    select s.entity_id, s.title, s.artist, s.label, s.cover_seed, encode(a.sha256, 'hex') as artwork
    from unnest(${sql.array([...ids], 20)}::bigint[]) with ordinality ids (entity_id, n) join song s using (entity_id)
    left join artwork a using (artwork_id) where s.status = 'published' order by n`
  return rows.map((row) => ({
    entity_id: row.entity_id,
    title: row.title,
    artist: row.artist,
    label: row.label,
    image: songImage(row),
  }))
}

/** The whole title or artist, its beginning, words that begin as typed, then the rest, whose order stays. */
function rankOf(words: readonly SearchWord[]): (song: SuggestedSong) => number {
  const text = textOf(words)
  return ({ title, artist }) => {
    const names = [normalizePhrase(title), normalizePhrase(artist)]
    if (names.includes(text)) return names.indexOf(text)
    if (names.some((name) => name.startsWith(text))) return 2
    return beginsWords(`${title} ${artist}`, words) ? 3 : 4
  }
}

/** Whether a name has all the words, the last one as a prefix. */
function beginsWords(name: string, words: readonly SearchWord[]): boolean {
  const own = wordsOf(name)
  const last = words.at(-1)?.word ?? ''
  return words.slice(0, -1).every(({ word }) => own.includes(word)) && own.some((word) => word.startsWith(last))
}

/** The artists of a song that match the text; all of them as written when only their names together match. */
function artistsNamed(artist: string, words: readonly SearchWord[]): string[] {
  const matching = artistsOf(artist).filter(({ name }) => beginsWords(name, words))
  return matching.length > 0 ? matching.map(({ name }) => name) : [artist]
}

/** The names that match the text: the exact one first, then those that begin with it, then by number of songs. */
function collectNames(names: readonly string[], words: readonly SearchWord[]): string[] {
  const text = textOf(words)
  const counted = new Map<string, number>()
  for (const name of names) if (beginsWords(name, words)) counted.set(name, (counted.get(name) ?? 0) + 1)
  const closeness = (name: string) => {
    const plain = normalizePhrase(name)
    return plain === text ? 2 : plain.startsWith(text) ? 1 : 0
  }
  return [...counted]
    .sort(([a, countA], [b, countB]) => closeness(b) - closeness(a) || countB - countA)
    .slice(0, MAX_NAMES)
    .map(([name]) => name)
}

/** The labels of the newest songs with a label that matches the text. */
async function findLabels(sql: Pool, words: readonly SearchWord[], section: number): Promise<string[]> {
  const labelWords = words.map(({ word }): SearchWord => ({ word, field: 'label', isExact: false }))
  const last = labelWords.at(-1)
  const prefixMatches = last ? await findPrefixMatches(sql, last) : []
  if (!last || prefixMatches.length === 0) return []
  const searchQuery = await prepareSearch(sql, { section, words: labelWords, genres: [], facets: [] })
  const groups = [
    ...labelWords.slice(0, -1).map((word) => groupOf(word, searchQuery.vocabulary)),
    prefixGroup(last, prefixMatches),
  ]
  if (groups.some(({ expected }) => expected === 0)) return []
  const ids = await findIds(searchQuery, groups, { offset: 0, limit: MAX_CANDIDATES })
  const songs = ids.length > 0 ? await hitsOf(sql, ids) : []
  return collectNames(
    songs.map(({ label }) => label),
    words,
  )
}

/** Genres by name: equal, beginning with the text, with words that begin with it, named by some words, then similar. */
function findGenres(genres: readonly SearchGenre[], words: readonly SearchWord[]): Suggestions['genres'] {
  const plain = words.map(({ word }) => word)
  const text = plain.join(' ')
  const withSongs = genres.filter(({ song_count }) => song_count > 0)
  const isWholeName = new Set(namedGenres([spellingOf(plain)], withSongs))
  const choices = [
    ...isWholeName,
    ...withSongs.filter(({ name }) => normalizePhrase(name).startsWith(text)),
    ...withSongs.filter(({ name }) => beginsWords(name, words)),
    ...namedGenres(plain, withSongs),
  ]
  const found = choices.length > 0 ? choices : genresNear(plain, withSongs)
  return [...new Set(found)].slice(0, MAX_GENRES).map(toGenreHit)
}

/** Visible spotlights whose title has the words, the latest first. */
async function findSpotlights(sql: Pool, words: readonly SearchWord[]): Promise<Suggestions['spotlights']> {
  const patterns = words.map(({ word }) => `%${word}%`)
  const rows = await sql<{ curated_list_id: number; title: string }[]>`
    select curated_list_id, title from curated_list
    where ${isVisible(sql)} and lower(title) like all(${patterns}::text[])
    order by published_at desc, curated_list_id desc limit ${MAX_CANDIDATES}`
  const text = textOf(words)
  const isBeginning = ({ title }: { title: string }) => Number(normalizePhrase(title).startsWith(text))
  return rows
    .filter(({ title }) => beginsWords(title, words))
    .sort((a, b) => isBeginning(b) - isBeginning(a))
    .slice(0, MAX_SPOTLIGHTS)
}
