import type { AudioFormat } from './faults.ts'
import type { Mp3Timing } from './mp3-timing.ts'
import { type OriginalFile, withOriginal } from './original-file.ts'
import { findAiffPayload, findWavPayload } from './payload-chunks.ts'
import { findFlacPayload } from './payload-flac.ts'
import { findM4aPayload } from './payload-m4a.ts'
import { findMp3Payload } from './payload-mp3.ts'
import { findOggPayload } from './payload-ogg.ts'

/** A range of the original that every download contains unchanged; `end` is exclusive. */
export type PayloadRange = {
  start: number
  end: number
  crc32: number
  /** Base64 of bytes sent just before the range, replacing a chunk header whose size field was wrong. */
  lead?: string
}

/** An ID3v2.3 frame: its id and its content in base64, without the ten-byte frame header. */
export type PreservedFrame = { id: string; bytes: string }

/** What a WAV with 64-bit sizes states about its audio; its chunk has the size 0xFFFFFFFF. */
export type LongSizes = { data_bytes: number; samples: number }

/** Written when the pool has no comment of its own. */
type PreservedComment = { comment?: string }

/** What a rewritten M4A takes from the original's index, each box in base64. */
export type PreservedM4a = {
  boxes: { ftyp?: string; mvhd: string; tkhd: string; edts?: string; mdhd: string }
  /** How many ranges, before those of the audio, are tables of the index. */
  table_ranges: number
  /** Base64 of the length of each chunk of audio, as big-endian numbers of 32 bits. */
  chunks: string
  /** iTunes' note on the encoder's priming, which players need to leave it out. */
  gapless?: string
  /** Only of a lossless file. */
  codec?: 'alac'
  comments: string[]
}

/** The headers of an Ogg file, its packets in base64. */
export type PreservedOgg = {
  codec: 'vorbis' | 'opus'
  serial: number
  /** How many pages the headers take. */
  pages: number
  identification: string
  /** Only in Vorbis. */
  codebooks?: string
  comments: string[]
}

/** The parts of the original's tags that downloads contain besides the new tags (see allowed-tags.ts). */
export type PreservedTags =
  | ({ kind: 'mp3'; frames: PreservedFrame[] } & Mp3Timing & PreservedComment)
  | ({ kind: 'wav'; frames: PreservedFrame[]; long?: LongSizes } & PreservedComment)
  | ({ kind: 'aiff'; form: 'AIFF' | 'AIFC'; frames: PreservedFrame[] } & PreservedComment)
  | ({ kind: 'flac'; blocks: { type: number; bytes: string }[]; comments: string[] } & PreservedComment)
  | ({ kind: 'm4a' } & PreservedM4a & PreservedComment)
  | ({ kind: 'ogg' } & PreservedOgg & PreservedComment)
  /** Nothing can be added safely: the download is the unchanged original. */
  | { kind: 'as_is' }

/**
 * What a download takes from the original: the byte ranges of the audio, each with its checksum, and its credits. Plain
 * JSON, stored at import, so that sizes and checksums of downloads can be computed without reading any audio.
 */
export type AudioPayload = { format: AudioFormat; ranges: PayloadRange[]; kept: PreservedTags }

/**
 * Raised whenever the same file would give another payload, so that stored payloads are read again (see
 * payload-refresh.ts).
 */
export const PAYLOAD_VERSION = 5

/** Identifies the audio alone, without tags: the same for files with exactly the same audio. */
export const audioSignature = ({ format, ranges }: Pick<AudioPayload, 'format' | 'ranges'>): string =>
  [format, ...ranges.map(({ start, end, crc32 }) => `${end - start}:${crc32}`)].join(' ')

/** What a format's reader finds; the checksums are added here. `null` means that the file must stay unchanged. */
export type ParsedPayload = { ranges: Omit<PayloadRange, 'crc32'>[]; kept: PreservedTags } | null

const payloadFinders: Record<AudioFormat, (file: OriginalFile) => Promise<ParsedPayload>> = {
  mp3: findMp3Payload,
  wav: findWavPayload,
  flac: findFlacPayload,
  aiff: findAiffPayload,
  m4a: findM4aPayload,
  ogg: findOggPayload,
  opus: findOggPayload,
}

/**
 * Reads the payload of an audio file whose format was detected by its content. Reads the file once, in blocks. A file
 * that is not what `format` says gives a payload of kind `as_is`; throws only when the disk fails.
 */
export async function readPayload(path: string, format: AudioFormat): Promise<AudioPayload> {
  return withOriginal(path, async (file) => {
    const entireFile: ParsedPayload = { ranges: [{ start: 0, end: file.size }], kept: { kind: 'as_is' } }
    const found = (await payloadFinders[format](file)) ?? entireFile
    const ranges: PayloadRange[] = []
    for (const range of found.ranges) {
      ranges.push({ ...range, crc32: await file.checksum(range.start, range.end) })
    }
    return { format, ranges, kept: found.kept }
  })
}
