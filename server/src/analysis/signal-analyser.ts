import type { Analysis } from './analysis.ts'
import { ChromaStream } from './chroma.ts'
import { FingerprintStream } from './fingerprint.ts'
import { keyOf } from './key.ts'
import { Loudness } from './loudness.ts'
import { ONSET_SAMPLE_RATE, OnsetStream } from './onset.ts'
import { Peaks } from './peaks.ts'
import { HalfRate, LinearRate, type Resampler, ResamplerChain } from './resample.ts'
import { tempoOf } from './tempo.ts'
import { TruePeak } from './true-peak.ts'

type SignalMeasurements = Omit<
  Analysis,
  'format' | 'bitrate_kbps' | 'faults' | 'playable' | 'decoded_seconds' | 'analyser_version'
>

const round = (value: number, digits: number) => Number(value.toFixed(digits))

/** Halves the rate until linear interpolation to 22,050 Hz does no harm. */
function toOnsetRate(sampleRate: number): Resampler {
  const stages: Resampler[] = []
  let rate = sampleRate
  for (; rate > 33_075; rate /= 2) stages.push(new HalfRate())
  return new ResamplerChain([...stages, new LinearRate(rate, ONSET_SAMPLE_RATE)])
}

function mixDown(channels: Float32Array[]): Float32Array {
  const [left, right] = channels
  return right ? left!.map((sample, i) => (sample + right[i]!) * 0.5) : left!
}

/**
 * All measurements taken from the decoded blocks of one file. Of more than two channels, only the first two are
 * measured.
 */
export class SignalAnalyser {
  readonly #sampleRate: number
  readonly #channels: 1 | 2
  readonly #loudness: Loudness
  readonly #truePeak: TruePeak
  readonly #peaks: Peaks
  readonly #toOnset: Resampler
  readonly #onset = new OnsetStream()
  /** The chroma's rate is half the rate of the onsets. */
  readonly #toChroma = new HalfRate()
  readonly #chroma = new ChromaStream()
  readonly #fingerprint = new FingerprintStream()
  #samples = 0

  constructor(sampleRate: number, channels: 1 | 2) {
    this.#sampleRate = sampleRate
    this.#channels = channels
    this.#loudness = new Loudness(sampleRate, channels)
    this.#truePeak = new TruePeak(sampleRate, channels)
    this.#peaks = new Peaks(sampleRate)
    this.#toOnset = toOnsetRate(sampleRate)
  }

  /** Returns the channels it measured; a block that changes to mono in the middle of a file is used for both sides. */
  push(block: Float32Array[]): Float32Array[] {
    const left = block[0]!
    const channels = this.#channels === 1 ? [left] : [left, block[1] ?? left]
    const mono = mixDown(channels)
    this.#samples += left.length
    this.#loudness.push(channels)
    this.#truePeak.push(channels)
    this.#peaks.push(mono)
    const onsetInput = this.#toOnset.push(mono)
    this.#onset.push(onsetInput)
    const chromaInput = this.#toChroma.push(onsetInput)
    this.#chroma.push(chromaInput)
    this.#fingerprint.push(chromaInput)
    return channels
  }

  finish(tempoRange?: [number, number]): SignalMeasurements {
    const tempo = tempoOf(this.#onset.bands(), tempoRange)
    const key = keyOf(this.#chroma.pitchClasses())
    return {
      duration_seconds: round(this.#samples / this.#sampleRate, 3),
      sample_rate: this.#sampleRate,
      channels: this.#channels,
      ...tempo,
      bpm_confidence: round(tempo.bpm_confidence, 3),
      song_key: key.song_key,
      key_confidence: round(key.key_confidence, 3),
      loudness_lufs: round(this.#loudness.integrated(), 2),
      loudness_range: round(this.#loudness.range(), 1),
      true_peak_db: round(this.#truePeak.decibels(), 2),
      ...this.#peaks.finish(),
      fingerprint: this.#fingerprint.codes(),
    }
  }
}
