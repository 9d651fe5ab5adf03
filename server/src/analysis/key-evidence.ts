import { CHROMA_HALF_FRAME_SECONDS, CHROMA_RATE, sumOfFrames } from './chroma.ts'
import { PITCH_RATE, type PitchFrames } from './pitch-frames.ts'

/**
 * What speaks for each tonic: twelve shares or a vector of length 1 for pitch classes from C, 24 shares for the major
 * and then the minor triads from C.
 */
export type KeyEvidence = {
  chroma: number[]
  evenChroma: number[]
  bass: number[]
  barBass: number[]
  phraseBass: number[]
  barTriads: number[]
  phraseTriads: number[]
}

/** The series of a file that tell its key, and its bar lines in seconds where they are reliable. */
export type TonalSeries = { chroma: readonly Float64Array[]; bass: PitchFrames; bars?: readonly number[] }

/** Without bar lines, the file is divided at this distance. */
const BAR_SECONDS_WITHOUT_GRID = 2
const PHRASE_BARS = 4
/** The bass is read from the first part of the bar, a little early because its frames are long. */
const BASS_SHARE_OF_BAR = 0.3
const BASS_EARLY_SECONDS = 0.1
const LEAST_BASS = 0.05
const SILENT = 1e-3
/** How decisively the best triad of a bar wins over the others. */
const TRIAD_SHARPNESS = 12
const ROOT_WEIGHT = 1.1

const total = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0)
const toShares = (values: ArrayLike<number>) => {
  const sum = total(values) || 1
  return Array.from(values, (value) => value / sum)
}
const toUnit = (values: ArrayLike<number>) => {
  const length = Math.hypot(...Array.from(values)) || 1
  return Array.from(values, (value) => value / length)
}

const addTo = (sum: Float64Array, values: ArrayLike<number>, factor = 1) => {
  for (let i = 0; i < sum.length; i++) sum[i]! += values[i]! * factor
}

/** The share of each of the 24 triads in some pitch classes: nearly 1 for the one that fits best. */
function triadShares(classes: ArrayLike<number>): number[] {
  const unit = toUnit(classes)
  const scores = Array.from({ length: 24 }, (_, triad) => {
    const root = triad % 12
    const third = triad < 12 ? 4 : 3
    return ROOT_WEIGHT * unit[root]! + unit[(root + third) % 12]! + unit[(root + 7) % 12]!
  })
  const highest = Math.max(...scores)
  return toShares(scores.map((score) => Math.exp(TRIAD_SHARPNESS * (score - highest))))
}

/** Sum of the frames of a pitch series between two moments. */
function bassBetween(bass: PitchFrames, from: number, to: number): Float64Array {
  const sum = new Float64Array(12)
  const last = Math.min(bass.length / 12, Math.round(to * PITCH_RATE))
  for (let frame = Math.max(0, Math.round(from * PITCH_RATE)); frame < last; frame++) {
    for (let i = 0; i < 12; i++) sum[i]! += bass[frame * 12 + i]!
  }
  return sum
}

/** Sum of the chroma frames whose middle lies in a bar. */
function chromaBetween(chroma: readonly Float64Array[], from: number, to: number): Float64Array {
  const first = Math.max(0, Math.round((from - CHROMA_HALF_FRAME_SECONDS) * CHROMA_RATE + 0.5))
  const end = Math.min(chroma.length, Math.round((to - CHROMA_HALF_FRAME_SECONDS) * CHROMA_RATE))
  return sumOfFrames(chroma.slice(first, Math.max(first, end)))
}

/** How often each pitch class is the strongest one of the bass. */
function strongestBass(bass: PitchFrames): Float64Array {
  const counts = new Float64Array(12)
  for (let at = 0; at < bass.length; at += 12) {
    const frame = bass.subarray(at, at + 12)
    const strongest = Math.max(...frame)
    if (strongest > 0) counts[frame.indexOf(strongest)]! += 1
  }
  return counts
}

function evenSum(chroma: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(12)
  for (const frame of chroma) {
    const length = Math.hypot(...frame)
    if (length > SILENT) addTo(sum, frame, 1 / length)
  }
  return sum
}

const everyTwoSeconds = (chroma: readonly Float64Array[]) =>
  Array.from(
    { length: Math.floor(chroma.length / CHROMA_RATE / BAR_SECONDS_WITHOUT_GRID) + 1 },
    (_, i) => i * BAR_SECONDS_WITHOUT_GRID,
  )

/**
 * Collects what tells the key of a file. Bass and triads at the beginning of every fourth bar count of their own,
 * because loops of four bars begin on the tonic more often than elsewhere.
 */
export function keyEvidenceOf({ chroma, bass, bars = everyTwoSeconds(chroma) }: TonalSeries): KeyEvidence {
  const barBass = new Float64Array(12)
  const phraseBass = new Float64Array(12)
  const barTriads = new Float64Array(24)
  const phraseTriads = new Float64Array(24)
  for (let bar = 0; bar + 1 < bars.length; bar++) {
    const [from, to] = [bars[bar]!, bars[bar + 1]!]
    const isPhrase = bar % PHRASE_BARS === 0
    const bassEnd = from + BASS_SHARE_OF_BAR * (to - from)
    const beginning = bassBetween(bass, from - BASS_EARLY_SECONDS, bassEnd - BASS_EARLY_SECONDS)
    const strength = Math.hypot(...beginning)
    if (strength > LEAST_BASS) {
      addTo(barBass, beginning, 1 / strength)
      if (isPhrase) addTo(phraseBass, beginning, 1 / strength)
    }
    const classes = chromaBetween(chroma, from, to)
    if (Math.hypot(...classes) <= SILENT) continue
    const triads = triadShares(classes)
    addTo(barTriads, triads)
    if (isPhrase) addTo(phraseTriads, triads)
  }
  return {
    chroma: toUnit(sumOfFrames(chroma)),
    evenChroma: toUnit(evenSum(chroma)),
    bass: toShares(strongestBass(bass)),
    barBass: toShares(barBass),
    phraseBass: toShares(phraseBass),
    barTriads: toShares(barTriads),
    phraseTriads: toShares(phraseTriads),
  }
}
