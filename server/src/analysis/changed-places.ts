import type { quality } from '@dubplate/contract'
import { differingBits } from './alignment.ts'
import { findAlignmentPath } from './alignment-path.ts'
import { CODE_RATE, PRINT_BANDS, PRINT_FRAME_SECONDS, PRINT_STEP_DB } from './fingerprint.ts'

/** What is compared of a file: see `FingerprintStream`. */
export type LevelPrint = { codes: Int32Array; levels: Uint8Array }

/** Share of equal bits along the alignment from which both are the same recording; chance is 0.5. */
const MIN_SIMILARITY = 0.75
/** Levels of so many frames are averaged, because their frames begin at different samples in the two files. */
const SMOOTHED_FRAMES = 3
/** Levels that are this much below the loudest band of their moment are not heard, and not kept by encoders. */
const AUDIBLE_RANGE_DB = 30
/** Level of a band below which nothing is compared, above the floor of the print. */
const MIN_LEVEL_DB = 25
/**
 * A difference is counted only if the level does not occur in the other file within this many frames before or after: a
 * drum hit is not at the same place within its frame.
 */
const SLACK_FRAMES = 0.75
/** A word changes several bands; the encoder's noise is highest in single ones. */
const LOUDEST_BANDS = 3
/** Fractions of a frame that are tried for the shift of a part. */
const FRACTIONS = Array.from({ length: 25 }, (_, n) => (n - 12) / 16)

/**
 * Measured in dB (bench/versions.bench.ts): other encodings of the same sound differ by up to 1.4 in single moments, by
 * 0.1 in most. A place is as long as its difference is over the first value, and must reach the second one.
 */
const EDGE_DB = 0.4
const PEAK_DB = 1.25
/** Versions that differ nowhere by more than this sound the same. */
const SAME_DB = 0.75
/** In versions that differ everywhere (another mix), a place must differ this many times more than the rest. */
const TIMES_USUAL = 4
/** From this usual difference on, nothing can be said about places. */
const MAX_USUAL_DB = 1.25
const GAP_SECONDS = 0.5
/** Parts at the beginning and end are left out: fades are so quiet that encoders change them. */
const MARGIN_FRAMES = 8
/** A shift by less is not reported: it may be an encoder's delay. */
const MIN_SHIFT_SECONDS = 0.2
/** A shift that lasts for less is not a cut. */
const MIN_PART_FRAMES = Math.round(3 * CODE_RATE)

/** `is_same` is false, too, when there are differences that are too small or too uncertain to be shown. */
export type VersionDifference = { places: quality.ChangedPlace[]; is_same: boolean }

/** Frames of the first file that are shifted by the same number of frames in the other. */
type AlignedPart = { from: number; to: number; shift: number }

/** Levels of a print in dB, averaged over neighbouring frames; in between, those of a position are interpolated. */
class SmoothLevels {
  readonly frames: number
  readonly #powers: Float64Array

  constructor(levels: Uint8Array) {
    this.frames = levels.length / PRINT_BANDS
    const powers = Float64Array.from(levels, (level) => 10 ** ((level * PRINT_STEP_DB) / 10))
    this.#powers = new Float64Array(powers.length)
    const reach = (SMOOTHED_FRAMES - 1) / 2
    for (let i = 0; i < powers.length; i++) {
      const frame = Math.floor(i / PRINT_BANDS)
      const from = Math.max(0, frame - reach)
      const to = Math.min(this.frames - 1, frame + reach)
      let sum = 0
      for (let each = from; each <= to; each++) sum += powers[i + (each - frame) * PRINT_BANDS]!
      this.#powers[i] = sum / (to - from + 1)
    }
  }

  at(position: number, band: number): number {
    const frame = Math.floor(position)
    const fraction = position - frame
    const here = this.#powers[frame * PRINT_BANDS + band]!
    if (fraction === 0) return 10 * Math.log10(here)
    return 10 * Math.log10((1 - fraction) * here + fraction * this.#powers[(frame + 1) * PRINT_BANDS + band]!)
  }

  /** Whether the positions around this one exist. */
  has(position: number): boolean {
    return position >= 1 && position + 2 <= this.frames
  }
}

/** Compares two files frame by frame: `gains` are what the other one is quieter by in each band. */
class LevelComparison {
  readonly #one: SmoothLevels
  readonly #other: SmoothLevels
  readonly #gains: number[]

  constructor(one: SmoothLevels, other: SmoothLevels, parts: readonly AlignedPart[]) {
    this.#one = one
    this.#other = other
    this.#gains = Array.from({ length: PRINT_BANDS }, (_, band) => usualGain(one, other, { parts, band }))
  }

  /** The mean difference of the most different bands in dB; undefined where only one of them has sound. */
  difference(frame: number, shift: number, slack = 0): number | undefined {
    const position = frame + shift
    if (!this.#one.has(frame) || !this.#other.has(position)) return undefined
    const bands = Array.from({ length: PRINT_BANDS }, (_, band) => band)
    const other = (at: number, band: number) => this.#other.at(at, band) + this.#gains[band]!
    const loudest = Math.max(...bands.map((band) => Math.max(this.#one.at(frame, band), other(position, band))))
    const floor = Math.max(MIN_LEVEL_DB, loudest - AUDIBLE_RANGE_DB)
    const range = (levelAt: (at: number) => number, at: number) =>
      (slack === 0 ? [at] : [at - slack, at, at + slack]).map((each) => Math.max(floor, levelAt(each)))
    const differences = bands.map((band) => {
      const ones = range((at) => this.#one.at(at, band), frame)
      const others = range((at) => other(at, band), position)
      const middle = (levels: number[]) => levels[levels.length >> 1]!
      return Math.min(distance(middle(ones), others), distance(middle(others), ones))
    })
    differences.sort((a, b) => b - a)
    return differences.slice(0, LOUDEST_BANDS).reduce((sum, each) => sum + each, 0) / LOUDEST_BANDS
  }

  /** The same part with the fraction of a frame by which it is shifted. */
  refine(part: AlignedPart): AlignedPart {
    const usual = (fraction: number) => {
      const found: number[] = []
      for (let frame = part.from; frame < part.to; frame += 4) {
        const difference = this.difference(frame, part.shift + fraction)
        if (difference !== undefined) found.push(difference)
      }
      return found.length === 0 ? Number.POSITIVE_INFINITY : median(found)
    }
    const costs = FRACTIONS.map(usual)
    return { ...part, shift: part.shift + FRACTIONS[costs.indexOf(Math.min(...costs))]! }
  }
}

/** Sorts the values. */
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!

/** How far a level is from the range of others. */
const distance = (level: number, others: number[]) =>
  Math.max(0, level - Math.max(...others), Math.min(...others) - level)

function usualGain(
  one: SmoothLevels,
  other: SmoothLevels,
  { parts, band }: { parts: readonly AlignedPart[]; band: number },
): number {
  const gains: number[] = []
  for (const { from, to, shift } of parts) {
    for (let frame = from; frame < to; frame++) {
      const level = one.at(frame, band)
      if (level > MIN_LEVEL_DB && other.has(frame + shift)) gains.push(level - other.at(frame + shift, band))
    }
  }
  return gains.length === 0 ? 0 : median(gains)
}

/** The parts of an alignment, in frames. Short ones join the part before them. */
function partsOf(path: Int32Array, frames: number): AlignedPart[] {
  const parts: AlignedPart[] = []
  path.forEach((shift, i) => {
    const last = parts.at(-1)
    if (last?.shift === shift) last.to = i + 1
    else parts.push({ from: i, to: i + 1, shift })
  })
  const long = parts.filter(({ from, to }) => to - from >= MIN_PART_FRAMES)
  const merged = long.filter(({ shift }, i) => shift !== long[i - 1]?.shift)
  // A code is in the middle of its eight frames.
  const start = (part: AlignedPart) => part.from + 4
  return merged.map((part, i) => {
    const next = merged[i + 1]
    return { shift: part.shift, from: i === 0 ? 0 : start(part), to: next ? start(next) : frames }
  })
}

/** The mean of each value and its two neighbours: what lasts for a single frame is no word. */
const movingMean = (values: readonly number[]) =>
  values.map((value, i) => ((values[i - 1] ?? value) + value + (values[i + 1] ?? value)) / 3)

type FrameRange = { from: number; to: number; peak: number }

/** The frames whose difference is over `edge`, without gaps that are too short to be heard as such. */
function rangesOver(differences: readonly number[], edge: number): FrameRange[] {
  const ranges: FrameRange[] = []
  differences.forEach((difference, frame) => {
    if (difference < edge) return
    const last = ranges.at(-1)
    if (last && frame - last.to <= GAP_SECONDS * CODE_RATE) {
      last.to = frame
      last.peak = Math.max(last.peak, difference)
    } else ranges.push({ from: frame, to: frame, peak: difference })
  })
  return ranges
}

/** Cuts and insertions: each a moment at which the shift changes. */
const shiftChanges = (parts: readonly AlignedPart[]): FrameRange[] =>
  parts.flatMap(({ from, shift }, i) => {
    const before = parts[i - 1]
    if (!before || Math.abs(shift - before.shift) < MIN_SHIFT_SECONDS * CODE_RATE) return []
    return [{ from: from - 1, to: from + 1, peak: Number.POSITIVE_INFINITY }]
  })

function joinRanges(ranges: readonly FrameRange[]): FrameRange[] {
  const joined: FrameRange[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && range.from - last.to <= GAP_SECONDS * CODE_RATE) {
      last.to = Math.max(last.to, range.to)
      last.peak = Math.max(last.peak, range.peak)
    } else joined.push({ ...range })
  }
  return joined
}

function similarityOf(clean: Int32Array, dirty: Int32Array, path: Int32Array): number {
  let bits = 0
  let compared = 0
  clean.forEach((code, i) => {
    const other = dirty[i + path[i]!]
    if (other === undefined) return
    compared++
    bits += differingBits(code, other)
  })
  return compared === 0 ? 0 : 1 - bits / (32 * compared)
}

const round = (seconds: number) => Math.max(0, Number(seconds.toFixed(2)))

/**
 * Finds where a Clean version differs from its Dirty version: words that are silenced, lowered, reversed or covered, and
 * cuts. Other encodings, volumes and delays of the same sound do not differ. Null when they are different recordings, or
 * differ everywhere. Compares the first ten minutes.
 */
export function findChangedPlaces(clean: LevelPrint, dirty: LevelPrint): VersionDifference | null {
  const path = findAlignmentPath(clean.codes, dirty.codes)
  if (similarityOf(clean.codes, dirty.codes, path) < MIN_SIMILARITY) return null
  const [one, other] = [new SmoothLevels(clean.levels), new SmoothLevels(dirty.levels)]
  const rough = partsOf(path, one.frames)
  const comparison = new LevelComparison(one, other, rough)
  const parts = rough.map((part) => comparison.refine(part))
  const shiftAt = (frame: number) => parts.findLast(({ from }) => from <= frame)?.shift ?? 0
  const differences = Array.from({ length: one.frames }, (_, frame) => {
    const isMargin = frame < MARGIN_FRAMES || frame >= one.frames - MARGIN_FRAMES
    return isMargin ? 0 : (comparison.difference(frame, shiftAt(frame), SLACK_FRAMES) ?? 0)
  })
  const usual = median([...differences])
  if (usual > MAX_USUAL_DB) return null
  const lasting = movingMean(differences)
  const ranges = joinRanges([...rangesOver(lasting, Math.max(EDGE_DB, TIMES_USUAL * usual)), ...shiftChanges(parts)])
  const found = ranges.filter(({ peak }) => peak >= Math.max(PEAK_DB, TIMES_USUAL * usual))
  const seconds = (frame: number) => frame / CODE_RATE + PRINT_FRAME_SECONDS / 2
  const places = found.map(({ from, to }) => ({
    clean_from: round(seconds(from)),
    clean_to: round(seconds(to)),
    dirty_from: round(seconds(from + shiftAt(from))),
    dirty_to: round(seconds(to + shiftAt(to))),
  }))
  return { places, is_same: places.length === 0 && Math.max(...lasting) < SAME_DB }
}
