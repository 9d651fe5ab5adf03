import { type player, TEMPO_MULTIPLES, type TempoChange, tempoChange } from '@dubplate/contract'
import { BEATS_PER_BAR } from '../beatGrid.ts'
import { type BeatClock, createBeatClock } from './beatClock.ts'

/** A song to blend: its beats, and the seconds of it that can be heard. */
export type BlendSong = { grid: player.BeatGrid; range: { from: number; to: number } }

/** The tempo of the incoming song, before and in the blend. */
export type BlendTempo = Pick<TempoChange, 'multiple' | 'percent'> & { own_bpm: number; blend_bpm: number }

/** From a moment of the blend on, how fast the incoming song plays: 1 is its own tempo. */
export type RateChange = { at_seconds: number; rate: number }

export type BlendPlan = {
  /** Bars of the outgoing song. */
  bars: number
  /** How long the blend takes. */
  seconds: number
  /** The part of each song that is heard, in seconds of that song. */
  outgoing: { from_seconds: number; to_seconds: number }
  incoming: { from_seconds: number; to_seconds: number }
  rates: RateChange[]
  tempo: BlendTempo
}

export type BlendProblem = 'tempo_clash' | 'too_short'

/** The lengths of a blend, the best first: of songs that can only be heard in part, less may be left. */
const BLEND_BARS = [16, 8, 4]
/** Where neither a cue point nor a section begins, songs are mixed at multiples of these bars. */
const PHRASE_BARS = [8, 4, 1]
const ROUNDING_BEATS = 1e-6
const ROUNDING_RATE = 1e-9

/** Plans how one song mixes into another, or says why that is not possible. */
export function planBlend(outgoing: BlendSong, incoming: BlendSong): BlendPlan | BlendProblem {
  const [before, after] = [createBeatClock(outgoing.grid), createBeatClock(incoming.grid)]
  const endBpm = before.bpmAt(before.beatAt(outgoing.range.to))
  const { multiple, is_clash } = tempoChange(endBpm, after.bpmAt(after.beatAt(incoming.range.from)))
  if (is_clash) return 'tempo_clash'
  const beatRatio = TEMPO_MULTIPLES[multiple]
  for (const bars of BLEND_BARS) {
    const beats = bars * BEATS_PER_BAR
    const outBeat = findMixOut(before, outgoing, beats)
    const inBeat = findMixIn(after, incoming, beats * beatRatio)
    if (outBeat === undefined || inBeat === undefined) continue
    const [out_seconds, in_seconds] = [before.secondsOf(outBeat), after.secondsOf(inBeat)]
    const seconds = before.secondsOf(outBeat + beats) - out_seconds
    const ownBpm = after.bpmAt(inBeat)
    const { percent } = tempoChange(before.bpmAt(outBeat), ownBpm)
    return {
      bars,
      seconds,
      outgoing: { from_seconds: out_seconds, to_seconds: out_seconds + seconds },
      incoming: { from_seconds: in_seconds, to_seconds: after.secondsOf(inBeat + beats * beatRatio) },
      rates: planRates({ clock: before, beat: outBeat }, { clock: after, beat: inBeat }, { beats, beatRatio }),
      tempo: { multiple, percent, own_bpm: ownBpm, blend_bpm: before.bpmAt(outBeat) * beatRatio },
    }
  }
  return 'too_short'
}

/** The beat at which the outgoing song is mixed out: its outro, or the last phrase that leaves enough bars. */
function findMixOut(clock: BeatClock, { grid, range }: BlendSong, beats: number): number | undefined {
  const outro = grid.cues.find(({ kind }) => kind === 'outro')
  const lastSection = grid.sections.at(-1)
  const anchor = outro?.at_seconds ?? lastSection?.start_seconds
  return findStart(clock, range, beats, {
    preferred: outro ? [clock.barLineAt(outro.at_seconds)] : [],
    phrase: anchor === undefined ? clock.downbeat : clock.barLineAt(anchor),
    isLatest: true,
  })
}

/** The beat at which the incoming song is mixed in: its cue point for that, or its first bar. */
function findMixIn(clock: BeatClock, { grid, range }: BlendSong, beats: number): number | undefined {
  const mixIn = grid.cues.find(({ kind }) => kind === 'mix_in')
  return findStart(clock, range, beats, {
    preferred: [...(mixIn ? [clock.barLineAt(mixIn.at_seconds)] : []), clock.downbeat],
    phrase: clock.downbeat,
    isLatest: false,
  })
}

type StartOptions = { preferred: number[]; phrase: number; isLatest: boolean }

/** The first preferred beat after which enough beats can be heard; otherwise the first or the last such phrase. */
function findStart(
  clock: BeatClock,
  range: BlendSong['range'],
  beats: number,
  { preferred, phrase, isLatest }: StartOptions,
): number | undefined {
  const [first, last] = [clock.beatAt(range.from), clock.beatAt(range.to) - beats]
  const start = preferred.find((beat) => beat >= first - ROUNDING_BEATS && beat <= last + ROUNDING_BEATS)
  if (start !== undefined) return start
  for (const bars of PHRASE_BARS) {
    const step = bars * BEATS_PER_BAR
    const earliest = phrase + Math.ceil((first - phrase) / step - ROUNDING_BEATS) * step
    const latest = phrase + Math.floor((last - phrase) / step + ROUNDING_BEATS) * step
    if (earliest <= latest) return isLatest ? latest : earliest
  }
  return undefined
}

type BeatOf = { clock: BeatClock; beat: number }

/** One rate for each beat of the outgoing song, so that the beats also match where a tempo drifts; equal ones once. */
function planRates(outgoing: BeatOf, incoming: BeatOf, { beats, beatRatio }: { beats: number; beatRatio: number }) {
  const outSeconds = (n: number) => outgoing.clock.secondsOf(outgoing.beat + n)
  const inSeconds = (n: number) => incoming.clock.secondsOf(incoming.beat + n * beatRatio)
  const rates: RateChange[] = []
  for (let n = 0; n < beats; n++) {
    const rate = (inSeconds(n + 1) - inSeconds(n)) / (outSeconds(n + 1) - outSeconds(n))
    if (Math.abs(rate - (rates.at(-1)?.rate ?? 0)) < ROUNDING_RATE) continue
    rates.push({ at_seconds: outSeconds(n) - outSeconds(0), rate })
  }
  return rates
}
