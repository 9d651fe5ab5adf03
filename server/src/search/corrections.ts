import type { catalogue, ReplyOf } from '@dubplate/contract'
import { artistsOf } from '../catalogue/artist-credit.ts'
import { FIELDS } from '../catalogue/search-index.ts'
import { deletionsOf, editDistance, normalizePhrase } from '../catalogue/words.ts'
import type { Pool } from '../platform/db.ts'
import { search } from './search.ts'
import { genresNear, genresWithWord, readPlainWords, spellingOf } from './search-meanings.ts'
import { type SearchGenre, toGenreHit } from './search-names.ts'
import type { SearchParams } from './search-params.ts'
import { findIds, groupOf, prepareSearch } from './search-tiers.ts'
import type { SearchWord } from './search-vocabulary.ts'

type Corrections = ReplyOf<typeof catalogue.searchSongs>['did_you_mean']

export const NO_CORRECTIONS: Corrections = { genres: [], artists: [], terms: [] }

const MAX_CORRECTIONS = 3
const MAX_CORRECTED_WORDS = 6

/** Typos in a text of this length that still let it mean another one. */
const maxTypos = (length: number): number => Math.max(1, Math.floor(length / 3))

/** What a search without results may have meant: genres and artists with similar names, and the text spelled right. */
export async function findCorrections(
  sql: Pool,
  params: SearchParams,
  genres: readonly SearchGenre[],
): Promise<Corrections> {
  const words = params.words.filter(({ field, isExact }) => field === 'any' && !isExact).slice(0, MAX_CORRECTED_WORDS)
  if (words.length === 0) return NO_CORRECTIONS
  const [anywhere, artists] = await Promise.all([nearestWords(sql, words, ''), findArtists(sql, params, words)])
  return {
    genres: nearestGenres(
      genres,
      words,
      words.filter((word) => !hasMeaning(word) && anywhere.get(word) !== word.word),
    ),
    artists,
    terms: await findTerms(sql, params, words, anywhere),
  }
}

/** Genres with a similar name, then those with a word like one of the unknown words, then those that begin like one. */
function nearestGenres(
  genres: readonly SearchGenre[],
  words: readonly SearchWord[],
  unknown: readonly SearchWord[],
): Corrections['genres'] {
  const plain = words.map(({ word }) => word)
  const spelling = spellingOf(plain)
  const withSongs = genres.filter(({ song_count }) => song_count > 0)
  const bySpelling = withSongs
    .map((genre) => ({ genre, typos: editDistance(spellingOf(normalizePhrase(genre.name).split(' ')), spelling) }))
    .filter(({ typos }) => typos <= maxTypos(spelling.length))
    .sort((a, b) => a.typos - b.typos)
    .map(({ genre }) => genre)
  const byWord = unknown.flatMap(({ word }) => genresNear([word], withSongs))
  const byBeginning = unknown.flatMap(({ word }) => genresWithWord(withSongs, (own) => beginsLike(own, word)))
  return [...new Set([...bySpelling, ...byWord, ...byBeginning])].slice(0, MAX_CORRECTIONS).map(toGenreHit)
}

/** As many letters as "afro" has, so that "afrobeats" offers Afro House. */
const MIN_COMMON_LETTERS = 4
const beginsLike = (own: string, word: string): boolean =>
  Math.min(own.length, word.length) >= MIN_COMMON_LETTERS &&
  (word.startsWith(own) || own.startsWith(word.slice(0, MIN_COMMON_LETTERS + 1)))

const MAX_WORD_TYPOS = 2

/** For each word the nearest one of the vocabulary, at most two typos away; the word itself if the vocabulary has it. */
async function nearestWords(sql: Pool, words: readonly SearchWord[], sign: string): Promise<Map<SearchWord, string>> {
  const probes = words.flatMap(({ word }, n) => deletionsOf(word).map((del) => ({ del, n })))
  const rows = await sql<{ n: number; word: string; df: number }[]>`
    select distinct probe.n, d.word, w.df
    from unnest(${probes.map(({ del }) => del)}::text[], ${probes.map(({ n }) => n)}::int[]) as probe (del, n)
    join search_word_del d using (del) join search_word w on w.word = ${sign}::text || d.word`
  const nearest = new Map<SearchWord, string>()
  for (const [n, searchWord] of words.entries()) {
    const [best] = rows
      .filter((row) => row.n === n)
      .map(({ word, df }) => ({ word, df, typos: editDistance(word, searchWord.word) }))
      .filter(({ word, typos }) => typos <= Math.min(MAX_WORD_TYPOS, maxTypos(word.length)))
      .sort((a, b) => a.typos - b.typos || b.df - a.df)
    if (best) nearest.set(searchWord, best.word)
  }
  return nearest
}

/** Artists whose name is the text with other spelling. */
async function findArtists(sql: Pool, params: SearchParams, words: readonly SearchWord[]): Promise<string[]> {
  const nearest = await nearestWords(sql, words, FIELDS.artist)
  if (nearest.size < words.length) return []
  const artistWords = [...nearest.values()].map((word): SearchWord => ({ word, field: 'artist', isExact: false }))
  const searchQuery = await prepareSearch(sql, { section: params.section, words: artistWords, genres: [], facets: [] })
  const groups = artistWords.map((word) => groupOf(word, searchQuery.vocabulary))
  if (groups.some(({ expected }) => expected === 0)) return []
  const ids = await findIds(searchQuery, groups, { offset: 0, limit: 24 })
  const rows = await sql<{ artist: string }[]>`select distinct artist from song where entity_id = any(${ids}::bigint[])`
  const text = words.map(({ word }) => word).join(' ')
  const names = rows.flatMap(({ artist }) => [artist, ...artistsOf(artist).map(({ name }) => name)])
  return [...new Set(names)]
    .map((artist) => ({ artist, typos: editDistance(normalizePhrase(artist), text) }))
    .filter(({ typos }) => typos <= maxTypos(text.length))
    .sort((a, b) => a.typos - b.typos)
    .slice(0, MAX_CORRECTIONS)
    .map(({ artist }) => artist)
}

const hasMeaning = ({ genres = [], facets = [] }: SearchWord): boolean => genres.length + facets.length > 0

/**
 * The text with its words corrected, or without the words that nothing is near to, if that finds songs. Not both: what
 * is left would have little to do with the text.
 */
async function findTerms(
  sql: Pool,
  params: SearchParams,
  words: readonly SearchWord[],
  nearest: ReadonlyMap<SearchWord, string>,
): Promise<string[]> {
  const corrected = words.flatMap((word) => (hasMeaning(word) ? word.word : (nearest.get(word) ?? [])))
  const term = corrected.join(' ')
  if (corrected.length === 0 || term === words.map(({ word }) => word).join(' ')) return []
  const isShorter = words.some((word) => word.word.length > 1 && !hasMeaning(word) && !nearest.has(word))
  if (isShorter && !corrected.every((word) => words.some((typed) => typed.word === word))) return []
  const plain = readPlainWords(corrected, params.genres).flat()
  const found = await search(
    sql,
    { section: params.section, words: plain, genres: params.genres, facets: [] },
    { offset: 0, limit: 1 },
  )
  return found.hasNoMatch ? [] : [term]
}
