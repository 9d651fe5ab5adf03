import { readAllowedFrames, readComment } from './allowed-tags.ts'
import { ID3_HEAD_BYTES, readId3Head } from './id3-frames.ts'
import { findMp3Frames } from './mp3-range.ts'
import { readMp3Timing } from './mp3-timing.ts'
import type { OriginalFile } from './original-file.ts'
import type { ParsedPayload, PreservedFrame } from './payload.ts'
import { createTagBudget } from './tag-budget.ts'
import { findTailStart } from './tail-tags.ts'

/** How much of a tag is read; everything after it is dropped. */
const READ_LIMIT_BYTES = 32 * 1024 * 1024
/** Longer than any frame that can have an info tag. */
const INFO_FRAME_BYTES = 2048
/** Limits a file made of nothing but small tags, which would otherwise take minutes to read. */
const MAX_TAGS = 50

/**
 * Returns the MPEG frames of an MP3 file, without anything before the first or after the last. Null when there are
 * none.
 */
export async function findMp3Payload(file: OriginalFile): Promise<ParsedPayload> {
  const limit = createTagBudget()
  const frames: PreservedFrame[] = []
  let comment: string | undefined
  const start = await skipId3Tags(file, (tag) => {
    frames.push(...readAllowedFrames(tag, limit))
    comment ??= readComment(tag, limit)
  })
  const end = await findTailStart(file, start)
  if (start >= end) return null
  const range = await findMp3Frames(file, start, end)
  const timing = readMp3Timing(await file.read(range.start, INFO_FRAME_BYTES))
  return { ranges: [range], kept: { kind: 'mp3', frames, ...timing, ...(comment ? { comment } : {}) } }
}

/** Returns where the leading ID3v2 tags end; there may be several. Passes each to `visit`, up to a limit. */
export async function skipId3Tags(file: OriginalFile, visit: (tag: Buffer) => void): Promise<number> {
  let at = 0
  for (let count = 0; count < MAX_TAGS; count++) {
    const head = readId3Head(await file.read(at, ID3_HEAD_BYTES))
    if (!head) break
    visit(await file.read(at, Math.min(head.length, READ_LIMIT_BYTES)))
    at += head.length
  }
  return at
}
