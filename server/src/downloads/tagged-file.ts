import { createHash } from 'node:crypto'
import { onlyAllowed } from '../audio-files/allowed-tags.ts'
import type { AudioPayload, PayloadRange } from '../audio-files/payload.ts'
import type { SeratoTrack } from '../booth/serato-tags.ts'
import { combineCrc32, crc32Of } from './crc32.ts'
import { type Segment, totalLength } from './segments.ts'
import { tagFlac } from './tagged-flac.ts'
import { tagM4a } from './tagged-m4a.ts'
import { tagMp3 } from './tagged-mp3.ts'
import { tagOgg } from './tagged-ogg.ts'
import { tagAiff, tagWav } from './tagged-riff.ts'

/** The tags of a download. The title includes the version; the gain is in dB, and a peak of 1.0 is full scale. */
export type Tags = {
  title: string
  artist: string
  album?: string
  /** The most specific first: some software shows only that one. */
  genres?: string[]
  year?: number
  bpm?: number
  song_key?: string
  /** Without one, the comment of the original is written. */
  comment?: string
  label?: string
  isrc?: string
  remixer?: string
  replaygain_db?: number
  replaygain_peak?: number
  /** 1 to 10. */
  energy?: number
  /** Beats and cues, written for Serato in MP3, FLAC, WAV and AIFF. */
  serato?: SeratoTrack
  picture?: Picture
}

export type Picture = { mime: 'image/jpeg' | 'image/png'; bytes: Buffer; width: number; height: number }

/**
 * A download before it is sent. `etag` is strong and includes its quotes; it changes with any byte of the file. It and
 * `crc32` are calculated when they are first read.
 */
export type TaggedFile = { segments: Segment[]; length: number; crc32: number; etag: string }

/** Fresh bytes, or a range of the original whose checksum is known. */
export type CheckedSegment = Buffer | PayloadRange

/** FLAC has 24 bits for the length of a picture's block. */
const MAX_PICTURE_BYTES = 0xff0000

/** Returns the file as members download it: new tags around the original audio. A pure function. */
export function tagFile(body: AudioPayload, tags: Tags): TaggedFile {
  const segments = arrangeSegments(body, withoutOversizedPicture(tags))
  let crc32: number | undefined
  let etag: string | undefined
  return {
    segments: segments.map((segment) =>
      Buffer.isBuffer(segment) ? segment : { start: segment.start, end: segment.end },
    ),
    length: totalLength(segments),
    // Only zips need the checksum, and only transfers the ETag.
    get crc32() {
      crc32 ??= checksum(segments)
      return crc32
    },
    get etag() {
      etag ??= etagOf(segments)
      return etag
    },
  }
}

/** Returns the ranges of the payload as segments, each after the chunk header it may need. */
function bodySegments(body: AudioPayload): CheckedSegment[] {
  return body.ranges.flatMap((range) => (range.lead ? [Buffer.from(range.lead, 'base64'), range] : [range]))
}

function arrangeSegments(body: AudioPayload, poolTags: Tags): CheckedSegment[] {
  const preserved = onlyAllowed(body.kept)
  const audioSegments = bodySegments(body)
  if (preserved.kind === 'as_is') return audioSegments
  const comment = poolTags.comment ?? preserved.comment
  const tags = comment === undefined ? poolTags : { ...poolTags, comment }
  switch (preserved.kind) {
    case 'mp3':
      return tagMp3(audioSegments, preserved, tags)
    case 'flac':
      return tagFlac(audioSegments, preserved, tags)
    case 'm4a':
      return tagM4a(audioSegments, preserved, tags)
    case 'ogg':
      return tagOgg(audioSegments, preserved, tags)
    case 'wav':
      return tagWav(audioSegments, preserved, tags)
    case 'aiff':
      return tagAiff(audioSegments, preserved, tags)
  }
}

function withoutOversizedPicture(tags: Tags): Tags {
  if (!tags.picture || tags.picture.bytes.length <= MAX_PICTURE_BYTES) return tags
  const { picture, ...others } = tags
  return others
}

function checksum(segments: CheckedSegment[]): number {
  let crc = 0
  for (const segment of segments) {
    crc = Buffer.isBuffer(segment)
      ? crc32Of(segment, crc)
      : combineCrc32(crc, segment.crc32, segment.end - segment.start)
  }
  return crc
}

/**
 * Hashes the fresh bytes, and the position and checksum of the original ranges: a resumed download must not mix two
 * tags.
 */
function etagOf(segments: CheckedSegment[]): string {
  const hash = createHash('sha256')
  for (const segment of segments) {
    if (Buffer.isBuffer(segment)) hash.update(`fresh ${segment.length}\n`).update(segment)
    else hash.update(`range ${segment.start} ${segment.end} ${segment.crc32}\n`)
  }
  return `"${hash.digest('base64url').slice(0, 27)}"`
}
