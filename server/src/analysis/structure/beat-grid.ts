import { shares } from '../choice.ts'
import { ONSET_RATE } from '../onset.ts'
import { strongestTempo } from '../tempo.ts'
import { type BarCandidate, BEATS_PER_BAR, barCandidates } from './bar-candidates.ts'
import { BAR_WEIGHTS } from './bar-weights.ts'
import { beatEnvelopesOf, type RhythmSeries } from './beat-envelopes.ts'
import { type BeatLine, fitBeatLine, refinedPeriod } from './beat-line.ts'
import type { OnsetTimeline } from './onset-timeline.ts'
import { tempoDrift } from './tempo-drift.ts'

/** A straight part of a tempo that drifts: from `at_seconds` on, where beat `beat` of the file is. */
type TempoChange = { beat: number; at_seconds: number; bpm: number }

export type BeatGrid = {
  /** Two decimals; where the tempo drifts, its mean. */
  bpm: number
  /** Time of the first beat one in the file, on the timeline of the decoded samples. */
  first_downbeat_seconds: number
  /** Probability that the beats are where they are heard. */
  beat_confidence: number
  /** Probability that the first downbeat is one. */
  downbeat_confidence: number
  /** Empty where the tempo is constant. */
  tempo_changes: TempoChange[]
}

/** A grid with the times of all its bar lines, including the one that ends the last bar. */
export type BarLines = { grid: BeatGrid; bars: number[] }

/** A measured tempo this near to a whole number is set to it: see the measuring error in bench/RESULTS.md. */
const WHOLE_TEMPO_TOLERANCE = 0.015
const DRIFT_SPREAD_SECONDS = 0.02
const DRIFT_TOLERANCE_SECONDS = 0.008
/** A first bar of which less than this share is missing counts as a bar. */
const LARGEST_CUT = 0.5
/** A last bar counts when at least this share of it is there. */
const LEAST_OF_LAST_BAR = 0.3
/**
 * A downbeat measured this little before the first sample is the first one in the file. It is stored as 0, so a larger
 * tolerance would shift the whole grid audibly.
 */
const TOLERANCE_AT_START_SECONDS = 0.01
const LEAST_BEATS = 16

/** Onset frames of one beat. */
const periodOf = (bpm: number) => (60 / bpm) * ONSET_RATE
const tempoOfPeriod = (period: number) => (60 * ONSET_RATE) / period

/** Whole where it is whole within the measuring error, otherwise two decimals. */
function roundedTempo(bpm: number): number {
  const whole = Math.round(bpm)
  return Math.abs(bpm - whole) < WHOLE_TEMPO_TOLERANCE ? whole : Math.round(bpm * 100) / 100
}

type ChosenBar = { candidate: BarCandidate; beat_confidence: number; downbeat_confidence: number }

function chooseBar(candidates: BarCandidate[]): ChosenBar {
  const probabilities = shares(
    candidates.map(({ features }) => features),
    BAR_WEIGHTS,
  )
  const best = probabilities.indexOf(Math.max(...probabilities))
  const candidate = candidates[best]!
  const samePhase = probabilities.filter((_, i) => candidates[i]!.phase === candidate.phase)
  return {
    candidate,
    beat_confidence: samePhase.reduce((sum, probability) => sum + probability, 0),
    downbeat_confidence: probabilities[best]!,
  }
}

/** Moves the beginning of a line by whole beats, as near as possible to a frame. */
const beginningAt = ({ first, period }: BeatLine, frame: number): BeatLine => ({
  period,
  first: first - Math.round((first - frame) / period) * period,
})

/**
 * Finds the beats and bars of a file from an approximate tempo, within 2 % of `bpm`. Only 4/4 is known. Undefined when
 * there are too few beats.
 */
export function beatGridOf(series: RhythmSeries, bpm: number, timeline: OnsetTimeline): BarLines | undefined {
  if (timeline.seconds < (LEAST_BEATS * 60) / bpm) return undefined
  const envelopes = beatEnvelopesOf(series)
  const { all } = envelopes
  const period = refinedPeriod(all, periodOf(strongestTempo(all, bpm)))
  const { candidate, ...confidence } = chooseBar(barCandidates(series, envelopes, period))
  const free = fitBeatLine(all, { first: candidate.frame, period })
  const tempo = roundedTempo(tempoOfPeriod(free.period))
  const fitted = fitBeatLine(all, { first: free.first, period: periodOf(tempo) }, { isPeriodFixed: true })
  const line = beginningAt(fitted, candidate.frame)
  const segments = tempoDrift(all, line, {
    leastSpread: DRIFT_SPREAD_SECONDS * ONSET_RATE,
    tolerance: DRIFT_TOLERANCE_SECONDS * ONSET_RATE,
  })
  const drifting = segments && driftingBars(segments, candidate.frame, timeline)
  const bars = drifting ?? straightBars(line, timeline)
  const first = bars.find((at) => at >= -TOLERANCE_AT_START_SECONDS) ?? 0
  return {
    grid: {
      bpm: drifting ? roundedTempo((60 * BEATS_PER_BAR * (bars.length - 1)) / (bars.at(-1)! - bars[0]!)) : tempo,
      first_downbeat_seconds: Math.max(0, first),
      ...confidence,
      tempo_changes: (segments ?? []).map(({ beat, at, period }) => ({
        ...{ beat, at_seconds: timeline.secondsOf(at) },
        bpm: Math.round(tempoOfPeriod(period) * 100) / 100,
      })),
    },
    bars,
  }
}

function straightBars({ first, period }: BeatLine, timeline: OnsetTimeline): number[] {
  const bar = (BEATS_PER_BAR * period) / ONSET_RATE
  const downbeat = timeline.secondsOf(first)
  const start = downbeat - Math.floor((downbeat + LARGEST_CUT * bar) / bar) * bar
  const count = Math.ceil((timeline.seconds - LEAST_OF_LAST_BAR * bar - start) / bar)
  return Array.from({ length: Math.max(2, count) }, (_, i) => start + i * bar)
}

/** Bar lines through a tempo that drifts, counted from the beat nearest to a downbeat. */
function driftingBars(
  segments: { beat: number; at: number; period: number }[],
  downbeatFrame: number,
  timeline: OnsetTimeline,
): number[] {
  const segmentOf = (beat: number) => segments.findLast((segment) => segment.beat <= beat) ?? segments[0]!
  const frameOf = (beat: number) => {
    const segment = segmentOf(beat)
    return segment.at + (beat - segment.beat) * segment.period
  }
  const home = segments.findLast(({ at }) => at <= downbeatFrame) ?? segments[0]!
  const downbeat = home.beat + Math.round((downbeatFrame - home.at) / home.period)
  const bars: number[] = []
  const first = downbeat - Math.ceil(downbeat / BEATS_PER_BAR + 2) * BEATS_PER_BAR
  for (let beat = first; ; beat += BEATS_PER_BAR) {
    const at = timeline.secondsOf(frameOf(beat))
    const bar = (BEATS_PER_BAR * segmentOf(beat).period) / ONSET_RATE
    if (at >= timeline.seconds - LEAST_OF_LAST_BAR * bar && bars.length >= 2) return bars
    if (at >= -LARGEST_CUT * bar) bars.push(at)
  }
}
