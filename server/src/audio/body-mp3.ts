import type { FoundBody, KeptFrame } from './body.ts'
import { keepForeignFrames } from './foreign-frames.ts'
import { ID3_HEAD_BYTES, readId3Head } from './id3-frames.ts'
import { keepLimit } from './keep-limit.ts'
import type { OriginalFile } from './original-file.ts'
import { findTailStart } from './tail-tags.ts'

/** How much of a tag is looked at; what stands further in is dropped with the rest of the tag. */
const READ_LIMIT_BYTES = 32 * 1024 * 1024
/** A file made of nothing but small tags would otherwise keep the reader busy for minutes. */
const MAX_TAGS = 50

/** The MPEG audio of an MP3 file, without the tags at its head and its tail. Null when nothing is left between them. */
export async function findMp3Body(file: OriginalFile): Promise<FoundBody> {
  const limit = keepLimit()
  const frames: KeptFrame[] = []
  const start = await skipId3Tags(file, (tag) => {
    frames.push(...keepForeignFrames(tag, limit))
  })
  const end = await findTailStart(file, start)
  if (start >= end) return null
  return { ranges: [{ start, end }], kept: { kind: 'mp3', frames } }
}

/** Where the ID3v2 tags at the head end; there may be several. Each is shown to `visit`, up to a limit. */
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
