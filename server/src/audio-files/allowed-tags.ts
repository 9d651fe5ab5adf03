import { type Id3Frame, readId3Frames, readRawFrames } from './id3-frames.ts'
import { decodeText, encodeStrings, splitDescribed } from './id3-text.ts'
import { legacyTextsOf } from './legacy-texts.ts'
import type { PreservedFrame, PreservedTags } from './payload.ts'
import type { createTagBudget } from './tag-budget.ts'
import { decodeAs, detectEncoding, hasHighBytes, type TextEncoding } from './text-encoding.ts'

/**
 * The only parts of an uploaded file's metadata that its downloads carry. Everything else is dropped, because it can
 * hold private data (a buyer's name, ratings with an email address, another DJ's cue points) or contradict the tags
 * that the pool writes itself. The lists contain the recording's credits, its comment and what a decoder needs to play
 * the file.
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

const MAX_TEXT_LENGTH = 500
/** Pools and shops put advertisements into credits and comments, and an email address is private. */
const CONTACT = /@|:\/\/|\bwww\.|\w\.(com|net|org|info|biz|io|co|dj|fm|me|tv|cc|ru|de|uk)\b/i

/** Shops name the buyer in the comment. */
const PURCHASE = /\b(purchase[dr]?|bought|licen[cs]ed (to|for)|order (no|number|id)|buyer|owner)\b/i
/** Values of iTunes ('00000A2B 00000B1C …'), which some programs write without their description. */
const MACHINE_DATA = /^[0-9A-F]{8}\b|^\d$/i

const isCredit = (text: string): boolean => text.length <= MAX_TEXT_LENGTH && !CONTACT.test(text)

const isNote = (text: string): boolean =>
  text.trim() !== '' && isCredit(text) && !PURCHASE.test(text) && !MACHINE_DATA.test(text.trim())

const isAllowedFrame = ({ id, bytes }: Id3Frame): boolean =>
  ALLOWED_FRAMES.has(id) && isCredit(decodeText(bytes[0] ?? 0, bytes.subarray(1)))

/** Returns the credits of an ID3v2 tag. Texts declared as Latin-1 in another encoding are converted to Unicode. */
export function readAllowedFrames(tag: Buffer, limit: TagBudget): PreservedFrame[] {
  const encoding = detectEncoding(legacyTextsOf(tag))
  return readId3Frames(tag)
    .map((frame) => (ALLOWED_FRAMES.has(frame.id) ? toUnicode(frame, encoding) : frame))
    .filter((frame) => isAllowedFrame(frame) && limit.fits(frame.bytes.length))
    .map(({ id, bytes }) => ({ id, bytes: bytes.toString('base64') }))
}

type TagBudget = ReturnType<typeof createTagBudget>

function toUnicode(frame: Id3Frame, encoding: TextEncoding): Id3Frame {
  if (encoding === 'western' || frame.bytes[0] !== 0 || !hasHighBytes(frame.bytes)) return frame
  const text = encodeStrings([decodeAs(encoding, frame.bytes.subarray(1))])
  return { id: frame.id, bytes: Buffer.concat([text.encoding, ...text.parts]) }
}

const LANGUAGE_BYTES = 3

/** Returns the comment that DJ software shows: the one without a description. */
export function readComment(tag: Buffer, limit: TagBudget): string | undefined {
  const encoding = detectEncoding(legacyTextsOf(tag))
  for (const { id, bytes } of readRawFrames(tag)) {
    if (!/^COMM?$/.test(id) || bytes.length <= 1 + LANGUAGE_BYTES) continue
    const declared = bytes[0] ?? 0
    const { description, text } = splitDescribed(declared, bytes.subarray(1 + LANGUAGE_BYTES))
    if (decodeText(declared, description) !== '') continue
    const comment = declared === 0 ? decodeAs(encoding, text) : decodeText(declared, text)
    if (isNote(comment) && limit.fits(text.length)) return comment.trim()
  }
  return undefined
}

/** Returns the comment among Vorbis comments; some programs write it as the description. */
export function findVorbisComment(comments: readonly string[]): string | undefined {
  const textOf = (name: string) =>
    comments.find((comment) => comment.toUpperCase().startsWith(`${name}=`))?.slice(name.length + 1)
  return [textOf('COMMENT'), textOf('DESCRIPTION')].find((text) => text !== undefined && isNote(text))?.trim()
}

/** Returns the text if it may be passed on as the comment of a file. */
export const allowedNote = (text: string): string | undefined => (isNote(text) ? text.trim() : undefined)

/** Returns whether a Vorbis comment ('NAME=value') is a credit. */
export function isAllowedComment(comment: string): boolean {
  const separator = comment.indexOf('=')
  return ALLOWED_COMMENTS.has(comment.slice(0, separator).toUpperCase()) && isCredit(comment.slice(separator + 1))
}

const onlyAllowedFrames = (frames: PreservedFrame[]): PreservedFrame[] =>
  frames.filter(({ id, bytes }) => isAllowedFrame({ id, bytes: Buffer.from(bytes, 'base64') }))

/** Applies the lists to tags that an earlier release stored with a file. */
export function onlyAllowed(preserved: PreservedTags): PreservedTags {
  if (preserved.kind === 'as_is') return preserved
  const { comment: stored, ...others } = preserved
  const note = stored === undefined ? undefined : allowedNote(stored)
  const comment = note === undefined ? {} : { comment: note }
  if (others.kind === 'm4a' || others.kind === 'ogg')
    return { ...others, comments: others.comments.filter(isAllowedComment), ...comment }
  if (others.kind !== 'flac') return { ...others, frames: onlyAllowedFrames(others.frames), ...comment }
  const blocks = others.blocks.filter(({ type }) => ALLOWED_BLOCKS.has(type))
  return { kind: 'flac', blocks, comments: others.comments.filter(isAllowedComment), ...comment }
}
