import { createPowerSpectrum, type PowerSpectrum } from './power-spectrum.ts'

const FRAME = 4096
/** One frame in four is analysed: a cutoff is present everywhere, and this is faster. */
const STEP = 4 * FRAME
const BAND_HZ = 250
const PARTS = 5
const PART_HZ = BAND_HZ / PARTS
const MAX_HZ = 24_000
/** Mean square below which a frame is too quiet to measure: −50 dBFS. */
const QUIET_POWER = 1e-5
const MIN_FRAMES = 8

const MIN_DB = -160
const CELL_DB = 2
const CELLS = -MIN_DB / CELL_DB
/**
 * A band's level is what a tenth of the frames reach: this counts cymbals, but not one clipped sample that rings
 * through all bands.
 */
const SHARE_ABOVE = 0.1

/** Below this a synthesiser's own harmonics end as sharply as an encoder's low pass. */
const MIN_CUTOFF_HZ = 10_000
/** Encoders fall by 30 to 70 dB within two bands, the steepest synthesisers and analogue filters by 25. */
const MIN_DROP_DB = 30
const DROP_BANDS = 2
/** This many bands below the cutoff, 2 kHz, must contain music; a quarter of them may be missing. */
const MUSIC_BANDS = 8
/** The mean square of a bin (of hiss at −65 dBFS in total): even 320 kbit/s drops highs fainter than that. */
const MIN_MUSIC_DB = -100
/**
 * Hiss and cymbals fill a band evenly, with 4 to 14 dB between its loudest and quietest part. The harmonics of a
 * synthesiser leave gaps of 16 to 30 dB: where they end, the music ends, and only encoder artefacts remain around them.
 */
const MAX_SPREAD_DB = 14

const toDb = (power: number) => 10 * Math.log10(power * (4 / FRAME) ** 2 + 1e-16)
const sortAscending = (values: number[]) => values.toSorted((a, b) => a - b)
const lowerQuartile = (values: number[]) => sortAscending(values)[values.length >> 2]!
const median = (values: number[]) => sortAscending(values)[values.length >> 1]!

/** How often each level occurred, in cells of 2 dB. */
class LevelCount {
  readonly #cells = new Uint32Array(CELLS)

  add(db: number): void {
    this.#cells[Math.max(0, Math.min(CELLS - 1, Math.floor((db - MIN_DB) / CELL_DB)))]!++
  }

  /** The highest level that at least `count` of the added values reach. */
  reachedBy(count: number): number {
    let above = count
    for (let cell = CELLS - 1; cell > 0; cell--) {
      above -= this.#cells[cell]!
      if (above < 0) return MIN_DB + cell * CELL_DB
    }
    return MIN_DB
  }
}

/** Mean of the values [from, to). */
function meanOf(values: Float32Array, from: number, to: number): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += values[i]!
  return sum / (to - from)
}

/** Levels of the quietest and of the loudest of a band's parts. */
type Band = { quietest: LevelCount; loudest: LevelCount }

/**
 * The highest frequency of a piece of music: the long-term spectrum in bands of 250 Hz, each in five parts. Takes one
 * or two channels.
 */
export class Bandwidth {
  readonly #powersOf: PowerSpectrum
  readonly #frame = new Float32Array(FRAME)
  readonly #bands: Band[]
  /** First bin of each part. */
  readonly #parts: Uint32Array
  #frames = 0
  /** Position within the step; the frame is its first part. */
  #at = 0

  constructor(sampleRate: number, createSpectrum = createPowerSpectrum) {
    this.#powersOf = createSpectrum(FRAME)
    const bands = Math.floor(Math.min(MAX_HZ, sampleRate / 2) / BAND_HZ)
    this.#bands = Array.from({ length: bands }, () => ({ quietest: new LevelCount(), loudest: new LevelCount() }))
    this.#parts = Uint32Array.from({ length: bands * PARTS + 1 }, (_, part) =>
      Math.ceil((part * PART_HZ * FRAME) / sampleRate),
    )
  }

  push(channels: Float32Array[]): void {
    const [left, right = left] = channels as [Float32Array, Float32Array?]
    for (let i = 0; i < left.length; ) {
      const until = this.#at < FRAME ? FRAME : STEP
      const count = Math.min(until - this.#at, left.length - i)
      if (this.#at < FRAME) this.#fill(left.subarray(i, i + count), right.subarray(i, i + count))
      this.#at += count
      i += count
      if (until === FRAME && this.#at === FRAME) this.#take()
      if (this.#at === STEP) this.#at = 0
    }
  }

  #fill(left: Float32Array, right: Float32Array): void {
    for (let k = 0; k < left.length; k++) this.#frame[this.#at + k] = (left[k]! + right[k]!) * 0.5
  }

  #take(): void {
    const frame = this.#frame
    let power = 0
    for (let i = 0; i < FRAME; i++) power += frame[i]! * frame[i]!
    if (power / FRAME < QUIET_POWER) return
    this.#frames++
    const powers = this.#powersOf(frame)
    this.#bands.forEach(({ quietest, loudest }, band) => {
      let least = Number.POSITIVE_INFINITY
      let most = 0
      for (let part = band * PARTS; part < (band + 1) * PARTS; part++) {
        const level = meanOf(powers, this.#parts[part]!, this.#parts[part + 1]!)
        if (level < least) least = level
        if (level > most) most = level
      }
      quietest.add(toDb(least))
      loudest.add(toDb(most))
    })
  }

  /**
   * Frequency in Hz at which the music ends abruptly, as with an encoder's low-pass filter; undefined when it fades out
   * or reaches the top.
   */
  cutoff(): number | undefined {
    if (this.#frames < MIN_FRAMES) return undefined
    const count = this.#frames * SHARE_ABOVE
    const levels = this.#bands.map(({ quietest }) => quietest.reachedBy(count))
    const spreads = this.#bands.map(({ loudest }, band) => loudest.reachedBy(count) - levels[band]!)
    for (let band = MIN_CUTOFF_HZ / BAND_HZ; band + DROP_BANDS < levels.length; band++) {
      const music = lowerQuartile(levels.slice(band - MUSIC_BANDS, band))
      const spread = median(spreads.slice(band - MUSIC_BANDS, band))
      const last = levels[band - 1]!
      const above = Math.max(...levels.slice(band + DROP_BANDS))
      if (music < MIN_MUSIC_DB || spread > MAX_SPREAD_DB) continue
      if (Math.min(music, last) - above < MIN_DROP_DB) continue
      return (levels.findIndex((level, i) => i >= band && level <= last - MIN_DROP_DB) + 0.5) * BAND_HZ
    }
    return undefined
  }
}
