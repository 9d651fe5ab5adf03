import { type FrameHeader, isSameStream, parseFrameHeader } from './mp3-frame.ts'
import type { OriginalFile } from './original-file.ts'

const BLOCK_BYTES = 1 << 18
const SEARCH_BYTES = 1 << 20
const CHAIN_FRAMES = 4
const HEADER_BYTES = 4

type FrameRange = { start: number; end: number }

/** Reads frame headers from cached blocks, so that going through a long file needs few reads. */
class HeaderReader {
  readonly #file: OriginalFile
  readonly #end: number
  #block: Buffer = Buffer.alloc(0)
  #from = 0

  constructor(file: OriginalFile, end: number) {
    this.#file = file
    this.#end = end
  }

  async at(position: number): Promise<FrameHeader | undefined> {
    if (position + HEADER_BYTES > this.#end) return undefined
    if (position < this.#from || position + HEADER_BYTES > this.#from + this.#block.length) {
      this.#from = position
      this.#block = await this.#file.read(position, Math.min(BLOCK_BYTES, this.#end - position))
    }
    if (position + HEADER_BYTES > this.#from + this.#block.length) return undefined
    const header = parseFrameHeader(this.#block, position - this.#from)
    return header && header.bytes > 0 ? header : undefined
  }
}

/** A single header occurs by chance in any file; several that lead to each other do not. */
async function findChain(
  headers: HeaderReader,
  { start, end }: FrameRange,
  like?: FrameHeader,
): Promise<number | undefined> {
  for (let at = start; at < end; at++) {
    const first = await headers.at(at)
    if (!first || (like && !isSameStream(first, like))) continue
    let [position, count] = [at + first.bytes, 1]
    for (; count < CHAIN_FRAMES && position < end; count++) {
      const next = await headers.at(position)
      if (!next || !isSameStream(next, first)) break
      position += next.bytes
    }
    if (count === CHAIN_FRAMES || position >= end) return at
  }
  return undefined
}

/**
 * The range from the first MPEG frame between `start` and `end` to the end of the last one. Anything outside it is not
 * audio, for example an ID3v2 tag at the end of the file. Returns the whole range when no frames are found.
 */
export async function findMp3Frames(file: OriginalFile, start: number, end: number): Promise<FrameRange> {
  const headers = new HeaderReader(file, end)
  const first = await findChain(headers, { start, end: Math.min(end, start + SEARCH_BYTES) })
  const like = first === undefined ? undefined : await headers.at(first)
  if (first === undefined || !like) return { start, end }
  let last = first
  for (let at: number | undefined = first; at !== undefined; ) {
    const header = await headers.at(at)
    if (header && isSameStream(header, like)) {
      at += header.bytes
      last = at
    } else at = await findChain(headers, { start: at + 1, end }, like)
  }
  return { start: first, end: Math.min(last, end) }
}
