import { KEYS } from '@dubplate/contract/keys'
import { shares } from './choice.ts'
import { type KeyEvidence, keyEvidenceOf, type TonalSeries } from './key-evidence.ts'
import { KEY_WEIGHTS } from './key-weights.ts'

export type KeyEstimate = { song_key: string | null; key_confidence: number }

/** How strong each step above the tonic is, in major and in minor. */
type Profile = { major: number[]; minor: number[] }

/** From electronic dance music: Á. Faraldo et al., "Key estimation in electronic dance music", ECIR 2016 ("bgate"). */
const BGATE: Profile = {
  major: [1, 0, 0.42, 0, 0.53, 0.37, 0, 0.77, 0, 0.38, 0.21, 0.3],
  minor: [1, 0, 0.36, 0.39, 0, 0.38, 0, 0.74, 0.27, 0, 0.42, 0.23],
}

/** From popular music: I. Sha'ath, "Estimation of key in digital music recordings", 2011 (KeyFinder). */
const SHAATH: Profile = {
  major: [6.6, 2.0, 3.5, 2.3, 4.6, 4.0, 2.5, 5.2, 2.4, 3.7, 2.3, 3.4],
  minor: [6.5, 2.7, 3.5, 5.4, 2.6, 3.5, 2.5, 5.2, 4.0, 2.7, 4.3, 3.2],
}

function average(a: number[], b: number[]): number[] {
  const [highestA, highestB] = [Math.max(...a), Math.max(...b)]
  return a.map((value, i) => (value / highestA + b[i]! / highestB) / 2)
}

const MAJOR = average(BGATE.major, SHAATH.major)
const MINOR = average(BGATE.minor, SHAATH.minor)

/** Pearson's correlation. */
function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const meanOf = (values: ArrayLike<number>) =>
    Array.from(values).reduce((sum, value) => sum + value, 0) / values.length
  const [meanA, meanB] = [meanOf(a), meanOf(b)]
  let [both, squaresA, squaresB] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const fromA = a[i]! - meanA
    const fromB = b[i]! - meanB
    both += fromA * fromB
    squaresA += fromA * fromA
    squaresB += fromB * fromB
  }
  return both / Math.sqrt(squaresA * squaresB || 1)
}

type Mode = 'major' | 'minor'

/** Pitch classes, or triads of each mode, with the tonic first. */
const fromTonic = (values: readonly number[], tonic: number): number[] =>
  values.map((_, i) => values[i < 12 ? (i + tonic) % 12 : 12 + ((i - 12 + tonic) % 12)]!)

/** What speaks for one key, as a sum of weighted evidence; the weights are the same for every tonic. */
function scoreOf(evidence: KeyEvidence, tonic: number, mode: Mode): number {
  const weights = KEY_WEIGHTS[mode]
  const kinds = Object.keys(weights) as (keyof KeyEvidence)[]
  const weighted = kinds.reduce((sum, kind) => {
    const values = fromTonic(evidence[kind], tonic)
    return sum + weights[kind].reduce((partial, weight, i) => partial + weight * values[i]!, 0)
  }, 0)
  const likeness = correlation(fromTonic(evidence.chroma, tonic), mode === 'major' ? MAJOR : MINOR)
  return weighted + KEY_WEIGHTS.likeness * 10 * likeness + (mode === 'minor' ? KEY_WEIGHTS.isMinor : 0)
}

/**
 * Returns the likeliest of the 24 keys: the correlation with key profiles (Krumhansl's method) and learned weights for
 * chroma, bass and triads, at bars and phrases where their lines are known. The confidence is the model's probability.
 */
export function keyOf(series: TonalSeries): KeyEstimate {
  if (!series.chroma.some((frame) => frame.some((value) => value > 0))) return { song_key: null, key_confidence: 0 }
  const evidence = keyEvidenceOf(series)
  const probabilities = shares(
    KEYS.map((_, index) => [scoreOf(evidence, index % 12, index < 12 ? 'major' : 'minor')]),
    [1],
  )
  const highest = Math.max(...probabilities)
  return {
    song_key: KEYS[probabilities.indexOf(highest)]!,
    key_confidence: highest,
  }
}
