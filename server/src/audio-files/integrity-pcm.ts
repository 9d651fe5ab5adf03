import { sampleReader } from './decode-pcm.ts'
import { emptyFromMessage, type Fault, faultAt, formatPosition } from './faults.ts'
import type { FileWindow } from './file-window.ts'
import { type Speaker, speakersOfLayout, speakersOfMask } from './speakers.ts'

/** How the samples of a WAV or AIFF are stored in the file. */
export type PcmLayout = {
  channels: number
  sample_rate: number
  /** Bytes of one sample of one channel. */
  sample_bytes: number
  /** 8-bit WAV is unsigned, 8-bit AIFF is signed. */
  encoding: 'signed' | 'unsigned' | 'float'
  little_endian: boolean
  /** The positions of the channels; empty when the file does not state them. */
  speakers: readonly Speaker[]
  from: number
  bytes: number
}

export type PcmStructure = {
  format: 'wav' | 'aiff'
  faults: Fault[]
  layout?: PcmLayout
  duration_seconds: number
  is_decodable: boolean
}

type Chunk = { id: string; at: number; bytes: number }
type SampleFormat = Omit<PcmLayout, 'from' | 'bytes'> & { known: boolean; name: string }

const PCM = 1
const FLOAT = 3
const EXTENSIBLE = 0xfffe
const UNKNOWN_SIZE = 0xffff_ffff
/** Sample rates in Hz that are used for music; the measurements are designed for these. */
export const MIN_SAMPLE_RATE = 8000
export const MAX_SAMPLE_RATE = 384_000

/**
 * Iterates over the chunks of a RIFF or IFF file in order, with `at` after the eight header bytes. Ends at the first
 * invalid chunk.
 */
function* walkChunks(file: FileWindow, bigEndian: boolean): Generator<Chunk> {
  for (let position = 12; position + 8 <= file.size; ) {
    const head = file.bytes(position, 8)!
    const id = head.toString('latin1', 0, 4)
    if (!/^[\x20-\x7e]{4}$/.test(id)) return
    const bytes = bigEndian ? head.readUInt32BE(4) : head.readUInt32LE(4)
    yield { id, at: position + 8, bytes }
    position += 8 + bytes + (bytes & 1)
  }
}

/**
 * `fmt ` of a WAV (Microsoft RIFF specification); in the extensible form the real format tag is at the start of the
 * sub-format GUID.
 */
function readFmt(file: FileWindow, chunk: Chunk): SampleFormat | undefined {
  const fmt = file.bytesUpTo(chunk.at, Math.min(40, chunk.bytes))
  if (fmt.length < 16) return undefined
  const written = fmt.readUInt16LE(0)
  const tag = written === EXTENSIBLE && fmt.length >= 26 ? fmt.readUInt16LE(24) : written
  const channels = fmt.readUInt16LE(2)
  const bits = fmt.readUInt16LE(14)
  const sampleBytes = Math.ceil(bits / 8)
  return {
    channels,
    sample_rate: fmt.readUInt32LE(4),
    sample_bytes: sampleBytes,
    encoding: tag === FLOAT ? 'float' : sampleBytes === 1 ? 'unsigned' : 'signed',
    little_endian: true,
    speakers: written === EXTENSIBLE && fmt.length >= 24 ? speakersOfMask(fmt.readUInt32LE(20), channels) : [],
    known: tag === PCM || tag === FLOAT,
    name: `WAV format ${tag}`,
  }
}

const AIFC_FLOAT = /^(fl32|FL32|fl64|FL64)$/
const AIFC_PLAIN = /^(NONE|twos|sowt|in24|in32)$/

/** `COMM` of an AIFF or AIFF-C (Apple, 1991): the rate is an 80-bit extended float, 'sowt' is little-endian. */
function readComm(file: FileWindow, chunk: Chunk): SampleFormat | undefined {
  const form = file.text(8, 4)
  const comm = file.bytesUpTo(chunk.at, Math.min(22, chunk.bytes))
  if (comm.length < 18) return undefined
  const isAifc = form === 'AIFC' && comm.length >= 22
  const compression = isAifc ? comm.toString('latin1', 18, 22) : 'NONE'
  const exponent = (comm.readUInt16BE(8) & 0x7fff) - 16_383
  const isFloat = AIFC_FLOAT.test(compression)
  return {
    channels: comm.readUInt16BE(0),
    sample_rate: Math.round(comm.readUInt32BE(10) * 2 ** (exponent - 31)),
    sample_bytes: Math.ceil(comm.readUInt16BE(6) / 8),
    encoding: isFloat ? 'float' : 'signed',
    little_endian: compression === 'sowt',
    speakers: [],
    known: isFloat || AIFC_PLAIN.test(compression),
    name: `AIFF compression “${compression}”`,
  }
}

function unsupportedFault(format: SampleFormat): Fault | undefined {
  const sizes = format.encoding === 'float' ? [4, 8] : [1, 2, 3, 4]
  const isReadable = format.known && sizes.includes(format.sample_bytes)
  const hasValidChannelCount = format.channels >= 1 && format.channels <= 32
  const hasSupportedRate = format.sample_rate >= MIN_SAMPLE_RATE && format.sample_rate <= MAX_SAMPLE_RATE
  if (isReadable && hasValidChannelCount && hasSupportedRate) return undefined
  const what = format.known
    ? `${format.channels} channels, ${format.sample_bytes * 8}-bit, ${format.sample_rate} Hz`
    : format.name
  return { code: 'unsupported_pcm', message: `This audio format isn’t supported: ${what}.` }
}

const NO_SOUND_FAULT: Fault = { code: 'truncated', message: 'The file has a header but no audio.', at_seconds: 0 }

function truncatedFault(presentBytes: number, declaredBytes: number, seconds: number): Fault {
  const percent = Math.floor((1000 * presentBytes) / declaredBytes) / 10
  const message = `The file is cut off at ${formatPosition(seconds)}: it contains ${percent} % of the audio.`
  return faultAt(seconds, 'truncated', message)
}

/** The audio as declared by its chunk and as present in the file. */
type AudioData = { from: number; declaredBytes: number; presentBytes: number }

/** `data`: streaming programs write 0 or 0xFFFFFFFF as the size; RF64 (EBU Tech 3306) stores it in `ds64`. */
function readData(file: FileWindow, chunk: Chunk, ds64: number | undefined): AudioData {
  const rest = file.size - chunk.at
  const isStreamed = chunk.bytes === 0 || (chunk.bytes === UNKNOWN_SIZE && ds64 === undefined)
  const declaredBytes = isStreamed ? rest : chunk.bytes === UNKNOWN_SIZE ? ds64! : chunk.bytes
  return { from: chunk.at, declaredBytes, presentBytes: Math.min(declaredBytes, rest) }
}

/** `SSND`: eight bytes of offset and block size precede the samples. */
function readSsnd(file: FileWindow, chunk: Chunk): AudioData {
  const offset = file.bytes(chunk.at, 4)?.readUInt32BE(0) ?? 0
  const declaredBytes = Math.max(0, chunk.bytes - 8 - offset)
  const from = chunk.at + 8 + offset
  return { from, declaredBytes, presentBytes: Math.max(0, Math.min(declaredBytes, file.size - from)) }
}

function readWav(file: FileWindow): [SampleFormat | undefined, AudioData | undefined] {
  let format: SampleFormat | undefined
  let sound: AudioData | undefined
  let ds64: number | undefined
  for (const chunk of walkChunks(file, false)) {
    if (chunk.id === 'ds64') ds64 = Number(file.bytes(chunk.at + 8, 8)?.readBigUInt64LE(0) ?? 0)
    if (chunk.id === 'fmt ') format = readFmt(file, chunk)
    if (chunk.id === 'data' && !sound) sound = readData(file, chunk, ds64)
    if (sound && format) break
  }
  return [format, sound]
}

function readAiff(file: FileWindow): [SampleFormat | undefined, AudioData | undefined] {
  let format: SampleFormat | undefined
  let sound: AudioData | undefined
  let layout: Buffer | undefined
  for (const chunk of walkChunks(file, true)) {
    if (chunk.id === 'COMM') format = readComm(file, chunk)
    if (chunk.id === 'SSND') sound = readSsnd(file, chunk)
    if (chunk.id === 'CHAN') layout = file.copy(chunk.at, 8)
  }
  if (!format || !layout) return [format, sound]
  const speakers = speakersOfLayout(layout.readUInt32BE(0), layout.readUInt32BE(4), format.channels)
  return [{ ...format, speakers }, sound]
}

/**
 * The fault for data after the audio that is not a chunk: another file, or audio that the header does not count. Less
 * than a second is ignored.
 */
function leftOver(file: FileWindow, { declaredBytes, from }: AudioData, layout: PcmLayout): Fault | undefined {
  const next = from + declaredBytes + (declaredBytes & 1)
  const second = layout.sample_rate * layout.channels * layout.sample_bytes
  const rest = file.size - next
  if (rest < second) return undefined
  const at = declaredBytes / second
  const id = file.text(next, 4)
  if (/^(RIFF|RF64|FORM|fLaC|ID3)/.test(id)) {
    return faultAt(at, 'second_file', `A second file starts at ${formatPosition(at)}: two files were joined.`)
  }
  if (/^[\x20-\x7e]{4}$/.test(id) || file.isZero(next, file.size)) return undefined
  const message = `The header says ${formatPosition(at)}, but ${formatPosition(rest / second)} more audio follows.`
  return faultAt(at, 'header_count', message)
}

const MIN_EMPTY_SECONDS = 4
const MIN_EMPTY_SHARE = 0.25
const LAST_SOUND_SECONDS = 0.01
/** −40 dBFS: music that fades out falls below it before its end. */
const SOUND_THRESHOLD = 0.01

/**
 * Seconds of sound before the rest of the file is all zeros, starting abruptly in the sound: an incomplete download
 * whose space was reserved. Undefined for music that fades out and for a short silence at the end.
 */
function emptyFromSeconds(file: FileWindow, layout: PcmLayout): number | undefined {
  const frameBytes = layout.channels * layout.sample_bytes
  const soundEnd = file.lastNonZero(layout.from) + 1
  const soundBytes = Math.ceil((soundEnd - layout.from) / frameBytes) * frameBytes
  const seconds = (bytes: number) => bytes / frameBytes / layout.sample_rate
  const empty = layout.bytes - soundBytes
  if (seconds(empty) < MIN_EMPTY_SECONDS || empty < layout.bytes * MIN_EMPTY_SHARE) return undefined
  const lastBytes = Math.min(soundBytes, Math.round(LAST_SOUND_SECONDS * layout.sample_rate) * frameBytes)
  const last = file.bytesUpTo(layout.from + soundBytes - lastBytes, lastBytes)
  const read = sampleReader(layout)
  for (let at = 0; at + layout.sample_bytes <= last.length; at += layout.sample_bytes) {
    if (Math.abs(read(last, at)) > SOUND_THRESHOLD) return seconds(soundBytes)
  }
  return undefined
}

/** Reads the chunks of a WAV, RF64, AIFF or AIFF-C. Faults: truncated, unsupported_pcm, second_file, header_count. */
export function inspectPcm(file: FileWindow, format: 'wav' | 'aiff'): PcmStructure {
  const [samples, sound] = format === 'wav' ? readWav(file) : readAiff(file)
  const unsupportedFormat = samples && unsupportedFault(samples)
  if (unsupportedFormat) return { format, faults: [unsupportedFormat], duration_seconds: 0, is_decodable: false }
  if (!samples || !sound?.presentBytes)
    return { format, faults: [NO_SOUND_FAULT], duration_seconds: 0, is_decodable: false }
  const { known: _known, name: _name, ...rest } = samples
  const frameBytes = rest.channels * rest.sample_bytes
  const bytes = sound.presentBytes - (sound.presentBytes % frameBytes)
  const layout = { ...rest, from: sound.from, bytes }
  const seconds = bytes / frameBytes / rest.sample_rate
  const fault = faultOf(file, { format, sound, layout, seconds })
  return { format, faults: fault ? [fault] : [], layout, duration_seconds: seconds, is_decodable: true }
}

type PcmFile = { format: 'wav' | 'aiff'; sound: AudioData; layout: PcmLayout; seconds: number }

function faultOf(file: FileWindow, { format, sound, layout, seconds }: PcmFile): Fault | undefined {
  const formEnd = format === 'aiff' ? file.bytes(4, 4)!.readUInt32BE(0) + 8 : 0
  if (sound.presentBytes < sound.declaredBytes) return truncatedFault(sound.presentBytes, sound.declaredBytes, seconds)
  if (formEnd > file.size) return truncatedFault(file.size, formEnd, seconds)
  const empty = emptyFromSeconds(file, layout)
  if (empty !== undefined) return faultAt(empty, 'truncated', emptyFromMessage(empty))
  return leftOver(file, sound, layout)
}
