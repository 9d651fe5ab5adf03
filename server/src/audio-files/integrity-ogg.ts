import { type Fault, faultAt, formatPosition } from './faults.ts'
import type { FileWindow } from './file-window.ts'
import { MAX_SAMPLE_RATE, MIN_SAMPLE_RATE } from './integrity-pcm.ts'
import {
  findOggHeaders,
  hasValidChecksum,
  MAX_HEAD_BYTES,
  MAX_PAGE_BYTES,
  type OggHeaders,
  type OggPage,
  readOggPage,
} from './ogg-pages.ts'
import type { Speaker } from './speakers.ts'

/** How an Opus stream is decoded (RFC 7845, section 5.1). */
type OpusSettings = {
  /** Samples at the start that are not played, at 48 kHz. */
  pre_skip: number
  /** The factor of all samples. */
  gain: number
  streams: number
  coupled_streams: number
  mapping: number[]
}

type OggStream = {
  faults: Fault[]
  serial: number
  /** The pages with audio. */
  from: number
  to: number
  sample_rate: number
  channels: number
  speakers: readonly Speaker[]
  /** As the last page states it, without what is not played. */
  total_samples: number
  opus?: OpusSettings
  duration_seconds: number
  is_decodable: boolean
}

/** 'ogg' is Vorbis. */
export type OggStructure = ({ format: 'ogg' } & OggStream) | ({ format: 'opus' } & OggStream)

/** Vorbis I specification, 4.3.9; Opus has the same order (RFC 7845, 5.1.1.2). */
const SPEAKERS: Record<number, readonly Speaker[]> = {
  3: ['FL', 'FC', 'FR'],
  4: ['FL', 'FR', 'BL', 'BR'],
  5: ['FL', 'FC', 'FR', 'BL', 'BR'],
  6: ['FL', 'FC', 'FR', 'BL', 'BR', 'LFE'],
  7: ['FL', 'FC', 'FR', 'SL', 'SR', 'BC', 'LFE'],
  8: ['FL', 'FC', 'FR', 'SL', 'SR', 'BL', 'BR', 'LFE'],
}

const OPUS_RATE = 48_000

const unusable = (format: 'ogg' | 'opus', fault: Fault): OggStructure => ({
  ...{ format, faults: [fault], serial: 0, from: 0, to: 0, sample_rate: 0, channels: 0, speakers: [] },
  ...{ total_samples: 0, duration_seconds: 0, is_decodable: false },
})

/**
 * Reads all pages of an Ogg file with Vorbis or Opus and compares their checksums. Faults: truncated, frame_checksum,
 * lost_sync, second_file, undecodable, unsupported_format, unsupported_pcm.
 */
export function inspectOgg(file: FileWindow): OggStructure {
  const headers = readHeaders(file)
  if (!headers) return unusable('ogg', headerFault(file))
  const { format, serial, audioStart } = headers
  const settings = format === 'opus' ? readOpusHead(headers.packets[0]!) : readVorbisHead(headers.packets[0]!)
  if (!settings) return unusable(format, { code: 'undecodable', message: 'The Ogg header can’t be read.' })
  const { sample_rate, channels, opus } = settings
  if (sample_rate < MIN_SAMPLE_RATE || sample_rate > MAX_SAMPLE_RATE || channels < 1 || channels > 8) {
    const message = `This audio format isn’t supported: ${channels} channels, ${sample_rate} Hz.`
    return unusable(format, { code: 'unsupported_pcm', message })
  }
  const preSkip = opus?.pre_skip ?? 0
  const walk = walkPages(file, headers, (granule) => Math.max(0, granule - preSkip) / sample_rate)
  const total = Math.max(0, walk.granule - preSkip)
  return {
    ...{ format, faults: walk.faults, serial, from: audioStart, to: walk.end, sample_rate, channels },
    speakers: SPEAKERS[channels] ?? [],
    total_samples: total,
    ...(opus && { opus }),
    duration_seconds: total / sample_rate,
    is_decodable: walk.end > audioStart,
  }
}

function readHeaders(file: FileWindow): OggHeaders | undefined {
  const search = findOggHeaders()
  let step = search.next(Buffer.alloc(0))
  while (!step.done) step = search.next(file.bytesUpTo(step.value.at, step.value.length))
  return step.value
}

const OTHER_CODECS: [mark: string, name: string][] = [
  ['\x7fFLAC', 'FLAC'],
  ['Speex', 'Speex'],
  ['\x80theora', 'video'],
  ['fishead', 'several streams'],
]

function headerFault(file: FileWindow): Fault {
  const page = readOggPage(file.bytesUpTo(0, MAX_HEAD_BYTES))
  const start = page ? file.text(page.headBytes, Math.min(8, page.bodyBytes)) : ''
  const other = OTHER_CODECS.find(([mark]) => start.startsWith(mark))
  if (other) {
    const message = `This Ogg file contains ${other[1]}. Convert it to MP3, WAV, FLAC or AIFF.`
    return { code: 'unsupported_format', message }
  }
  if ((start.startsWith('\x01vorbis') || start === 'OpusHead') && !hasSecondPage(file, page)) {
    return faultAt(0, 'truncated', 'The file ends inside its header and contains no audio.')
  }
  return { code: 'undecodable', message: 'The Ogg header can’t be read.' }
}

const hasSecondPage = (file: FileWindow, page: OggPage | undefined): boolean =>
  page !== undefined && page.headBytes + page.bodyBytes + MAX_PAGE_BYTES < file.size

type HeadSettings = { sample_rate: number; channels: number; opus?: OpusSettings }

/** Vorbis I specification, 4.2.2. */
function readVorbisHead(packet: Buffer): HeadSettings | undefined {
  if (packet.length < 30 || packet.readUInt32LE(7) !== 0) return undefined
  return { channels: packet[11]!, sample_rate: packet.readUInt32LE(12) }
}

function readOpusHead(packet: Buffer): HeadSettings | undefined {
  if (packet.length < 19 || packet[8]! > 15) return undefined
  const channels = packet[9]!
  const family = packet[18]!
  const hasTable = family !== 0
  if (hasTable ? packet.length < 21 + channels : channels > 2) return undefined
  const opus = {
    pre_skip: packet.readUInt16LE(10),
    gain: 10 ** (packet.readInt16LE(16) / (20 * 256)),
    streams: hasTable ? packet[19]! : 1,
    coupled_streams: hasTable ? packet[20]! : channels - 1,
    mapping: hasTable ? [...packet.subarray(21, 21 + channels)] : channels === 2 ? [0, 1] : [0],
  }
  const { streams, coupled_streams, mapping } = opus
  const isValid =
    streams >= 1 && coupled_streams <= streams && mapping.every((n) => n < streams + coupled_streams || n === 255)
  return isValid ? { channels, sample_rate: OPUS_RATE, opus } : undefined
}

type PageWalk = { faults: Fault[]; end: number; granule: number }

/** Reads the pages with audio to the end of the file or of the stream. */
function walkPages(file: FileWindow, headers: OggHeaders, secondsAt: (granule: number) => number): PageWalk {
  let granule = 0
  let end = headers.audioStart
  let sequence = headers.pages
  let badPages = 0
  let hasEnded = false
  const faults = new Map<string, Fault>()
  const add = (code: string, describe: (position: string) => string) => {
    const seconds = secondsAt(granule)
    if (!faults.has(code)) faults.set(code, faultAt(seconds, code, describe(formatPosition(seconds))))
  }
  const lostSync = (position: string) => `The Ogg file is damaged at ${position}: a part is missing or was overwritten.`
  for (let at = headers.audioStart; at < file.size; ) {
    const page = readOggPage(file.bytesUpTo(at, MAX_HEAD_BYTES))
    const length = page ? page.headBytes + page.bodyBytes : 0
    const bytes = page && file.bytes(at, length)
    if (page && !bytes) break
    if (!page || !bytes) {
      const next = findNextPage(file, at + 1)
      if (next < 0) break
      add('lost_sync', lostSync)
      at = next
      continue
    }
    if (page.isFirst && hasEnded) {
      add('second_file', (position) => `A second stream starts at ${position}: two files were joined.`)
      break
    }
    if (page.serial !== headers.serial) {
      add('unsupported_format', () => 'This Ogg file contains several streams. Convert it to MP3, WAV, FLAC or AIFF.')
      break
    }
    if (!hasValidChecksum(bytes)) {
      badPages++
      add('frame_checksum', (position) => `The Ogg file is damaged at ${position}: a checksum doesn’t match.`)
    } else if (page.sequence !== sequence && badPages === 0) add('lost_sync', lostSync)
    sequence = page.sequence + 1
    granule = Math.max(granule, Math.min(page.granule ?? 0, Number.MAX_SAFE_INTEGER))
    hasEnded ||= page.isLast
    at += length
    end = at
  }
  if (!hasEnded) add('truncated', (position) => `The file is cut off at ${position}: its end is missing.`)
  return { faults: [...faults.values()], end, granule }
}

/** Position of the next page head, or −1. */
function findNextPage(file: FileWindow, from: number): number {
  for (let at = file.indexOf(0x4f, from, file.size); at >= 0; at = file.indexOf(0x4f, at + 1, file.size)) {
    if (readOggPage(file.bytesUpTo(at, MAX_HEAD_BYTES))) return at
  }
  return -1
}
