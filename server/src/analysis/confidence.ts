/** Beats and bars with this probability are right in nine of ten files: see bench/RESULTS.md. */
export const RELIABLE = 0.6

/** Maps a raw measure of certainty to the share of cases in which it is right. */
export type Calibration = { slope: number; offset: number }

/** Logistic calibration: J. Platt, "Probabilistic outputs for support vector machines", 1999. 0..1. */
export function calibrated(measure: number, { slope, offset }: Calibration): number {
  return 1 / (1 + Math.exp(-(slope * measure + offset)))
}

/** Log-odds of a probability, capped at 0.999. */
export function logOdds(probability: number): number {
  const uncertain = Math.min(0.999, probability)
  return Math.log(uncertain / (1 - uncertain))
}
