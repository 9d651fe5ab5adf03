import { type catalogue, parseQuery, type ReplyOf } from '@dubplate/contract'
import type { Pool } from '../platform/db.ts'
import { type SongCover, songImage } from './images.ts'
import { beginningGroup, findBegun, findSimilar, readKindly } from './search-forgiving.ts'
import { allGenres, type Named } from './search-names.ts'
import { findIds, findWhole, groupOf, prepare, type Quest } from './search-tiers.ts'
import { begunBy, type Counted, type WantedWord } from './search-vocabulary.ts'
import { type SearchWish, wantedWords } from './search-wish.ts'
import { phraseOf, wordsOf } from './words.ts'

type Suggestions = ReplyOf<typeof catalogue.suggestSearch>

/** The best hits: out of these come the songs shown and the artists. */
const BEST = 60
const SONGS = 6
const ARTISTS = 4
const GENRES = 3

/**
 * What a text that is being typed may become, by its plain words alone: songs (the last word counts as a beginning),
 * artists out of the same hits, and genres by name. Nothing for less than two characters.
 */
export async function suggest(sql: Pool, text: string, section: number): Promise<Suggestions> {
  const words = plainWordsOf(text)
  const last = words.at(-1)
  if (!last || [...text.trim()].length < 2) return { songs: [], artists: [], genres: [] }
  const wish: SearchWish = { section, words, facets: [] }
  const [quest, begun, genres] = await Promise.all([prepare(sql, wish), begunBy(sql, last), allGenres(sql)])
  const ids = await findBest(quest, last, begun)
  const hits = ids.length > 0 ? await hitsOf(sql, ids) : []
  return {
    songs: hits.slice(0, SONGS),
    artists: artistsAmong(hits, words),
    genres: genresThatBegin(genres, words),
  }
}

const plainWordsOf = (text: string): WantedWord[] =>
  wantedWords(
    parseQuery(text)
      .filter(({ kind, negated }) => !negated && (kind === 'word' || kind === 'phrase'))
      .map(({ value }) => value)
      .join(' '),
  )

/** Whole titles and artists, then the newest songs; where there are not even enough to show, similar ones behind them. */
async function findBest(quest: Quest, last: WantedWord, begun: readonly Counted[]): Promise<number[]> {
  const { words } = quest.wish
  const ending = last.word.length < 2 ? groupOf(last, quest.vocabulary) : beginningGroup(last, begun)
  const groups = [...words.slice(0, -1).map((wanted) => groupOf(wanted, quest.vocabulary)), ending]
  const isPossible = groups.every(({ expected }) => expected > 0)
  const [whole, newest] = await Promise.all([
    findWhole(quest),
    isPossible ? findIds(quest, groups, { offset: 0, limit: BEST }) : [],
  ])
  const found = [...new Set([...whole, ...newest])]
  if (found.length >= SONGS) return found.slice(0, BEST)
  const readings = await readKindly(quest, found.length)
  const kinder = (await Promise.all([findSimilar(quest, readings, BEST), findBegun(quest, readings, BEST)])).flat()
  return [...new Set([...found, ...kinder])].slice(0, BEST)
}

type Hit = Suggestions['songs'][number]

async function hitsOf(sql: Pool, ids: readonly number[]): Promise<Hit[]> {
  const rows = await sql<SongCover[]>`
    select s.entity_id, s.title, s.artist, s.cover_seed, encode(a.sha256, 'hex') as artwork
    from unnest(${sql.array([...ids], 20)}::bigint[]) with ordinality ids (entity_id, n) join song s using (entity_id)
    left join artwork a using (artwork_id) where s.status = 'published' order by n`
  return rows.map((row) => ({ entity_id: row.entity_id, title: row.title, artist: row.artist, image: songImage(row) }))
}

/** True when a name has all the words, the last one as a beginning. */
function begins(name: string, words: readonly WantedWord[]): boolean {
  const own = wordsOf(name)
  const last = words.at(-1)?.word ?? ''
  return words.slice(0, -1).every(({ word }) => own.includes(word)) && own.some((word) => word.startsWith(last))
}

/** Artists of the hits that are meant by what is typed: the one it spells out, then by how many hits they have. */
function artistsAmong(hits: readonly Hit[], words: readonly WantedWord[]): string[] {
  const typed = words.map(({ word }) => word).join(' ')
  const counted = new Map<string, number>()
  for (const { artist } of hits) if (begins(artist, words)) counted.set(artist, (counted.get(artist) ?? 0) + 1)
  const rank = ([artist, count]: [string, number]) => (phraseOf(artist) === typed ? BEST : 0) + count
  return [...counted]
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, ARTISTS)
    .map(([artist]) => artist)
}

const genresThatBegin = (genres: readonly Named[], words: readonly WantedWord[]): Suggestions['genres'] =>
  genres
    .filter(({ name }) => begins(name, words))
    .slice(0, GENRES)
    .map(({ id, name }) => ({ genre_id: id, name }))
