import { type Id3Frame, readId3Frames } from './id3-frames.ts'
import { decodeText } from './id3-text.ts'
import type { PreservedFrame, PreservedTags } from './payload.ts'
import type { createTagBudget } from './tag-budget.ts'

/**
 * The only parts of an uploaded file's metadata that its downloads carry. Everything else is dropped, because it can
 * hold private data (a buyer's name, ratings with an email address, another DJ's cue points) or contradict the tags
 * that the pool writes itself. The lists contain the recording's credits and what a decoder needs to play the file.
 */

/** Composer, lyricist, conductor, copyright and language, as ID3v2.3 frame ids. */
export const ALLOWED_FRAMES: ReadonlySet<string> = new Set(['TCOM', 'TEXT', 'TPE3', 'TCOP', 'TLAN'])

/** The same credits as Vorbis comment names. */
const ALLOWED_COMMENTS: ReadonlySet<string> = new Set(['COMPOSER', 'LYRICIST', 'CONDUCTOR', 'COPYRIGHT', 'LANGUAGE'])

/** STREAMINFO and SEEKTABLE of RFC 9639 section 8.1. */
export const ALLOWED_BLOCKS: ReadonlySet<number> = new Set([0, 3])

/**
 * Chunks of a WAV or AIFF that are preserved besides the audio: the sample format, its sample count and AIFF-C's
 * version.
 */
export const ALLOWED_CHUNKS = {
  wav: new Set(['fmt ', 'fact']),
  aiff: new Set(['COMM', 'FVER']),
} as const satisfies Record<string, ReadonlySet<string>>

const MAX_CREDIT_LENGTH = 500
/** Pools and shops put advertisements into credit fields, and an email address is private. */
const CONTACT = /@|:\/\/|\bwww\.|\w\.(com|net|org|info|biz|io|co|dj|fm|me|tv|cc|ru|de|uk)\b/i

const isCredit = (text: string): boolean => text.length <= MAX_CREDIT_LENGTH && !CONTACT.test(text)

const isAllowedFrame = ({ id, bytes }: Id3Frame): boolean =>
  ALLOWED_FRAMES.has(id) && isCredit(decodeText(bytes[0] ?? 0, bytes.subarray(1)))

/** Returns the credits of an ID3v2 tag. */
export function readAllowedFrames(tag: Buffer, limit: ReturnType<typeof createTagBudget>): PreservedFrame[] {
  return readId3Frames(tag)
    .filter((frame) => isAllowedFrame(frame) && limit.fits(frame.bytes.length))
    .map(({ id, bytes }) => ({ id, bytes: bytes.toString('base64') }))
}

/** Returns whether a Vorbis comment ('NAME=value') is a credit. */
export function isAllowedComment(comment: string): boolean {
  const separator = comment.indexOf('=')
  return ALLOWED_COMMENTS.has(comment.slice(0, separator).toUpperCase()) && isCredit(comment.slice(separator + 1))
}

const onlyAllowedFrames = (frames: PreservedFrame[]): PreservedFrame[] =>
  frames.filter(({ id, bytes }) => isAllowedFrame({ id, bytes: Buffer.from(bytes, 'base64') }))

/** Applies the lists to tags that an earlier release stored with a file. */
export function onlyAllowed(preserved: PreservedTags): PreservedTags {
  switch (preserved.kind) {
    case 'as_is':
      return preserved
    case 'flac':
      return {
        kind: 'flac',
        blocks: preserved.blocks.filter(({ type }) => ALLOWED_BLOCKS.has(type)),
        comments: preserved.comments.filter(isAllowedComment),
      }
    default:
      return { ...preserved, frames: onlyAllowedFrames(preserved.frames) }
  }
}
