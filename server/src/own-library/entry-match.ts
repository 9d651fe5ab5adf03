import { type CatalogueSong, type ComparedSong, comparedSong } from './candidates.ts'
import { similarity } from './compared-text.ts'
import { type EntryReading, type MatchableEntry, readingsOf } from './entry-readings.ts'
import { normalizeIsrc } from './isrc.ts'
import { isOtherRecording, lengthDifference, SAME_SECONDS, scoreOf } from './scoring.ts'
import { chooseVersion } from './version-choice.ts'

export type LibraryMatch =
  | {
      kind: 'certain'
      reason: 'path' | 'isrc' | 'name'
      /** 0 to 1. */
      confidence: number
      entity_id: number
      /** Null when the song is certain and its version is not. */
      song_version_id: number | null
    }
  | { kind: 'review'; candidates: ReviewCandidate[] }
  | { kind: 'none' }

/** A song that the entry may be; the most likely one comes first. */
type ReviewCandidate = { entity_id: number; song_version_id: number | null; confidence: number }

const MIN_CERTAIN = 0.86
const MIN_REVIEW = 0.6
const ISRC_CONFIDENCE = 0.99
/** ISRCs are often those of another song, so the title has to be similar. */
const MIN_ISRC_TITLE = 0.6
/** Two songs whose scores are closer than this cannot be told apart. */
const MIN_LEAD = 0.04
/** The most that a match can have that is left to the member. */
const MAX_REVIEW = 0.8
const MAX_REVIEW_CANDIDATES = 3

type ScoredSong = { compared: ComparedSong; reading: EntryReading; score: number }

/** What is known about one entry while its candidates are compared with it. */
export class EntryMatch {
  readonly isrc: string
  readonly #readings: EntryReading[] = []
  readonly #moreReadings: Iterator<EntryReading>
  readonly #seconds: number | null
  readonly #songs = new Map<number, ScoredSong>()
  #bestScore = 0
  #certain: LibraryMatch | undefined

  constructor(entry: MatchableEntry, version: { entity_id: number; song_version_id: number } | undefined) {
    this.#seconds = entry.duration_seconds
    this.isrc = version ? '' : normalizeIsrc(entry.isrc)
    this.#moreReadings = readingsOf(entry)
    if (!version) return
    const { entity_id, song_version_id } = version
    this.#certain = { kind: 'certain', reason: 'path', confidence: 1, entity_id, song_version_id }
  }

  /** Whether no certain match is found yet. */
  get isOpen(): boolean {
    return !this.#certain && this.#bestScore < MIN_CERTAIN
  }

  /** The n-th way to understand the entry. */
  readingAt(n: number): EntryReading | undefined {
    for (let next = this.#readings.length; next <= n; next++) {
      const reading = this.#moreReadings.next()
      if (reading.done) return undefined
      this.#readings.push(reading.value)
    }
    return this.#readings[n]
  }

  /** The songs have the ISRC of the entry. */
  compareIsrc(songs: readonly CatalogueSong[]): void {
    const reading = this.readingAt(0)
    if (!reading) return
    const alike = songs
      .map((song) => comparedSong(song))
      .map((compared) => ({ compared, reading, score: titleScore(compared, reading) }))
      .filter(({ compared, score }) => score >= MIN_ISRC_TITLE && !isOtherRecording(compared, reading))
      .sort((a, b) => b.score - a.score)
    const [best] = alike
    const isAmbiguous = alike.some((one) => one.score === best?.score && one.compared !== best.compared)
    if (!best || isAmbiguous) return
    this.#certain = this.#certainMatch(best, { reason: 'isrc', confidence: ISRC_CONFIDENCE })
  }

  compareNames(reading: EntryReading, songs: readonly CatalogueSong[]): void {
    for (const song of songs) {
      const compared = comparedSong(song)
      const score = this.#confirmed(compared, reading, scoreOf(compared, reading, this.#seconds))
      if (score <= (this.#songs.get(song.entity_id)?.score ?? 0)) continue
      this.#songs.set(song.entity_id, { compared, reading, score })
      this.#bestScore = Math.max(this.#bestScore, score)
    }
  }

  /** What was cut off may have been the name of a remixer, so without a length it stays uncertain. */
  #confirmed({ versions }: ComparedSong, { is_cut }: EntryReading, score: number): number {
    if (!is_cut || score <= MAX_REVIEW) return score
    return lengthDifference(versions, this.#seconds) <= SAME_SECONDS ? score : MAX_REVIEW
  }

  result(): LibraryMatch {
    if (this.#certain) return this.#certain
    const songs = [...this.#songs.values()].filter(({ score }) => score >= MIN_REVIEW).sort((a, b) => b.score - a.score)
    const [best, second] = songs
    if (!best) return { kind: 'none' }
    const hasLead = !second || best.score - second.score >= MIN_LEAD
    if (best.score >= MIN_CERTAIN && hasLead)
      return this.#certainMatch(best, { reason: 'name', confidence: best.score })
    return {
      kind: 'review',
      candidates: songs.slice(0, MAX_REVIEW_CANDIDATES).map((one) => ({
        ...this.#ids(one),
        confidence: hasLead ? one.score : Math.min(one.score, MAX_REVIEW),
      })),
    }
  }

  #certainMatch(
    one: ScoredSong,
    { reason, confidence }: { reason: 'isrc' | 'name'; confidence: number },
  ): LibraryMatch {
    return { kind: 'certain', reason, confidence, ...this.#ids(one) }
  }

  #ids({ compared, reading }: ScoredSong) {
    const version = chooseVersion(compared, reading, this.#seconds)
    return { entity_id: compared.song.entity_id, song_version_id: version?.song_version_id ?? null }
  }
}

/** A title with a subtitle that the other one does not have is still this title, because the ISRC is the same. */
function titleScore(compared: ComparedSong, { core }: EntryReading): number {
  const isWithin = ` ${core} `.includes(` ${compared.core} `)
  return isWithin ? 1 : similarity(core, compared.core)
}
