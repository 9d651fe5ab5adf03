import { deletionsOf, normalizePhrase } from '../catalogue/words.ts'
import type { Sql } from '../platform/db.ts'
import { MAX_SONGS_OF_WORDS, MAX_WORDS, MIN_WORD_WITH_TYPOS, SAME_CORE_WEIGHT } from './candidate-limits.ts'
import { CandidateWeights } from './candidate-weights.ts'
import { type CandidateSource, type CatalogueSong, comparedSong, type NameKeys } from './candidates.ts'
import { isSameWord } from './compared-text.ts'

/** Songs of one section whose titles begin alike: others are found by their words. */
const MAX_SAME_TITLES = 40
/** What a run keeps in memory of the catalogue: libraries have the same words and songs again and again. */
const MAX_KEPT_SONGS = 20_000
const MAX_KEPT_WORD_SONGS = 2_000_000
const MAX_KEPT_WORDS = 100_000

/**
 * Candidates from the tables that search uses. Only published songs are in them. One instance serves one run: it does
 * not see changes of words and songs that it has already read.
 */
export class SqlCatalogue implements CandidateSource {
  readonly #sql: Sql
  #songCount = 0
  readonly #songs = new Map<number, CatalogueSong>()
  /** In how many songs each word is; 0 for unknown words. */
  readonly #counts = new Map<string, number>()
  readonly #similar = new Map<string, readonly string[]>()
  /** The songs with each word, by their numbers. */
  readonly #songsOfWords = new Map<string, Int32Array>()
  #keptWordSongs = 0
  /** Songs are numbered in the order in which they were read. */
  readonly #numbers = new Map<number, number>()
  readonly #ids: number[] = []
  readonly #weights = new CandidateWeights()

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async findByIsrc(isrcs: readonly string[]): Promise<CatalogueSong[]> {
    const written = isrcs.flatMap((isrc) => [isrc, isrc.replace(/^(..)(...)(..)(.+)$/, '$1-$2-$3-$4')])
    const rows = await this.#sql<{ entity_id: number }[]>`
      select entity_id from song where isrc = any(${written}::text[]) and status = 'published'`
    return this.#load(rows.map(({ entity_id }) => entity_id))
  }

  async findByName(names: readonly NameKeys[]): Promise<CatalogueSong[][]> {
    this.#forgetExcess()
    if (this.#songCount === 0) this.#songCount = await this.#countSongs()
    const sameTitles = await this.#findSameTitles(names)
    const wordsOfNames = await this.#knownWords(names)
    const chosen = wordsOfNames.map((words) => this.#rarestWords(words))
    await this.#readSongsOfWords(chosen.flat())
    const ids = names.map((_, n) => this.#heaviest(chosen[n]!, sameTitles[n]!))
    await this.#load(ids.flat())
    return ids.map((some) => some.flatMap((id) => this.#songs.get(id) ?? []))
  }

  #forgetExcess(): void {
    if (this.#songs.size > MAX_KEPT_SONGS) this.#songs.clear()
    if (this.#counts.size > MAX_KEPT_WORDS) {
      this.#counts.clear()
      this.#similar.clear()
    }
    if (this.#keptWordSongs <= MAX_KEPT_WORD_SONGS) return
    this.#songsOfWords.clear()
    this.#keptWordSongs = 0
  }

  async #countSongs(): Promise<number> {
    const [counted] = await this.#sql<{ songs: number }[]>`
      select coalesce(sum(songs), 0)::int as songs from genre_counter where genre_id = 0`
    return Math.max(1, counted?.songs ?? 0)
  }

  /**
   * The songs with each core title: those of the titles that begin with it, since version, remix and guests come after
   * it.
   */
  async #findSameTitles(names: readonly NameKeys[]): Promise<number[][]> {
    const cores = [...new Set(names.map(({ core }) => normalizePhrase(core)))].filter((core) => core !== '')
    const ends = cores.map((core) => `${core}\u{10ffff}`)
    const rows = await this.#sql<{ core: string; ids: number[] }[]>`
      select core, array_agg(entity_id) as ids from unnest(${cores}::text[], ${ends}::text[]) given (core, core_end)
      cross join unnest(array[1, 2]::smallint[]) of (section)
      cross join lateral (
        select entity_id from song where song_section_id = of.section and status = 'published'
          and split_part(song_identity, '|', 2) >= core collate "C"
          and split_part(song_identity, '|', 2) < core_end collate "C"
        order by split_part(song_identity, '|', 2) limit ${MAX_SAME_TITLES}) found
      group by core`
    const byCore = new Map(rows.map(({ core, ids }) => [core, ids]))
    await this.#load([...byCore.values()].flat())
    return names.map(({ core }) =>
      (byCore.get(normalizePhrase(core)) ?? []).filter((id) => {
        const song = this.#songs.get(id)
        return song !== undefined && comparedSong(song).core === core
      }),
    )
  }

  /** The words of each name that the catalogue has, or those a typing error away. */
  async #knownWords(names: readonly NameKeys[]): Promise<string[][]> {
    const words = names.map(({ title_words, artist_words }) => [...new Set([...title_words, ...artist_words])])
    await this.#readCounts(words.flat())
    const unknown = [...new Set(words.flat())].filter((word) => this.#counts.get(word) === 0)
    await this.#readSimilar(unknown.filter((word) => word.length >= MIN_WORD_WITH_TYPOS && !this.#similar.has(word)))
    await this.#readCounts(unknown.flatMap((word) => this.#similar.get(word) ?? []))
    return words.map((some) => [
      ...new Set(some.flatMap((word) => (this.#counts.get(word) === 0 ? (this.#similar.get(word) ?? []) : [word]))),
    ])
  }

  async #readCounts(words: readonly string[]): Promise<void> {
    const missing = [...new Set(words)].filter((word) => !this.#counts.has(word))
    if (missing.length === 0) return
    for (const word of missing) this.#counts.set(word, 0)
    const rows = await this.#sql<{ word: string; df: number }[]>`
      select word, greatest(df, 1) as df from search_word where word = any(${missing}::text[])`
    for (const { word, df } of rows) this.#counts.set(word, df)
  }

  async #readSimilar(words: readonly string[]): Promise<void> {
    if (words.length === 0) return
    for (const word of words) this.#similar.set(word, [])
    const pairs = words.flatMap((word) => deletionsOf(word).map((deletion) => ({ word, deletion })))
    const rows = await this.#sql<{ word: string; similar: string[] }[]>`
      select given.word, array_agg(distinct d.word) as similar
      from unnest(${pairs.map(({ word }) => word)}::text[], ${pairs.map(({ deletion }) => deletion)}::text[]) given (word, del)
      join search_word_del d using (del) group by given.word`
    for (const { word, similar } of rows)
      this.#similar.set(
        word,
        similar.filter((other) => isSameWord(word, other)),
      )
  }

  /** The rarest words, as long as they are not in too many songs together. */
  #rarestWords(words: readonly string[]): string[] {
    const sorted = [...words].sort((a, b) => this.#countOf(a) - this.#countOf(b)).slice(0, MAX_WORDS)
    let total = 0
    const end = sorted.findIndex((word, n) => {
      total += this.#countOf(word)
      return n > 0 && total > MAX_SONGS_OF_WORDS
    })
    return end < 0 ? sorted : sorted.slice(0, end)
  }

  #countOf = (word: string): number => this.#songsOfWords.get(word)?.length ?? this.#counts.get(word) ?? 0

  async #readSongsOfWords(words: readonly string[]): Promise<void> {
    const missing = [...new Set(words)].filter((word) => !this.#songsOfWords.has(word))
    if (missing.length === 0) return
    const rows = await this.#sql<{ word: string; songs: number[] }[]>`
      select word, array(select entity_id from song_search
        where tsv @@ ('''' || word || '''')::tsquery limit ${MAX_SONGS_OF_WORDS}) as songs
      from unnest(${missing}::text[]) given (word)`
    for (const { word, songs } of rows) {
      this.#songsOfWords.set(word, Int32Array.from(songs, this.#numberOf))
      this.#keptWordSongs += songs.length
    }
  }

  #numberOf = (id: number): number => {
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    const number = this.#ids.push(id) - 1
    this.#numbers.set(id, number)
    return number
  }

  #heaviest(words: readonly string[], sameTitles: readonly number[]): number[] {
    const titles = sameTitles.map(this.#numberOf)
    this.#weights.grow(this.#ids.length)
    this.#weights.add(titles, SAME_CORE_WEIGHT)
    for (const word of words) {
      const songs = this.#songsOfWords.get(word)!
      if (songs.length > 0) this.#weights.add(songs, Math.log(1 + this.#songCount / songs.length))
    }
    return this.#weights.takeHeaviest().map((n) => this.#ids[n]!)
  }

  async #load(ids: readonly number[]): Promise<CatalogueSong[]> {
    const missing = [...new Set(ids)].filter((id) => !this.#songs.has(id))
    if (missing.length > 0) {
      const rows = await this.#sql<CatalogueSong[]>`
        select s.entity_id, s.artist, s.title, s.remixer, s.isrc,
          (select coalesce(json_agg(json_build_object('song_version_id', v.song_version_id, 'version_label', v.version_label,
              'duration_seconds', v.duration_seconds) order by v.position, v.song_version_id), '[]')
            from song_version v where v.entity_id = s.entity_id and v.status = 'published') as versions
        from song s where s.entity_id = any(${missing}::bigint[]) and s.status = 'published'`
      for (const song of rows) this.#songs.set(song.entity_id, song)
    }
    return [...new Set(ids)].flatMap((id) => this.#songs.get(id) ?? [])
  }
}
