import { deletionsOf } from '../catalogue/words.ts'
import { MAX_SONGS_OF_WORDS, MAX_WORDS, MIN_WORD_WITH_TYPOS, SAME_CORE_WEIGHT } from './candidate-limits.ts'
import { CandidateWeights } from './candidate-weights.ts'
import { type CandidateSource, type CatalogueSong, type NameKeys, songKeys } from './candidates.ts'
import { isSameWord } from './compared-text.ts'
import { normalizeIsrc } from './isrc.ts'

/** Candidates of a catalogue in memory, whose songs are numbered by their position in it. */
class CatalogueIndex implements CandidateSource {
  readonly #songs: readonly CatalogueSong[]
  readonly #byIsrc = new Map<string, number[]>()
  readonly #byCore = new Map<string, number[]>()
  readonly #byWord = new Map<string, number[]>()
  readonly #byDeletion = new Map<string, string[]>()
  readonly #weights = new CandidateWeights()

  constructor(songs: readonly CatalogueSong[]) {
    this.#songs = songs
    this.#weights.grow(songs.length)
    for (const [n, song] of songs.entries()) {
      const { core, title_words, artist_words } = songKeys(song)
      add(this.#byIsrc, normalizeIsrc(song.isrc), n)
      add(this.#byCore, core, n)
      for (const word of new Set([...title_words, ...artist_words])) add(this.#byWord, word, n)
    }
    for (const word of this.#byWord.keys()) {
      if (word.length < MIN_WORD_WITH_TYPOS) continue
      for (const deletion of deletionsOf(word)) add(this.#byDeletion, deletion, word)
    }
  }

  findByIsrc(isrcs: readonly string[]): CatalogueSong[] {
    return isrcs.flatMap((isrc) => this.#byIsrc.get(isrc) ?? []).map((n) => this.#songs[n]!)
  }

  findByName(names: readonly NameKeys[]): CatalogueSong[][] {
    return names.map((name) => this.#findOne(name))
  }

  #findOne({ core, title_words, artist_words }: NameKeys): CatalogueSong[] {
    this.#weights.add(this.#byCore.get(core) ?? [], SAME_CORE_WEIGHT)
    const ofWords = [...new Set([...title_words, ...artist_words])]
      .flatMap((word) => this.#similarWords(word))
      .map((word) => this.#byWord.get(word) ?? [])
      .sort((a, b) => a.length - b.length)
    let count = 0
    for (const songs of ofWords.slice(0, MAX_WORDS)) {
      if (count > 0 && count + songs.length > MAX_SONGS_OF_WORDS) break
      count += songs.length
      this.#weights.add(songs, Math.log(1 + this.#songs.length / songs.length))
    }
    return this.#weights.takeHeaviest().map((n) => this.#songs[n]!)
  }

  #similarWords(word: string): string[] {
    if (this.#byWord.has(word)) return [word]
    if (word.length < MIN_WORD_WITH_TYPOS) return []
    const similar = deletionsOf(word).flatMap((deletion) => this.#byDeletion.get(deletion) ?? [])
    return [...new Set(similar)].filter((other) => isSameWord(word, other))
  }
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  if (key === '') return
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

/** For tests and small pools: it takes about 4 kB for each song. Larger catalogues look candidates up in PostgreSQL. */
export const indexCatalogue = (songs: readonly CatalogueSong[]): CandidateSource => new CatalogueIndex(songs)
