/**
 * The probability of each of a few candidates, p ∝ exp(w·x), with the same weights for all of them: conditional logit
 * (D. McFadden, 1974).
 */
export function shares(candidates: readonly (readonly number[])[], weights: readonly number[]): number[] {
  const scores = candidates.map((features) => features.reduce((sum, value, i) => sum + value * weights[i]!, 0))
  const highest = Math.max(...scores)
  const exponentials = scores.map((score) => Math.exp(score - highest))
  const sum = exponentials.reduce((total, value) => total + value, 0)
  return exponentials.map((value) => value / sum)
}
