import { KEYS, type SongKey } from '@dubplate/contract/keys'

/**
 * Scores a guessed key: exact match 1, a fifth off 0.5, relative key 0.3, parallel key 0.2. Source: MIREX, Audio Key
 * Detection.
 */
export function scoreKeyGuess(guess: SongKey, truth: SongKey): number {
  const [one, other] = [KEYS.indexOf(guess), KEYS.indexOf(truth)]
  const steps = ((one % 12) - (other % 12) + 12) % 12
  if (one === other) return 1
  if (one < 12 === other < 12) return steps === 7 || steps === 5 ? 0.5 : 0
  if (steps === 0) return 0.2
  return steps === (other < 12 ? 9 : 3) ? 0.3 : 0
}

/** How well each pitch class fits a key, its tonic first: listeners' ratings. Source: C. Krumhansl, 1990, p. 30. */
const MAJOR = [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88]
const MINOR = [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17]
/** With a smaller lead over the second key, the notes do not tell the key. */
const LEAST_LEAD = 0.05

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanA, meanB] = [mean(a), mean(b)]
  const product = (x: readonly number[], meanX: number, y: readonly number[], meanY: number) =>
    x.reduce((sum, value, i) => sum + (value - meanX) * (y[i]! - meanY), 0)
  return product(a, meanA, b, meanB) / Math.sqrt(product(a, meanA, a, meanA) * product(b, meanB, b, meanB))
}

/** The key that the durations of twelve pitch classes suggest, C first; undefined when it is not clear. */
export function keyOfNotes(pitchClasses: readonly number[]): SongKey | undefined {
  const scores = KEYS.map((_, key) => {
    const profile = key < 12 ? MAJOR : MINOR
    return correlation(
      pitchClasses,
      pitchClasses.map((_, pitch) => profile[(pitch - (key % 12) + 12) % 12]!),
    )
  })
  const [best = 0, second = 0] = scores.toSorted((a, b) => b - a)
  return best - second >= LEAST_LEAD ? KEYS[scores.indexOf(best)] : undefined
}
