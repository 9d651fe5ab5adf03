import type { Sql } from '../platform/db.ts'
import { creditSong, removeCredits } from './credits.ts'
import { deletionsOf, wordsOf } from './words.ts'

/** Shorter words are too similar to too many others for fuzzy matching. */
export const MIN_FUZZY_LENGTH = 4

type IndexedSong = {
  title: string
  artist: string
  remixer: string
  label: string
  min_bpm: number | null
  max_bpm: number | null
  key_position: number | null
  year: number | null
  song_section_id: number
  genres: number[]
  has_genre: boolean
  kinds: number[]
  versions: string | null
}

/** The facet of songs without a genre; moods do not count. A genre only merges into one of its kind, so merging keeps it. */
export const NO_GENRE = '#g0'

/** The genres, years and tempos among the facets: a tempo is a whole number of BPM, or one of the ranges of eight. */
export const GENRE_FACET = /^#g[1-9]/
export const YEAR_FACET = /^#y/
export const TEMPO_FACET = /^#[bB]/

export const genreFacet = (genreId: number): string => `#g${genreId}`

/** The range of eight BPM that a facet of a tempo belongs to, or is: #B15 for 120 to 127. */
export const tempoRangeOf = (facet: string): string =>
  facet.startsWith('#B') ? facet : `#B${Math.floor(Number(facet.slice(2)) / 8)}`

/** A genre together with a year, #G31y2014, or with a range of tempos, #G31B15: songs of both are few, those of each many. */
export const pairFacet = (genre: string, other: string): string => `#G${genre.slice(2)}${other.slice(1)}`

/** The facet words of a song. '#' never occurs in a word of a text, so that the two cannot collide. */
export function facetsOf(
  song: Pick<IndexedSong, 'min_bpm' | 'key_position' | 'year' | 'song_section_id' | 'genres' | 'has_genre' | 'kinds'>,
): string[] {
  const genres = song.genres.map(genreFacet)
  const years = song.year === null ? [] : [`#y${song.year}`]
  const tempos = song.min_bpm === null ? [] : [`#b${Math.round(song.min_bpm)}`]
  const paired = [...years, ...tempos.map(tempoRangeOf)]
  return [
    `#s${song.song_section_id}`,
    ...genres,
    ...(song.has_genre ? [] : [NO_GENRE]),
    ...song.kinds.map((kind) => `#v${kind}`),
    ...(song.key_position === null ? [] : [`#k${song.key_position}`]),
    ...tempos,
    ...paired,
    ...genres.flatMap((genre) => paired.map((other) => pairFacet(genre, other))),
  ]
}

/** The prefixes of a word of only the title, artist or label, stored besides the same word for the whole song. */
export const FIELDS = { any: '', title: '=', artist: '@', label: '~' } as const
export type Field = keyof typeof FIELDS

/**
 * The words of title, artist and label separately, and the number of the first two, which distinguish a full title from
 * a part of one.
 */
export function fieldWordsOf({ title, artist, label }: Pick<IndexedSong, 'title' | 'artist' | 'label'>): string[] {
  const [ofTitle, ofArtist] = [wordsOf(title), wordsOf(artist)]
  return [
    ...ofTitle.map((word) => `${FIELDS.title}${word}`),
    ...ofArtist.map((word) => `${FIELDS.artist}${word}`),
    ...wordsOf(label).map((word) => `${FIELDS.label}${word}`),
    `#t${ofTitle.length}`,
    `#a${ofArtist.length}`,
  ]
}

/**
 * Writes the search row, the credits, and the year and tempo in the lists of a song, in the transaction that changed it. New
 * words and facets are added to the vocabulary in the same transaction, because a word missing there is treated as a typo, and
 * a facet as one without songs.
 */
export async function indexSong(sql: Sql, entityId: number): Promise<void> {
  const [song] = await sql<IndexedSong[]>`
    select title, artist, remixer, label, min_bpm, max_bpm, key_position, year, song_section_id,
      array(select genre_id from song_genre where entity_id = ${entityId}) as genres,
      exists (select 1 from song_genre join genre using (genre_id) where entity_id = ${entityId} and kind = 'genre') as has_genre,
      array(select distinct version_kind_id from song_version where entity_id = ${entityId} and status = 'published') as kinds,
      (select string_agg(version_label, ' ') from song_version where entity_id = ${entityId} and status = 'published') as versions
    from song where entity_id = ${entityId} and status = 'published'`
  if (!song) {
    await sql`delete from song_search where entity_id = ${entityId}`
    await removeCredits(sql, entityId)
    return
  }
  await creditSong(sql, entityId, song)
  const { year, min_bpm, max_bpm } = song
  await sql`
    update song_genre set year = ${year}, min_bpm = ${min_bpm}, max_bpm = ${max_bpm} where entity_id = ${entityId}
      and (year, min_bpm, max_bpm) is distinct from (${year}::smallint, ${min_bpm}::real, ${max_bpm}::real)`
  const words = wordsOf([song.title, song.artist, song.remixer, song.label, song.versions ?? ''].join(' '))
  const tokens = [...words, ...fieldWordsOf(song), ...facetsOf(song)]
  await addWords(sql, tokens)
  await sql`
    insert into song_search (entity_id, max_bpm, tsv) values (${entityId}, ${song.max_bpm}, array_to_tsvector(${tokens}::text[]))
    on conflict (entity_id) do update set max_bpm = excluded.max_bpm, tsv = excluded.tsv`
}

/** Adds new words and facets to the vocabulary, plain words with their deletions for fuzzy matching. */
export async function addWords(sql: Sql, words: readonly string[]): Promise<void> {
  const sortedWords = [...words].sort()
  const fresh = await sql<{ word: string }[]>`
    insert into search_word (word, df) select word, 1 from unnest(${sortedWords}::text[]) as given (word)
    on conflict (word) do nothing returning word`
  const long = fresh.map(({ word }) => word).filter((word) => word.length >= MIN_FUZZY_LENGTH && !/^[=@~#]/.test(word))
  const pairs = long.flatMap((word) => deletionsOf(word).map((del) => ({ del, word })))
  if (pairs.length === 0) return
  await sql`
    insert into search_word_del (del, word)
    select * from unnest(${pairs.map(({ del }) => del)}::text[], ${pairs.map(({ word }) => word)}::text[])
    on conflict do nothing`
}

/** Recounts in how many songs each word and facet occurs. The counts only affect query planning, not the results. */
export async function recountWords(sql: Sql): Promise<void> {
  await sql`
    insert into search_word (word, df) select word, ndoc from ts_stat('select tsv from song_search') order by word
    on conflict (word) do update set df = excluded.df where search_word.df <> excluded.df`
}
