import { type BeatEnvelopes, peakNear, type RhythmSeries } from './beat-envelopes.ts'
import { BEAT_POSITIONS, phaseCandidates } from './beat-phase.ts'
import { soundChanges } from './sound-changes.ts'

export const BEATS_PER_BAR = 4
/** Positions compared in a bar: sixteenths. */
const SIXTEENTHS = 16
const SIXTEENTHS_PER_BEAT = SIXTEENTHS / BEATS_PER_BAR
const PHRASE_BARS = 8

/** Onsets stronger than this begin the music. */
const STRONG_ONSET = 2
/** Band power below which the beginning of a file is silence. */
const SILENT_POWER = 1e-8

/** A place where the bars may begin: the onset frame of one downbeat, and what speaks for it. */
export type BarCandidate = {
  frame: number
  /** Which position within the beat it assumes; candidates of one phase differ only in the beat of the bar. */
  phase: number
  features: number[]
}

/** The mean strength of an envelope at each sixteenth of the bar. */
function barProfile(envelope: Float32Array, origin: number, step: number): Float32Array {
  const profile = new Float32Array(SIXTEENTHS)
  const count = Math.floor((envelope.length - 2 - origin) / step)
  for (let k = 0; k < count; k++) profile[k % SIXTEENTHS]! += peakNear(envelope, origin + k * step)
  const bars = Math.max(1, count / SIXTEENTHS)
  return profile.map((value) => value / bars)
}

/** Adds up a series by its position in a cycle of `length`. */
function foldInto(series: Float32Array, length: number): Float32Array {
  const folded = new Float32Array(length)
  series.forEach((value, k) => {
    folded[k % length]! += value
  })
  return folded
}

/** Sixteenth `first` comes first. */
const rotated = (cycle: Float32Array, first: number): number[] =>
  Array.from({ length: SIXTEENTHS }, (_, i) => cycle[(i + first) % SIXTEENTHS]!)

/** Evidence of onsets: every sixteenth of the bar. */
const everySixteenth = (bar: readonly number[]) => bar

/** Evidence of harmony: the four beats, and the mean of the places between them. */
const beatsAndOffbeats = (bar: readonly number[]) => [
  ...[0, 4, 8, 12].map((k) => bar[k]!),
  (bar[2]! + bar[6]! + bar[10]! + bar[14]!) / 4,
]

/** The largest share of the sound's changes that falls on one bar of a phrase of `bars` bars. */
function phraseShare(phrase: Float32Array, first: number, bars: number): number {
  const shares = Array.from({ length: bars }, (_, bar) => {
    let sum = 0
    for (let k = bar; k < PHRASE_BARS; k += bars) sum += phrase[(k * SIXTEENTHS + first) % phrase.length]!
    return sum
  })
  return Math.max(...shares)
}

/** The frame of the first strong onset of a file that begins with silence; undefined when it begins with music. */
function firstOnsetAfterSilence(envelopes: BeatEnvelopes, powers: Float32Array[]): number | undefined {
  const isQuiet = powers
    .slice(0, 5)
    .every((power) => (power[0] ?? 0) + (power[1] ?? 0) + (power[2] ?? 0) < SILENT_POWER)
  const first = envelopes.all.findIndex((value, i) => i > 0 && value > STRONG_ONSET)
  return isQuiet && first >= 0 ? first : undefined
}

/** The four bars that are possible with one position of the beat. */
function candidatesOfPhase(
  series: RhythmSeries,
  envelopes: BeatEnvelopes,
  { origin, period, phase, phaseFeatures }: { origin: number; period: number; phase: number; phaseFeatures: number[] },
): BarCandidate[] {
  const step = period / SIXTEENTHS_PER_BEAT
  const { low, mid, high, harmony, bass } = envelopes
  const profiles = [
    ...[low, mid, high].map((envelope) => ({ envelope, describe: everySixteenth })),
    ...[harmony, bass].map((envelope) => ({ envelope, describe: beatsAndOffbeats })),
  ].map(({ envelope, describe }) => ({ profile: barProfile(envelope, origin, step), describe }))
  const changes = soundChanges(series.powers, origin, step)
  const total = changes.reduce((sum, value) => sum + value, 0) || 1
  const changesInBar = foldInto(changes, SIXTEENTHS).map((value) => value / total)
  const changesInPhrase = foldInto(changes, SIXTEENTHS * PHRASE_BARS).map((value) => value / total)
  const firstOnset = firstOnsetAfterSilence(envelopes, series.powers)
  return Array.from({ length: BEATS_PER_BAR }, (_, beat) => {
    const first = beat * SIXTEENTHS_PER_BEAT
    const frame = origin + first * step
    const change = rotated(changesInBar, first)
    const bar = profiles.flatMap(({ profile, describe }) => {
      const highest = Math.max(...profile) || 1
      return describe(rotated(profile, first).map((value) => value / highest))
    })
    return {
      frame,
      phase,
      features: [
        ...phaseFeatures,
        ...bar,
        ...[0, 4, 8, 12].map((k) => change[k]!),
        change[1]! + change[15]!,
        change[2]! + change[14]!,
        phraseShare(changesInPhrase, first, PHRASE_BARS),
        phraseShare(changesInPhrase, first, PHRASE_BARS / 2),
        firstOnset !== undefined && isBarLine((firstOnset - frame) / period) ? 1 : 0,
      ],
    }
  })
}

/** Whether a distance in beats is a whole number of bars, within a fifth of a beat. */
function isBarLine(beats: number): boolean {
  const inBar = ((beats % BEATS_PER_BAR) + BEATS_PER_BAR) % BEATS_PER_BAR
  return inBar < 0.2 || inBar > BEATS_PER_BAR - 0.2
}

/**
 * Every place where the bars of a file may begin, 8 to 30 of them; `period` is one beat in onset frames. Beat and bar
 * are decided together, because neither is reliable alone.
 */
export function barCandidates(series: RhythmSeries, envelopes: BeatEnvelopes, period: number): BarCandidate[] {
  return phaseCandidates(envelopes, period).flatMap(({ position, features }, phase) =>
    candidatesOfPhase(series, envelopes, {
      ...{ origin: (position / BEAT_POSITIONS) * period, period },
      ...{ phase, phaseFeatures: features },
    }),
  )
}
