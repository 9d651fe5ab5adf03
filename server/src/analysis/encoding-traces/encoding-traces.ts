import { type CreateComplexTransform, createComplexTransform } from '../fft.ts'
import { type Excerpt, ExcerptPicker } from './excerpts.ts'
import { MdctTransform } from './mdct-transform.ts'
import { LINES, Mp3Transform } from './mp3-transform.ts'
import { type ChannelCoefficients, type OffsetTransform, STEPS_OF_16_BITS, zeroScores } from './offset-scores.ts'
import { OpusTransform } from './opus-transform.ts'
import { quantisationScores } from './quantisation-scores.ts'
import { kaiserBesselWindow, sineWindow, vorbisWindow } from './windows.ts'

export type Codec = 'MP3' | 'AAC' | 'Vorbis' | 'Opus'

/** What an encoder leaves in the samples, and how to find it. */
type Trace = {
  codec: Codec
  transform: OffsetTransform
  /** Samples after which frames repeat: offsets are compared between excerpts modulo this number. */
  period: number
  sampleRates: readonly number[]
  /** Standard deviations that two excerpts must reach at the same offset. */
  leastScore: number
  /** Scores at each offset of one frame. `step` is the smallest difference between samples, in steps of 16 bits. */
  score: (coefficients: ChannelCoefficients, step: number, sampleRate: number) => Float64Array
}

/** Subbands of MP3 that are analysed, and the edges of its scale factor bands within, in lines: 3.8 to 5.9 kHz. */
const MP3_SUBBANDS = [5, 9] as const
const MP3_EDGES: Record<number, readonly number[]> = {
  // ISO/IEC 11172-3, table B.8. The first and the last eight lines of the subbands are incomplete.
  44100: [98, 110, 134, 154],
  48000: [98, 106, 128, 154],
}
/** Genuine music reaches 4.5, 4.1 and 2.8: see docs/decisions/0051-encoding-traces.md. */
const LEAST_SCORES = { quantisation: 7, zeros: 9, opusZeros: 6 }
/** Steps of the quantiser that are smaller vanish in the rounding of the samples. */
const MP3_LEAST_STEP = 2
/** Bins of the MDCTs: 3 to 14 kHz at 44.1 kHz. */
const MDCT_BINS = Array.from({ length: 64 }, (_, n) => 144 + 8 * n)
const COMMON_RATES = [44_100, 48_000]

function mp3Trace(): Trace {
  const transform = new Mp3Transform(...MP3_SUBBANDS)
  const { hop } = transform
  return {
    ...{ codec: 'MP3', transform, period: hop, sampleRates: COMMON_RATES },
    leastScore: LEAST_SCORES.quantisation,
    score: (coefficients, step, sampleRate) => {
      const edges = MP3_EDGES[sampleRate]!.map((line) => line - MP3_SUBBANDS[0] * LINES)
      return quantisationScores(coefficients, { hop, edges, smallestStep: MP3_LEAST_STEP * step })
    },
  }
}

/** Bins that must have energy, of 64 of the MDCTs and of 40 of Opus, into which only the loudest highs leak. */
const MDCT_LEAST_BINS = 24
const OPUS_LEAST_BINS = 6

function mdctTrace(
  codec: Codec,
  window: Float64Array,
  createTransform: CreateComplexTransform,
  { step = 64 as 32 | 64, period = window.length / 2 } = {},
): Trace {
  const transform = new MdctTransform(window, MDCT_BINS, step, createTransform)
  return {
    ...{ codec, transform, period, sampleRates: COMMON_RATES },
    leastScore: LEAST_SCORES.zeros,
    score: (coefficients, threshold) =>
      zeroScores(coefficients, { hop: transform.hop, threshold, leastBins: MDCT_LEAST_BINS }),
  }
}

function opusTrace(): Trace {
  const transform = new OpusTransform()
  const { hop } = transform
  return {
    ...{ codec: 'Opus', transform, period: hop, sampleRates: [48_000] },
    leastScore: LEAST_SCORES.opusZeros,
    score: (coefficients, threshold) => zeroScores(coefficients, { hop, threshold, leastBins: OPUS_LEAST_BINS }),
  }
}

const TRACES: readonly ((createTransform: CreateComplexTransform) => Trace)[] = [
  mp3Trace,
  (create) => mdctTrace('AAC', kaiserBesselWindow(2048), create),
  // The side lobes of the sine fall slowly.
  (create) => mdctTrace('AAC', sineWindow(2048), create, { step: 32 }),
  // Short blocks move the frames that follow by multiples of 128.
  (create) => mdctTrace('Vorbis', vorbisWindow(2048), create, { period: 128 }),
  opusTrace,
]

/** Excerpts that are always analysed, and how many at most when one of them has a trace. */
const FIRST_EXCERPTS = 4
const MAX_EXCERPTS = 12
/** Sounds of an exact short period have several such offsets, a frame has one: the others must be this much lower. */
const LEAST_LEAD = 1.5
/** Offsets next to the best are not others. */
const NEAR = 12

/**
 * Finds traces of lossy encoding in samples that were stored without loss: at one offset of its frames, the encoder's own
 * transform turns the sound into quantised coefficients again (Herre and Schug, "Analysis of decompressed audio – the
 * inverse decoder", AES 109, 2000). Takes one or two channels at 44.1 or 48 kHz.
 */
export class EncodingTraces {
  readonly #sampleRate: number
  readonly #step: number
  readonly #picker: ExcerptPicker
  readonly #createTransform: CreateComplexTransform

  /** `step` is the smallest difference between two samples: 1/32768 for 16 bits, 0 when unknown. */
  constructor(sampleRate: number, channels: 1 | 2, step: number, createTransform = createComplexTransform) {
    this.#sampleRate = sampleRate
    this.#createTransform = createTransform
    // Samples of 24 bits may have been rounded to 16 before.
    this.#step = Math.max(1, step * STEPS_OF_16_BITS)
    this.#picker = new ExcerptPicker(channels)
  }

  push(channels: Float32Array[]): void {
    if (COMMON_RATES.includes(this.#sampleRate)) this.#picker.push(channels)
  }

  /** The codec that left its traces, or undefined. */
  codec(): Codec | undefined {
    const excerpts = this.#picker.excerpts()
    const traces = TRACES.map((create) => create(this.#createTransform)).filter(({ sampleRates }) =>
      sampleRates.includes(this.#sampleRate),
    )
    // The window of Vorbis is so like one of AAC's that both find its traces.
    const found = traces.map((trace) => ({ trace, score: this.#scoreOf(trace, excerpts) }))
    const [best] = found.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score)
    return best?.trace.codec
  }

  /** The score that two excerpts reach at the same offset; 0 when it is too low or other offsets reach it, too. */
  #scoreOf(trace: Trace, excerpts: Excerpt[]): number {
    const ranking = new OffsetRanking(trace.period)
    for (const [n, excerpt] of excerpts.slice(0, MAX_EXCERPTS).entries()) {
      if (n >= FIRST_EXCERPTS && ranking.highest() < trace.leastScore) return 0
      ranking.add(this.#scoreExcerpt(trace, excerpt))
      const score = ranking.secondHighest()
      if (score >= trace.leastScore && ranking.lead() >= LEAST_LEAD) return score
    }
    return 0
  }

  /** Scores at each offset modulo the period, counted from the beginning of the file. */
  #scoreExcerpt({ transform, period, score }: Trace, { start, channels }: Excerpt): Float64Array {
    const coefficients = channels.map((samples) => {
      const out = new Float32Array(transform.bins * transform.hop)
      transform.apply(samples, out)
      return out
    })
    const scores = score(coefficients, this.#step, this.#sampleRate)
    const aligned = new Float64Array(period)
    for (let offset = 0; offset < scores.length; offset++) {
      const at = (start + offset) % period
      if (scores[offset]! > aligned[at]!) aligned[at] = scores[offset]!
    }
    return aligned
  }
}

/** The highest and the second highest score of all excerpts at each offset. */
class OffsetRanking {
  readonly #first: Float64Array
  readonly #second: Float64Array

  constructor(period: number) {
    this.#first = new Float64Array(period)
    this.#second = new Float64Array(period)
  }

  add(scores: Float64Array): void {
    for (let offset = 0; offset < scores.length; offset++) {
      const score = scores[offset]!
      this.#second[offset] = Math.max(this.#second[offset]!, Math.min(this.#first[offset]!, score))
      this.#first[offset] = Math.max(this.#first[offset]!, score)
    }
  }

  /** The highest score of any excerpt. */
  highest(): number {
    return highestOf(this.#first)
  }

  /** The highest score that two excerpts reach at the same offset. */
  secondHighest(): number {
    return highestOf(this.#second)
  }

  /** How many times higher it is than at all offsets that are not next to it. */
  lead(): number {
    const best = this.secondHighest()
    const at = this.#second.indexOf(best)
    const { length } = this.#second
    const others = this.#second.filter((_, offset) => {
      const distance = Math.abs(offset - at)
      return Math.min(distance, length - distance) > NEAR
    })
    return best / Math.max(1, highestOf(others))
  }
}

function highestOf(values: Float64Array): number {
  let highest = 0
  for (let i = 0; i < values.length; i++) if (values[i]! > highest) highest = values[i]!
  return highest
}
