import type { catalogue, InputOf } from '@dubplate/contract'
import { between, pick, type Random, seededRandom, shuffled } from '@dubplate/demo/random'
import { wordsOf } from '../server/src/catalogue/words.ts'
import type { Pool } from '../server/src/platform/db.ts'

export type SearchInput = InputOf<typeof catalogue.searchSongs>
export type Query = { kind: string; searchParams: SearchInput }

type Source = {
  random: Random
  common: string[]
  medium: string[]
  rare: string[]
  songs: { title: string; artist: string }[]
}

type Kind = { kind: string; count: number; text(source: Source): string; filters: 'every second' | 'always' | 'never' }
const plainKind = (kind: string, count: number, text: Kind['text']): Kind => ({
  kind,
  count,
  text,
  filters: 'every second',
})
const language = (kind: string, count: number, text: Kind['text']): Kind => ({ kind, count, text, filters: 'never' })

/** Number of queries of each kind: 500 in total. */
const KINDS: Kind[] = [
  plainKind('a common word', 60, ({ random, common }) => pick(random, common)),
  plainKind('two common words', 45, ({ random, common }) => `${pick(random, common)} ${pick(random, common)}`),
  plainKind('a rare word', 40, ({ random, rare }) => pick(random, rare)),
  plainKind('an artist', 60, ({ random, songs }) => pick(random, songs).artist),
  plainKind('a title', 50, ({ random, songs }) => pick(random, songs).title),
  plainKind('artist and title', 40, ({ random, songs }) => titleAndArtist(random, songs)),
  plainKind('a slip', 60, ({ random, medium }) => introduceTypo(random, pick(random, medium))),
  plainKind('a beginning', 45, ({ random, medium }) => pick(random, medium).slice(0, between(random, 3, 5))),
  plainKind('nothing there', 15, ({ random }) =>
    Array.from({ length: 9 }, () => pick(random, [...'qxzjvkw'])).join(''),
  ),
  { kind: 'filters alone', count: 35, text: () => '', filters: 'always' },
  language('keys that mix', 12, ({ random, common }) => `${pick(random, common)} ~key:${between(random, 1, 12)}A`),
  language('an exclusion', 13, ({ random, common }) => `${pick(random, common)} ${exclusion(random, common)}`),
  language('one field', 13, ({ random, songs }) => fieldSearch(random, songs)),
  language('half tempo', 12, ({ random, common }) => `${pick(random, common)} bpm:${between(random, 60, 70)}`),
]

/** Searches like those of members, made from the catalogue's own words. Every second one has filters. */
export async function makeQueries(sql: Pool): Promise<Query[]> {
  const random = seededRandom(500)
  const wordsWithCount = (from: number, to: number) => sql<{ word: string }[]>`
    select word from search_word where df between ${from} and ${to} and word ~ '^[a-z]{3,}$' order by md5(word) limit 400`
  const common = await sql<{ word: string }[]>`
    select word from search_word where word ~ '^[a-z]{3,}$' order by df desc, word limit 60`
  const songs = await sql<{ title: string; artist: string }[]>`
    select title, artist from song where song_section_id = 1 order by md5(entity_id::text) limit 1000`
  const words = (rows: { word: string }[]) => rows.map(({ word }) => word)
  const medium = words(await wordsWithCount(20, 5000)).filter((word) => word.length >= 5)
  const source = { random, common: words(common), medium, rare: words(await wordsWithCount(1, 5)), songs: [...songs] }
  const queries = KINDS.flatMap(({ kind, count, text, filters: filtered }) =>
    Array.from({ length: count }, (_, n) => ({
      kind,
      searchParams: {
        searchTerm: text(source).slice(0, 200),
        song_section_id: 1,
        ...(filtered === 'always' || (filtered === 'every second' && n % 2 === 1) ? filters(random) : {}),
      },
    })),
  )
  return shuffled(
    random,
    queries.filter(({ kind, searchParams }) => kind === 'filters alone' || searchParams.searchTerm.length >= 3),
  )
}

function titleAndArtist(random: Random, songs: Source['songs']): string {
  const song = pick(random, songs)
  return `${wordsOf(song.title)[0] ?? ''} ${song.artist}`
}

const exclusion = (random: Random, common: string[]): string =>
  pick(random, [`-${pick(random, common)}`, '-genre:trance', '-version:"intro clean"', '-bpm:120-130 -key:8A'])

function fieldSearch(random: Random, songs: Source['songs']): string {
  const song = pick(random, songs)
  return random() < 0.5 ? `artist:"${song.artist}"` : `title:"${song.title}"`
}

/** Introduces a typo: one letter wrong, missing, doubled or swapped. */
function introduceTypo(random: Random, word: string): string {
  const at = between(random, 1, word.length - 2)
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)]
  return pick(random, [
    `${before}${pick(random, [...'etaoinsr'])}${after}`,
    `${before}${after}`,
    `${before}${letter}${letter}${after}`,
    `${before}${after.charAt(0)}${letter}${after.slice(1)}`,
  ])
}

/** One to three of the filters that members can set. */
function filters(random: Random): Partial<SearchInput> {
  const from = between(random, 80, 140)
  const year = between(random, 2018, 2025)
  const field = pick(random, [
    { bpm: `${from}-${from + between(random, 4, 30)}` },
    { song_key: pick(random, ['8A', '8A,9A', 'Am', '3B,4B', '11A']) },
    { year: `${year}-${year + between(random, 0, 4)}` },
    { bpm: `${from}-${from + 12}`, song_key: '8A,8B,7A,9A' },
  ])
  const SongEntitySearch = { title: '', artist: '', bpm: '', song_key: '', year: '', ...field }
  return {
    SongEntitySearch,
    ...(random() < 0.3 ? { genre_id: between(random, 31, 45) } : {}),
    ...(random() < 0.3
      ? { versions: pick(random, [['clean'], ['intro_clean', 'intro_dirty'], ['extended', 'club']]) }
      : {}),
  }
}
