import type { Analysis } from './analysis.ts'
import { ChromaStream } from './chroma.ts'
import { RELIABLE } from './confidence.ts'
import { type ChannelLayout, completeChannels } from './downmix.ts'
import { type FallbackHandler, withFallback } from './fallback.ts'
import { FingerprintStream } from './fingerprint.ts'
import { keyOf } from './key.ts'
import { Loudness } from './loudness.ts'
import { ONSET_SAMPLE_RATE, OnsetStream } from './onset.ts'
import { Peaks } from './peaks.ts'
import { PitchStream } from './pitch-frames.ts'
import { HALF_RATE_DELAY, HalfRate, LinearRate, type Resampler, ResamplerChain } from './resample.ts'
import type { RhythmSeries } from './structure/beat-envelopes.ts'
import { energyOf } from './structure/energy.ts'
import { OnsetTimeline } from './structure/onset-timeline.ts'
import { type SongStructure, songStructureOf } from './structure/song-structure.ts'
import { tempoOf } from './tempo.ts'
import { scalarTransforms, type Transforms } from './transforms.ts'
import { TruePeak } from './true-peak.ts'
import { FastMeasurements } from './wasm/fast-measurements.ts'

type SignalMeasurements = Omit<
  Analysis,
  'format' | 'bitrate_kbps' | 'bit_depth' | 'spectrum' | 'faults' | 'playable' | 'decoded_seconds' | 'analyser_version'
>

const round = (value: number, digits: number) => Number(value.toFixed(digits))

/** Halves the rate until linear interpolation to 22,050 Hz does no harm; sounds come out `delaySeconds` early. */
function toOnsetRate(sampleRate: number): { resampler: Resampler; delaySeconds: number } {
  const stages: Resampler[] = []
  let rate = sampleRate
  let delaySeconds = 0
  for (; rate > 33_075; rate /= 2) {
    stages.push(new HalfRate())
    delaySeconds += HALF_RATE_DELAY / rate
  }
  return { resampler: new ResamplerChain([...stages, new LinearRate(rate, ONSET_SAMPLE_RATE)]), delaySeconds }
}

/** Times to a tenth of a millisecond, probabilities to a thousandth. */
function roundedStructure({ grid, sections, cues }: SongStructure): SongStructure {
  return {
    grid: {
      bpm: grid.bpm,
      first_downbeat_seconds: round(grid.first_downbeat_seconds, 4),
      beat_confidence: round(grid.beat_confidence, 3),
      downbeat_confidence: round(grid.downbeat_confidence, 3),
      tempo_changes: grid.tempo_changes.map((change) => ({ ...change, at_seconds: round(change.at_seconds, 4) })),
    },
    sections: sections.map((section) => ({ ...section, start_seconds: round(section.start_seconds, 4) })),
    cues: cues.map((cue) => ({ ...cue, at_seconds: round(cue.at_seconds, 4) })),
  }
}

type SignalAnalyserOptions = {
  onFallback?: FallbackHandler | undefined
  /** False measures everything in TypeScript. Only tests and benchmarks set it. */
  isFast?: boolean
}

function mixDown(channels: Float32Array[]): Float32Array {
  const [left, right] = channels
  return right ? left!.map((sample, i) => (sample + right[i]!) * 0.5) : left!
}

/**
 * All measurements taken from the decoded blocks of one file. Loudness and true peak are those of all channels, the
 * others those of a stereo mix.
 */
export class SignalAnalyser {
  readonly #sampleRate: number
  readonly #layout: ChannelLayout
  readonly #loudness: Loudness
  readonly #truePeak: TruePeak
  readonly #peaks: Peaks
  readonly #toOnset: ReturnType<typeof toOnsetRate>
  readonly #onset = new OnsetStream()
  /** The chroma's rate is half the rate of the onsets. */
  readonly #toChroma = new HalfRate()
  readonly #chroma: ChromaStream
  readonly #toPitch = new ResamplerChain([new HalfRate(), new HalfRate()])
  readonly #pitch: PitchStream
  readonly #fingerprint: FingerprintStream
  /** Does the work of most of the above with SIMD; undefined when its module cannot be loaded. */
  readonly #fast: FastMeasurements | undefined
  /** For other measurements of the same file: as fast as those of this class. */
  readonly transforms: Transforms
  #samples = 0

  constructor(sampleRate: number, layout: ChannelLayout, { onFallback, isFast = true }: SignalAnalyserOptions = {}) {
    this.#sampleRate = sampleRate
    this.#layout = layout
    this.#loudness = new Loudness(sampleRate, layout.channels, layout.weights)
    this.#truePeak = new TruePeak(sampleRate, layout.channels)
    this.#peaks = new Peaks(sampleRate)
    this.#toOnset = toOnsetRate(sampleRate)
    const measures = { loudness: this.#loudness, truePeak: this.#truePeak, peaks: this.#peaks }
    const { channels } = layout
    // The module measures one channel or two.
    const load = () =>
      isFast && channels <= 2 ? new FastMeasurements(sampleRate, channels === 1 ? 1 : 2, measures) : undefined
    this.#fast = withFallback('measurements', load, { replace: () => undefined, onFallback })
    this.transforms = this.#fast ?? scalarTransforms
    const { createSpectrum } = this.transforms
    this.#chroma = new ChromaStream(createSpectrum)
    this.#pitch = new PitchStream(createSpectrum)
    this.#fingerprint = new FingerprintStream(createSpectrum)
  }

  /** Returns the block as mono or stereo. */
  push(block: Float32Array[]): Float32Array[] {
    const channels = completeChannels(block, this.#layout)
    const stereo = this.#layout.toStereo(channels)
    this.#samples += channels[0]!.length
    if (this.#fast) this.#fast.push(channels, this)
    else this.#measure(channels, stereo)
    return stereo
  }

  #measure(channels: Float32Array[], stereo: Float32Array[]): void {
    const mono = mixDown(stereo)
    this.#loudness.push(channels)
    this.#truePeak.push(channels)
    this.#peaks.push(mono)
    const onsetInput = this.#toOnset.resampler.push(mono)
    this.#onset.push(onsetInput)
    const chromaInput = this.#toChroma.push(onsetInput)
    this.pushChroma(chromaInput)
    this.pushPitch(this.#toPitch.push(chromaInput))
  }

  /** Takes mono at 11,025 Hz. */
  pushChroma(mono: Float32Array): void {
    this.#chroma.push(mono)
    this.#fingerprint.push(mono)
  }

  /** Takes mono at 2,756 Hz. */
  pushPitch(mono: Float32Array): void {
    this.#pitch.push(mono)
  }

  finish(tempoRange?: [number, number]): SignalMeasurements {
    const tempo = tempoOf(this.#onsets().bands(), tempoRange)
    const structure = tempo.bpm === null ? undefined : this.#structure(tempo.bpm)
    const key = keyOf({
      ...{ chroma: this.#chroma.pitchClassFrames(), bass: this.#pitch.bass() },
      bars: structure && structure.grid.downbeat_confidence >= RELIABLE ? structure.bars : undefined,
    })
    const loudness_lufs = round(this.#loudness.integrated(), 2)
    return {
      duration_seconds: round(this.#samples / this.#sampleRate, 3),
      sample_rate: this.#sampleRate,
      channels: this.#layout.channels,
      bpm: structure?.grid.bpm ?? tempo.bpm,
      bpm_confidence: round(tempo.bpm_confidence, 3),
      bpm_alternatives: tempo.bpm_alternatives,
      song_key: key.song_key,
      key_confidence: round(key.key_confidence, 3),
      loudness_lufs,
      loudness_range: round(this.#loudness.range(), 1),
      true_peak_db: round(this.#truePeak.decibels(), 2),
      ...this.#peaks.finish(),
      fingerprint: this.#fingerprint.codes(),
      level_print: this.#fingerprint.levels(),
      structure: structure ? roundedStructure(structure) : null,
      energy: structure ? energyOf(this.#rhythmSeries(), { bpm: structure.grid.bpm, loudness_lufs }) : null,
    }
  }

  #onsets(): Pick<OnsetStream, 'bands' | 'powers'> {
    return this.#fast?.onsets ?? this.#onset
  }

  #rhythmSeries(): RhythmSeries {
    return {
      ...{ rises: this.#onsets().bands(), powers: this.#onsets().powers() },
      ...{ bass: this.#pitch.bass(), tones: this.#pitch.tones() },
    }
  }

  #structure(bpm: number): ReturnType<typeof songStructureOf> {
    const timeline = new OnsetTimeline(this.#samples / this.#sampleRate, this.#toOnset.delaySeconds)
    return songStructureOf(this.#rhythmSeries(), bpm, timeline)
  }
}
