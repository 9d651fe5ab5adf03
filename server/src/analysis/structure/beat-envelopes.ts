import { BANDS, ONSET_RATE } from '../onset.ts'
import { PITCH_HALF_FRAME_SECONDS, PITCH_RATE, type PitchFrames } from '../pitch-frames.ts'
import { emphasise } from '../rhythm.ts'

/** What one pass over a file leaves for finding its beats, bars and sections. */
export type RhythmSeries = {
  /** Rise of each of the eight onset bands, {@link ONSET_RATE} values a second; see onset.ts. */
  rises: Float32Array[]
  /** Power of the same bands at the same times. */
  powers: Float32Array[]
  /** Pitch classes of bass and tones; see pitch-frames.ts. */
  bass: PitchFrames
  tones: PitchFrames
}

/** How much happens at each moment: of all bands and of three ranges, and how much harmony and bass change. */
export type BeatEnvelopes = {
  all: Float32Array
  low: Float32Array
  mid: Float32Array
  high: Float32Array
  harmony: Float32Array
  bass: Float32Array
}

const BAND_WEIGHTS = {
  all: [1, 0.5, 0.4, 0.4, 0.4, 0.4, 0.3, 0.3],
  low: [1, 0.5, 0, 0, 0, 0, 0, 0],
  mid: [0, 0, 0.5, 1, 1, 0.7, 0, 0],
  high: [0, 0, 0, 0, 0, 0.3, 1, 1],
}

/** Frames of the pitch series compared before and after a moment: half a second. */
const NOVELTY_FRAMES = 6
/** From the first sample of an onset frame to the middle of its window, about. */
const ONSET_CENTRE_SECONDS = 0.02

/** A value between two samples of a series; 0 outside of it. */
export function valueAt(values: Float32Array, position: number): number {
  const i = Math.floor(position)
  if (i < 0 || i + 1 >= values.length) return 0
  return values[i]! + (values[i + 1]! - values[i]!) * (position - i)
}

/** The highest value within one frame of a position. */
export const peakNear = (values: Float32Array, position: number): number =>
  Math.max(valueAt(values, position - 1), valueAt(values, position), valueAt(values, position + 1))

function blend(bands: Float32Array[], weights: readonly number[]): Float32Array {
  const out = new Float32Array(bands[0]!.length)
  for (let band = 0; band < BANDS; band++) {
    const weight = weights[band]!
    if (weight === 0) continue
    for (let i = 0; i < out.length; i++) out[i]! += weight * bands[band]![i]!
  }
  return out
}

/** The pitch classes of some frames as a vector of length 1; undefined when there are no tones. */
function meanDirection(frames: PitchFrames, from: number, to: number): Float64Array | undefined {
  const sum = new Float64Array(12)
  for (let frame = from; frame < to; frame++) for (let i = 0; i < 12; i++) sum[i]! += frames[frame * 12 + i]!
  const length = Math.hypot(...sum)
  return length > 1e-6 ? sum.map((value) => value / length) : undefined
}

/** How much the pitch classes differ after each frame from those before it: 0 the same, 1 nothing in common. */
function pitchNovelty(frames: PitchFrames): Float32Array {
  const count = frames.length / 12
  return Float32Array.from({ length: count }, (_, frame) => {
    const before = meanDirection(frames, Math.max(0, frame - NOVELTY_FRAMES), frame)
    const after = meanDirection(frames, frame, Math.min(count, frame + NOVELTY_FRAMES))
    return before && after ? 1 - before.reduce((sum, value, i) => sum + value * after[i]!, 0) : 0
  })
}

/** Brings a series of pitch frames to the times of the onset frames. */
function atOnsetTimes(series: Float32Array, length: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => {
    const seconds = i / ONSET_RATE + ONSET_CENTRE_SECONDS
    return valueAt(series, (seconds - PITCH_HALF_FRAME_SECONDS) * PITCH_RATE)
  })
}

/** The envelopes from which beats and bars are found, all {@link ONSET_RATE} values a second. */
export function beatEnvelopesOf({ rises, bass, tones }: RhythmSeries): BeatEnvelopes {
  const bands = rises.map(emphasise)
  const length = bands[0]!.length
  return {
    all: blend(bands, BAND_WEIGHTS.all),
    low: blend(bands, BAND_WEIGHTS.low),
    mid: blend(bands, BAND_WEIGHTS.mid),
    high: blend(bands, BAND_WEIGHTS.high),
    harmony: atOnsetTimes(pitchNovelty(tones), length),
    bass: atOnsetTimes(pitchNovelty(bass), length),
  }
}
