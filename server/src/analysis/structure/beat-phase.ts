import { type BeatEnvelopes, valueAt } from './beat-envelopes.ts'

/** Positions within a beat at which it may begin. */
export const BEAT_POSITIONS = 48
/** An onset weaker than this share of the strongest is no candidate. */
const LEAST_SHARE = 0.12

/** A position within the beat, 0 to 47, with what speaks for and against the beat being there. */
export type PhaseCandidate = { position: number; features: number[] }

/** The mean of an envelope at each position within the beat; `period` is one beat in onset frames. */
function fold(envelope: Float32Array, period: number): Float32Array {
  const beats = Math.floor((envelope.length - 2) / period)
  return Float32Array.from({ length: BEAT_POSITIONS }, (_, position) => {
    let sum = 0
    for (let beat = 0; beat < beats; beat++) sum += valueAt(envelope, (beat + position / BEAT_POSITIONS) * period)
    return sum / Math.max(1, beats)
  })
}

const wrapped = (position: number) => ((position % BEAT_POSITIONS) + BEAT_POSITIONS) % BEAT_POSITIONS

const highestAround = (folded: Float32Array, position: number) =>
  Math.max(folded[wrapped(position - 1)]!, folded[wrapped(position)]!, folded[wrapped(position + 1)]!)

/** Every peak of the folded envelope, and the position opposite its strongest one. */
function candidatePositions(all: Float32Array): number[] {
  const strongest = Math.max(...all)
  const positions = Array.from(all.keys()).filter((position) => {
    const value = all[position]!
    const isPeak = value > all[wrapped(position - 1)]! && value >= all[wrapped(position + 1)]!
    return isPeak && value >= LEAST_SHARE * strongest
  })
  const opposite = wrapped(all.indexOf(strongest) + BEAT_POSITIONS / 2)
  const isNear = (position: number) => Math.min(wrapped(position - opposite), wrapped(opposite - position)) <= 3
  return positions.some(isNear) ? positions : [...positions, opposite]
}

/**
 * The positions at which the beat may begin, each compared with the positions half and quarter beats away in every
 * envelope. The position alone does not tell the beat: basses and open hats on the off-beat often win.
 */
export function phaseCandidates(envelopes: BeatEnvelopes, period: number): PhaseCandidate[] {
  const { all, low, mid, high, harmony, bass } = envelopes
  const onsets = [all, low, mid, high].map((envelope) => fold(envelope, period))
  const changes = [harmony, bass].map((envelope) => fold(envelope, period))
  const compare = (folded: Float32Array, position: number) => {
    const highest = Math.max(...folded) || 1
    const strength = (at: number) => highestAround(folded, at) / highest
    const here = strength(position)
    const half = strength(position + BEAT_POSITIONS / 2)
    const quarter = Math.max(strength(position + BEAT_POSITIONS / 4), strength(position - BEAT_POSITIONS / 4))
    return { here, overHalf: here - half, overQuarter: here - quarter }
  }
  return candidatePositions(onsets[0]!).map((position) => ({
    position,
    features: [
      ...onsets.flatMap((folded) => Object.values(compare(folded, position))),
      ...changes.map((folded) => compare(folded, position).overHalf),
    ],
  }))
}
