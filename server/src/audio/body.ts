import type { AudioFormat } from './analysis.ts'
import { findAiffBody, findWavBody } from './body-chunks.ts'
import { findFlacBody } from './body-flac.ts'
import { findMp3Body } from './body-mp3.ts'
import { type OriginalFile, withOriginal } from './original-file.ts'

/** A stretch of the original that every download carries unchanged; `end` is exclusive. */
export type BodyRange = {
  start: number
  end: number
  crc32: number
  /** Base64 of bytes sent just before the range, in place of a chunk head whose size field was wrong. */
  lead?: string
}

/** An ID3v2.3 frame: its id and, base64, its content without the ten-byte frame head. */
export type KeptFrame = { id: string; bytes: string }

/** The credits in the original's tags that downloads carry beside the fresh tags (see allowed-tags.ts). */
export type KeptTags =
  | { kind: 'mp3'; frames: KeptFrame[] }
  | { kind: 'wav'; frames: KeptFrame[] }
  | { kind: 'aiff'; form: 'AIFF' | 'AIFC'; frames: KeptFrame[] }
  | { kind: 'flac'; blocks: { type: number; bytes: string }[]; comments: string[] }
  /** Nothing can be added safely: the download is the file as it came in. */
  | { kind: 'as_is' }

/**
 * What a download takes from the original: the byte ranges of the sound, each with its checksum, and its credits.
 * Plain JSON, stored at import, so sizes and checksums of downloads are arithmetic and no audio is read for them.
 */
export type AudioBody = { format: AudioFormat; ranges: BodyRange[]; kept: KeptTags }

/** Raised whenever the same file would give another body, so that stored bodies are read again (see body-renewal.ts). */
export const BODY_VERSION = 2

/** The sound alone, whatever tags stand around it: the same for files with the very same music. */
export const soundOf = ({ format, ranges }: Pick<AudioBody, 'format' | 'ranges'>): string =>
  [format, ...ranges.map(({ start, end, crc32 }) => `${end - start}:${crc32}`)].join(' ')

/** What a format's reader finds; the checksums are added here. `null` means the structure is not to be touched. */
export type FoundBody = { ranges: Omit<BodyRange, 'crc32'>[]; kept: KeptTags } | null

const finders: Record<AudioFormat, (file: OriginalFile) => Promise<FoundBody>> = {
  mp3: findMp3Body,
  wav: findWavBody,
  flac: findFlacBody,
  aiff: findAiffBody,
}

/**
 * Reads the body of an audio file whose format is known by its content. Reads the file once, in blocks.
 * A file that is not what `format` says gives a body of kind `as_is`; only a failing disk throws.
 */
export async function readBody(path: string, format: AudioFormat): Promise<AudioBody> {
  return withOriginal(path, async (file) => {
    const whole: FoundBody = { ranges: [{ start: 0, end: file.size }], kept: { kind: 'as_is' } }
    const found = (await finders[format](file)) ?? whole
    const ranges: BodyRange[] = []
    for (const range of found.ranges) {
      ranges.push({ ...range, crc32: await file.checksum(range.start, range.end) })
    }
    return { format, ranges, kept: found.kept }
  })
}
