import { bitReversed, type CreateComplexTransform, hann } from '../fft.ts'
import { kWeighting, type Loudness } from '../loudness.ts'
import { BAND_EDGES_HZ, BANDS, ONSET_FRAME, ONSET_SAMPLE_RATE } from '../onset.ts'
import { type Peaks, waveformCoefficients } from '../peaks.ts'
import type { CreatePowerSpectrum } from '../power-spectrum.ts'
import { halfBand, LinearRate } from '../resample.ts'
import { Series } from '../series.ts'
import type { Transforms } from '../transforms.ts'
import { type TruePeak, truePeakTaps } from '../true-peak.ts'
import { loadWasm, type WasmExports } from './load-wasm.ts'

/** The stages of the half-band filter that make the input of chroma and fingerprint, and from that the one of pitch. */
const CHROMA_STAGE = 7
const PITCH_STAGES = [5, 6]

const floats = (wasm: WasmExports, address: number, length: number) =>
  new Float32Array(wasm.memory.buffer, address, length)
const doubles = (wasm: WasmExports, address: number, length: number) =>
  new Float64Array(wasm.memory.buffer, address, length)

/** The frames whose spectrum is computed have up to so many samples. */
const LONGEST_FRAME = 8192

/** The factors of the stages of a complex transform: those of the stage that joins h values begin at h. */
function writeTurns(re: Float32Array, im: Float32Array): void {
  for (let half = 2; half < LONGEST_FRAME; half *= 2) {
    for (let i = 0; i < half; i++) {
      re[half + i] = Math.cos((Math.PI * i) / half)
      im[half + i] = -Math.sin((Math.PI * i) / half)
    }
  }
}

/** Writes the window of frames of `size` samples and the order of the values of their transform. */
function writeFrameTables(wasm: WasmExports, size: number, transformSize: number): void {
  floats(wasm, wasm.window_table!(), 2 * size).set(hann(size), size)
  const order = new Uint16Array(wasm.memory.buffer, wasm.reversed_table!(), 2 * transformSize)
  order.set(bitReversed(transformSize), transformSize)
}

/** Writes every table that dsp.c leaves to its caller. */
function writeTables(wasm: WasmExports, sampleRate: number): void {
  floats(wasm, wasm.peak_table!(), 48).set(truePeakTaps(sampleRate).phases.flatMap((taps) => [...taps]))
  doubles(wasm, wasm.weighting_table!(), 7).set(kWeighting(sampleRate))
  doubles(wasm, wasm.wave_table!(), 16).set(waveformCoefficients(sampleRate))
  const taps = halfBand()
  floats(wasm, wasm.half_table!(), taps.length).set(taps)
  const [re, im] = [wasm.turn_re_table!(), wasm.turn_im_table!()]
  writeTurns(floats(wasm, re, LONGEST_FRAME), floats(wasm, im, LONGEST_FRAME))
  writeFrameTables(wasm, ONSET_FRAME, ONSET_FRAME)
  const edges = BAND_EDGES_HZ.map((hz) => Math.ceil((hz * ONSET_FRAME) / ONSET_SAMPLE_RATE))
  new Int32Array(wasm.memory.buffer, wasm.band_edge_table!(), BANDS + 1).set(edges)
}

/** Values of a frame of onsets. */
const ROW = 2 * BANDS

/** What OnsetStream measures, calculated by dsp.wasm. */
class FastOnsets {
  readonly #wasm: WasmExports
  /** A row for each frame: the rise of each band, then its power. */
  readonly #rows = new Series()

  constructor(wasm: WasmExports) {
    this.#wasm = wasm
  }

  /** Takes the first samples of the module's mono signal, at 22,050 Hz. */
  pushMono(samples: number): void {
    this.#read(this.#wasm.push_onsets!(samples))
  }

  /** One series per band, lowest first: the rise of its log spectrum. */
  bands(): Float32Array[] {
    return this.#columns(0)
  }

  /** The same for the power of each band, where a sine of full scale has the power 1. */
  powers(): Float32Array[] {
    return this.#columns(BANDS)
  }

  #read(frames: number): void {
    this.#rows.pushAll(floats(this.#wasm, this.#wasm.onset_rows!(), frames * ROW))
  }

  /** The values of eight columns, column by column. */
  #columns(first: number): Float32Array[] {
    this.#read(this.#wasm.finish_onsets!())
    const rows = this.#rows.values()
    return Array.from({ length: BANDS }, (_, band) => {
      const column = new Float32Array(rows.length / ROW)
      for (let i = 0; i < column.length; i++) column[i] = rows[i * ROW + first + band]!
      return column
    })
  }
}

/** The measurements whose samples dsp.wasm reads; each keeps its own results. */
type Measures = { loudness: Loudness; truePeak: TruePeak; peaks: Peaks }

/** Receive mono at 11,025 and 2,756 Hz, and must not keep a reference to it. */
type LowRateMeasures = { pushChroma(mono: Float32Array): void; pushPitch(mono: Float32Array): void }

/**
 * Feeds the measurements of a mono or stereo file from dsp.wasm: the same results as their own `push`, with SIMD. See
 * README.md.
 */
export class FastMeasurements implements Transforms {
  readonly onsets: FastOnsets
  readonly #wasm: WasmExports
  readonly #channels: 1 | 2
  readonly #measures: Measures
  readonly #peakPhases: number
  readonly #peakGain: number
  readonly #halvings: number
  readonly #toOnsetRate: LinearRate
  readonly #blockSamples: number

  /** Throws when the module cannot be loaded. */
  constructor(sampleRate: number, channels: 1 | 2, measures: Measures) {
    const wasm = loadWasm('dsp')
    writeTables(wasm, sampleRate)
    this.#wasm = wasm
    this.#channels = channels
    this.#measures = measures
    const { phases, most_gain } = truePeakTaps(sampleRate)
    this.#peakPhases = phases.length
    this.#peakGain = most_gain
    let [rate, halvings] = [sampleRate, 0]
    for (; rate > ONSET_SAMPLE_RATE * 1.5; rate /= 2) halvings++
    this.#halvings = halvings
    this.#toOnsetRate = new LinearRate(rate, ONSET_SAMPLE_RATE)
    // A low sample rate is raised, and the result must fit into the module's memory too.
    const share = Math.min(1, (0.9 * sampleRate) / ONSET_SAMPLE_RATE)
    this.#blockSamples = Math.floor(wasm.block_samples!() * share)
    this.onsets = new FastOnsets(wasm)
  }

  /** The same as that of power-spectrum.ts, for frames of 16 to {@link LONGEST_FRAME} samples. All share their result. */
  readonly createSpectrum: CreatePowerSpectrum = (size) => {
    const wasm = this.#wasm
    writeFrameTables(wasm, size, size / 2)
    const input = floats(wasm, wasm.spectrum_input!(), size)
    const powers = floats(wasm, wasm.spectrum_output!(), size / 2 + 1)
    return (frame) => {
      input.set(frame)
      wasm.power_spectrum!(size)
      return powers
    }
  }

  /** The same as that of fft.ts, for up to half as many values. All share their values, also with the power spectra. */
  readonly createTransform: CreateComplexTransform = (size) => {
    const wasm = this.#wasm
    const [re, im] = [floats(wasm, wasm.transform_re!(), size), floats(wasm, wasm.transform_im!(), size)]
    return { re, im, run: () => void wasm.complex_transform!(size) }
  }

  push(channels: Float32Array[], lowRates: LowRateMeasures): void {
    for (let from = 0; from < channels[0]!.length; from += this.#blockSamples) {
      const block = channels.map((samples) => samples.subarray(from, from + this.#blockSamples))
      this.#pushBlock(block, lowRates)
    }
  }

  #pushBlock(block: Float32Array[], lowRates: LowRateMeasures): void {
    const wasm = this.#wasm
    const length = block[0]!.length
    for (let channel = 0; channel < this.#channels; channel++)
      floats(wasm, wasm.input!(channel), length).set(block[channel]!)
    wasm.mix!(this.#channels, length)
    const { loudness, truePeak, peaks } = this.#measures
    loudness.pushEnergies(length, (from, to) => wasm.weighted_energy!(from, to))
    const levels = doubles(wasm, wasm.wave_levels!(), 4)
    peaks.pushLevels(length, (from, to, point) => {
      levels.set(point)
      wasm.raise_wave_levels!(from, to)
      point.set(levels)
    })
    for (let channel = 0; channel < this.#channels; channel++)
      truePeak.raise((peak) => wasm.true_peak!(channel, length, this.#peakPhases, peak, this.#peakGain))
    const onsetSamples = this.#resample(length)
    this.onsets.pushMono(onsetSamples)
    const mono = wasm.mono!()
    let count = wasm.halve!(CHROMA_STAGE, onsetSamples)
    lowRates.pushChroma(floats(wasm, mono, count))
    for (const stage of PITCH_STAGES) count = wasm.halve!(stage, count)
    lowRates.pushPitch(floats(wasm, mono, count))
  }

  /** Brings the module's mono signal to the onsets' rate and returns its new length. */
  #resample(length: number): number {
    const wasm = this.#wasm
    let count = length
    for (let stage = 0; stage < this.#halvings; stage++) count = wasm.halve!(stage, count)
    const halved = floats(wasm, wasm.mono!(), count)
    const resampled = this.#toOnsetRate.push(halved)
    if (resampled !== halved) floats(wasm, wasm.mono!(), resampled.length).set(resampled)
    return resampled.length
  }
}
