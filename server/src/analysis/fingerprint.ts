import { CHROMA_SAMPLE_RATE } from './chroma.ts'
import { Framer } from './framer.ts'
import { createPowerSpectrum, type PowerSpectrum } from './power-spectrum.ts'

const FRAME = 4096
const HOP = 1365
/** Codes a second: 8.08. */
export const CODE_RATE = CHROMA_SAMPLE_RATE / HOP

const LOWEST_HZ = 150
const HIGHEST_HZ = 3000
/** One more than the bits of a code, because each bit compares two neighbouring bands. */
const BANDS = 33
/** Frames of each half of a code, half a second. */
const HALF = 4

/** Duration of the audio that a frame of levels covers. */
export const PRINT_FRAME_SECONDS = FRAME / CHROMA_SAMPLE_RATE
/** Bands of the level print, each three of those of the codes. */
export const PRINT_BANDS = BANDS / 3
/** One step of a level, up from silence. */
export const PRINT_STEP_DB = 0.5
const PRINT_FLOOR_DB = -96

/** How much of a long mix is fingerprinted. */
const LONGEST_SECONDS = 600
const MAX_CODES = Math.floor(LONGEST_SECONDS * CODE_RATE)
/** Bytes of the level print of the longest fingerprint. */
export const MAX_PRINT_BYTES = (MAX_CODES + 2 * HALF - 1) * PRINT_BANDS
/** Under ten seconds there is too little to distinguish two recordings. */
export const MIN_CODES = Math.ceil(10 * CODE_RATE)

/** Audio 70 dB below a full-scale sine is silence; 90 dB below it, no band differs from another. */
const SILENCE = 1e-7
const FLOOR = 1e-9

/** The code of silence. It matches no other code, not even itself. */
export const SILENT = 0

/** The share of each spectral bin in each band, band after band; the bands are equally wide in pitch. */
function bandShares(): { bins: Int32Array; bands: Int32Array; shares: Float32Array } {
  const edge = (i: number) => (LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ) ** (i / BANDS) * FRAME) / CHROMA_SAMPLE_RATE
  const parts: { bin: number; band: number; share: number }[] = []
  for (let band = 0; band < BANDS; band++) {
    const [from, to] = [edge(band), edge(band + 1)]
    for (let bin = Math.floor(from); bin <= Math.ceil(to); bin++) {
      const share = Math.min(bin + 0.5, to) - Math.max(bin - 0.5, from)
      // Scaled so that the power of a full-scale sine is about 1.
      if (share > 0) parts.push({ bin, band, share: share * (4 / FRAME) ** 2 })
    }
  }
  return {
    bins: Int32Array.from(parts, ({ bin }) => bin),
    bands: Int32Array.from(parts, ({ band }) => band),
    shares: Float32Array.from(parts, ({ share }) => share),
  }
}

const BAND_SHARES = bandShares()

type SpectrumFrame = { levels: Float32Array; power: number }

/**
 * Describes what a recording sounds like, in 32 bits eight times a second: a bit says whether one of 33 bands gained
 * more than the next higher one between the previous half second and the next. So loudness has no effect, and
 * equalisers, bit rates and the start of the file have little. After J. Haitsma and T. Kalker, "A Highly Robust Audio
 * Fingerprinting System", ISMIR 2002, with wider bands, and means of four frames instead of single ones, which 8 codes
 * a second need to match at any offset. Takes mono at 11,025 Hz.
 */
export class FingerprintStream {
  readonly #powersOf: PowerSpectrum
  readonly #frames: SpectrumFrame[] = []
  readonly #codes: number[] = []
  readonly #levels: number[] = []
  readonly #framer = new Framer(FRAME, HOP, (frame) => this.#analyse(frame))

  constructor(createSpectrum = createPowerSpectrum) {
    this.#powersOf = createSpectrum(FRAME)
  }

  push(mono: Float32Array): void {
    if (this.#codes.length < MAX_CODES) this.#framer.push(mono)
  }

  /**
   * The codes of the first ten minutes, {@link CODE_RATE} a second; none when the audio is silent or under ten seconds.
   */
  codes(): Int32Array {
    const hasContent = this.#codes.length >= MIN_CODES && this.#codes.some((code) => code !== SILENT)
    return Int32Array.from(hasContent ? this.#codes.slice(0, MAX_CODES) : [])
  }

  /**
   * Loudness by band and time, in as many frames as codes and seven more: {@link PRINT_BANDS} bands for each frame, in
   * steps of {@link PRINT_STEP_DB}. Code n compares the frames n to n + 3 with n + 4 to n + 7.
   */
  levels(): Uint8Array {
    const codes = this.codes().length
    return Uint8Array.from(codes === 0 ? [] : this.#levels.slice(0, (codes + 2 * HALF - 1) * PRINT_BANDS))
  }

  #addLevels(powers: Float32Array): void {
    for (let band = 0; band < BANDS; band += BANDS / PRINT_BANDS) {
      const power = powers[band]! + powers[band + 1]! + powers[band + 2]!
      this.#levels.push(Math.max(0, Math.round((10 * Math.log10(power + FLOOR) - PRINT_FLOOR_DB) / PRINT_STEP_DB)))
    }
  }

  #analyse(frame: Float32Array): void {
    const powers = this.#powersOf(frame)
    const levels = new Float32Array(BANDS)
    const { bins, bands, shares } = BAND_SHARES
    for (let i = 0; i < bins.length; i++) {
      levels[bands[i]!]! += shares[i]! * powers[bins[i]!]!
    }
    const power = levels.reduce((sum, level) => sum + level, 0)
    this.#addLevels(levels)
    this.#frames.push({ levels: levels.map((level) => Math.log(level + FLOOR)), power })
    if (this.#frames.length < 2 * HALF) return
    this.#codes.push(this.#code())
    this.#frames.shift()
  }

  #code(): number {
    const isSilent = (half: SpectrumFrame[]) => half.every(({ power }) => power < SILENCE)
    const before = this.#frames.slice(0, HALF)
    const after = this.#frames.slice(HALF)
    if (isSilent(before) || isSilent(after)) return SILENT
    const gain = (band: number) =>
      after.reduce((sum, { levels }) => sum + levels[band]!, 0) -
      before.reduce((sum, { levels }) => sum + levels[band]!, 0)
    let code = 0
    let here = gain(0)
    for (let bit = 0; bit < BANDS - 1; bit++) {
      const next = gain(bit + 1)
      if (here > next) code |= 1 << bit
      here = next
    }
    return code
  }
}

/** The maximum number of keys by which a file is looked up. */
const MAX_KEYS = 128

/** Mixes the bits of a number. Source: the finaliser of MurmurHash3 by Austin Appleby, public domain. */
function mixBits(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * The keys by which a fingerprint is found: of its distinct codes, without the lowest four bits, which are the least
 * reliable, the 128 with the smallest hashes. So two files with much in common select many of the same keys, wherever
 * in the file they occur (A. Broder, "On the resemblance and containment of documents", 1997). 0..2^28−1, in the order
 * of their hashes.
 */
export function keysOf(codes: Int32Array): number[] {
  const distinct = new Set<number>()
  for (const code of codes) if (code !== SILENT) distinct.add(code >>> 4)
  return [...distinct].sort((a, b) => mixBits(a) - mixBits(b)).slice(0, MAX_KEYS)
}

const bytesPerCode = Int32Array.BYTES_PER_ELEMENT

/** Encodes each code as four bytes, little-endian. */
export function packCodes(codes: Int32Array): Buffer {
  const bytes = Buffer.alloc(codes.length * bytesPerCode)
  codes.forEach((code, i) => {
    bytes.writeInt32LE(code, i * bytesPerCode)
  })
  return bytes
}

export function unpackCodes(bytes: Buffer): Int32Array {
  return Int32Array.from({ length: bytes.length / bytesPerCode }, (_, i) => bytes.readInt32LE(i * bytesPerCode))
}
