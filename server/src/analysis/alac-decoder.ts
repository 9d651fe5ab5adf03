import type { DecodedFrame } from './wasm/aac-decoder.ts'

/*
 * Apple Lossless, after the reference decoder of Apple (ALACDecoder.cpp, ag_dec.c, dp_dec.c, matrix_dec.c; copyright
 * 2011 Apple Inc., Apache-2.0, https://github.com/macosforge/alac).
 */

/** The types of elements in a frame. */
const SINGLE_CHANNEL = 0
const CHANNEL_PAIR = 1
const LOW_FREQUENCY = 3
const DATA = 4
const FILL = 6
const END = 7

const MAX_CHANNELS = 8
const MAX_FRAME_SAMPLES = 65_536
/** A Golomb code with this many ones is followed by the value itself. */
const MAX_PREFIX = 9
const ZERO_RUN_BITS = 16
const MAX_MEAN = 0xffff
const MEAN_SHIFT = 9
/** The number of coefficients that stands for the difference to the previous sample. */
const DIFFERENCE = 31

/** So that four bytes can be read at any position of a frame. */
const PADDING_BYTES = 8

class DamagedFrame extends Error {}

class BitReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  position = 0

  constructor(bytes: Uint8Array) {
    // Reading beyond the end of an array is slow.
    this.#bytes = new Uint8Array(bytes.length + PADDING_BYTES)
    this.#bytes.set(bytes)
    this.#end = bytes.length * 8
  }

  get remaining(): number {
    return this.#end - this.position
  }

  /** Reads up to 32 bits without a sign. */
  read(count: number): number {
    if (count === 0) return 0
    if (this.position + count > this.#end) throw new DamagedFrame('The frame ends too early')
    const value = count <= 25 ? this.#peek() >>> (32 - count) : this.#readLong(count)
    this.position += count
    return value
  }

  readSigned(count: number): number {
    const shift = 32 - count
    return (this.read(count) << shift) >> shift
  }

  /** Counts ones up to {@link MAX_PREFIX} and skips them with the zero that ends them. */
  readOnes(): number {
    const ones = Math.clz32(~this.#peek())
    const count = Math.min(ones, MAX_PREFIX)
    this.position += count < MAX_PREFIX ? count + 1 : count
    if (this.position > this.#end) throw new DamagedFrame('The frame ends too early')
    return count
  }

  skip(count: number): void {
    if (count > this.remaining) throw new DamagedFrame('The frame ends too early')
    this.position += count
  }

  align(): void {
    this.position = (this.position + 7) & ~7
  }

  /** The next 25 bits or more, at the top of 32; zeros beyond the end. */
  #peek(): number {
    const at = this.position >> 3
    const bytes = this.#bytes
    const word = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
    return word << (this.position & 7)
  }

  #readLong(count: number): number {
    const top = this.#peek() >>> 16
    this.position += 16
    const bottom = this.#peek() >>> (48 - count)
    this.position -= 16
    return ((top << (count - 16)) | bottom) >>> 0
  }
}

type Settings = {
  frameSamples: number
  bits: number
  channels: number
  sampleRate: number
  /** Of the adaptive Golomb code: how fast the mean adapts, its first value, and the longest parameter. */
  historyFactor: number
  firstMean: number
  maxParameter: number
}

/** What a channel's samples are predicted from. */
type Predictor = { mode: number; shift: number; historyFactor: number; coefficients: Int16Array }

/** Decodes the frames of an M4A file with ALAC; the result is exact for up to 24 bits. */
export class AlacDecoder {
  readonly #settings: Settings
  readonly #residuals: Int32Array
  readonly #mixed: [Int32Array, Int32Array]
  readonly #shifted: [Int32Array, Int32Array]

  /** Takes the magic cookie. Throws when its values are not valid. */
  constructor(cookie: Uint8Array) {
    const view = new DataView(cookie.buffer, cookie.byteOffset, cookie.byteLength)
    const settings: Settings = {
      frameSamples: view.getUint32(0),
      bits: view.getUint8(5),
      historyFactor: view.getUint8(6),
      firstMean: view.getUint8(7),
      maxParameter: view.getUint8(8),
      channels: view.getUint8(9),
      sampleRate: view.getUint32(20),
    }
    const { frameSamples, bits, channels, maxParameter } = settings
    const isValid =
      frameSamples >= 1 && frameSamples <= MAX_FRAME_SAMPLES && [16, 20, 24, 32].includes(bits) && channels >= 1
    if (!isValid || channels > MAX_CHANNELS || maxParameter > 24) throw new Error('The ALAC settings are not valid')
    this.#settings = settings
    this.#residuals = new Int32Array(frameSamples)
    this.#mixed = [new Int32Array(frameSamples), new Int32Array(frameSamples)]
    this.#shifted = [new Int32Array(frameSamples), new Int32Array(frameSamples)]
  }

  /** Decodes a frame. Undefined when it is damaged. */
  decode(frame: Uint8Array): DecodedFrame | undefined {
    try {
      return { channels: this.#decodeElements(new BitReader(frame)), sample_rate: this.#settings.sampleRate }
    } catch (error) {
      if (error instanceof DamagedFrame) return undefined
      throw error
    }
  }

  #decodeElements(bits: BitReader): Float32Array[] {
    const channels: Float32Array[] = []
    for (;;) {
      const element = bits.read(3)
      if (element === END) break
      if (element === SINGLE_CHANNEL || element === LOW_FREQUENCY) channels.push(...this.#decodeChannels(bits, 1))
      else if (element === CHANNEL_PAIR) channels.push(...this.#decodeChannels(bits, 2))
      else if (element === DATA) skipData(bits)
      else if (element === FILL) skipFill(bits)
      else throw new DamagedFrame('The frame has an unknown element')
      if (channels.length > this.#settings.channels) throw new DamagedFrame('The frame has too many channels')
    }
    bits.align()
    const isComplete = channels.length === this.#settings.channels
    const hasSameLength = channels.every(({ length }) => length === channels[0]!.length)
    if (!isComplete || !hasSameLength || bits.remaining >= 8) throw new DamagedFrame('The frame has a wrong length')
    return channels
  }

  #decodeChannels(reader: BitReader, count: 1 | 2): Float32Array[] {
    const { frameSamples, bits } = this.#settings
    reader.skip(4)
    if (reader.read(12) !== 0) throw new DamagedFrame('The frame has unknown flags')
    const isPartial = reader.read(1) === 1
    const shift = reader.read(2) * 8
    const isVerbatim = reader.read(1) === 1
    const samples = isPartial ? reader.read(32) : frameSamples
    if (samples > frameSamples || samples === 0 || shift >= Math.min(bits, 24)) {
      throw new DamagedFrame('The frame has a wrong length')
    }
    const first = this.#mixed[0].subarray(0, samples)
    const second = this.#mixed[1].subarray(0, samples)
    const targets = count === 1 ? [first] : [first, second]
    if (isVerbatim) {
      for (let i = 0; i < samples; i++) for (const target of targets) target[i] = reader.readSigned(bits)
      return this.#toFloat(targets)
    }
    // A pair has one more bit, for the difference of its channels.
    const channelBits = bits - shift + count - 1
    const mixBits = reader.read(8)
    const mixFactor = reader.readSigned(8)
    const predictors = targets.map(() => readPredictor(reader))
    if (shift > 0) {
      for (let i = 0; i < samples; i++) for (let n = 0; n < count; n++) this.#shifted[n]![i] = reader.read(shift)
    }
    targets.forEach((target, n) => {
      const residuals = this.#residuals.subarray(0, samples)
      const predictor = predictors[n]!
      this.#readResiduals(reader, residuals, predictor.historyFactor, channelBits)
      if (predictor.mode !== 0) addDifferences(residuals, channelBits)
      predict(residuals, target, predictor, channelBits)
    })
    if (count === 2 && mixFactor !== 0) unmix(first, second, mixBits, mixFactor)
    if (shift > 0) {
      targets.forEach((target, n) => {
        const low = this.#shifted[n]!
        for (let i = 0; i < samples; i++) target[i] = (target[i]! << shift) | low[i]!
      })
    }
    return this.#toFloat(targets)
  }

  #toFloat(channels: readonly Int32Array[]): Float32Array[] {
    const scale = 2 ** (1 - this.#settings.bits)
    return channels.map((samples) => {
      const floats = new Float32Array(samples.length)
      for (let i = 0; i < floats.length; i++) floats[i] = samples[i]! * scale
      return floats
    })
  }

  /** Adaptive Golomb code (ag_dec.c): differences to the prediction, and runs of zeros. */
  #readResiduals(reader: BitReader, residuals: Int32Array, historyFactor: number, bits: number): void {
    const { firstMean, maxParameter } = this.#settings
    const factor = Math.floor((this.#settings.historyFactor * historyFactor) / 4)
    const runMask = (1 << maxParameter) - 1
    let mean = firstMean
    let isAfterRun = 0
    for (let at = 0; at < residuals.length; ) {
      const parameter = Math.min(31 - Math.clz32((mean >>> MEAN_SHIFT) + 3), maxParameter)
      const coded = readGolomb(reader, parameter, (1 << parameter) - 1, bits)
      const value = coded + isAfterRun
      residuals[at++] = (value >>> 1) ^ -(value & 1)
      mean = coded > MAX_MEAN ? MAX_MEAN : factor * value + mean - ((factor * mean) >>> MEAN_SHIFT)
      isAfterRun = 0
      if (mean * 4 >= 1 << MEAN_SHIFT || at >= residuals.length) continue
      const runParameter = Math.clz32(mean) - 24 + ((mean + 16) >> 6)
      const run = readGolomb(reader, runParameter, ((1 << runParameter) - 1) & runMask, ZERO_RUN_BITS)
      if (at + run > residuals.length) throw new DamagedFrame('The frame has too many zeros')
      residuals.fill(0, at, at + run)
      at += run
      isAfterRun = run >= MAX_MEAN ? 0 : 1
      mean = 0
    }
  }
}

function readGolomb(reader: BitReader, parameter: number, multiplier: number, longBits: number): number {
  const ones = reader.readOnes()
  if (ones >= MAX_PREFIX) return reader.read(longBits)
  if (parameter <= 1) return ones * multiplier
  const rest = reader.read(parameter)
  if (rest >= 2) return ones * multiplier + rest - 1
  // Values 0 and 1 are one bit shorter.
  reader.position -= 1
  return ones * multiplier
}

function readPredictor(reader: BitReader): Predictor {
  const mode = reader.read(4)
  const shift = reader.read(4)
  const historyFactor = reader.read(3)
  const coefficients = Int16Array.from({ length: reader.read(5) }, () => reader.readSigned(16))
  return { mode, shift, historyFactor, coefficients }
}

/** Sums up differences, wrapped to the bits of a channel. */
function addDifferences(samples: Int32Array, bits: number): void {
  const wrap = 32 - bits
  for (let i = 1; i < samples.length; i++) samples[i] = ((samples[i]! + samples[i - 1]!) << wrap) >> wrap
}

/** Adds the residuals to a prediction whose coefficients adapt to the sign of each residual (dp_dec.c). */
function predict(residuals: Int32Array, output: Int32Array, { shift, coefficients }: Predictor, bits: number): void {
  const count = coefficients.length
  output.set(residuals)
  if (count === 0) return
  if (count === DIFFERENCE) {
    addDifferences(output, bits)
    return
  }
  const wrap = 32 - bits
  const half = shift > 0 ? 1 << (shift - 1) : 0
  const length = residuals.length
  for (let i = 1; i <= count && i < length; i++) output[i] = ((residuals[i]! + output[i - 1]!) << wrap) >> wrap
  for (let i = count + 1; i < length; i++) {
    const base = output[i - count - 1]!
    let sum = 0
    for (let k = 0; k < count; k++) sum = (sum + Math.imul(coefficients[k]!, output[i - 1 - k]! - base)) | 0
    let residual = residuals[i]!
    output[i] = ((residual + base + ((sum + half) >> shift)) << wrap) >> wrap
    const direction = Math.sign(residual)
    for (let k = count - 1; k >= 0 && residual * direction > 0; k--) {
      const difference = base - output[i - 1 - k]!
      const sign = Math.sign(difference) * direction
      coefficients[k]! -= sign
      residual -= Math.imul(count - k, Math.imul(sign, difference) >> shift)
    }
  }
}

/** Turns the mixed channels of a pair back into left and right (matrix_dec.c). */
function unmix(first: Int32Array, second: Int32Array, mixBits: number, mixFactor: number): void {
  for (let i = 0; i < first.length; i++) {
    const difference = second[i]!
    const left = first[i]! + difference - ((mixFactor * difference) >> mixBits)
    first[i] = left
    second[i] = left - difference
  }
}

function skipData(bits: BitReader): void {
  bits.skip(4)
  const isAligned = bits.read(1) === 1
  const count = bits.read(8)
  const total = count === 255 ? count + bits.read(8) : count
  if (isAligned) bits.align()
  bits.skip(total * 8)
}

function skipFill(bits: BitReader): void {
  const count = bits.read(4)
  bits.skip(8 * (count === 15 ? count + bits.read(8) - 1 : count))
}
