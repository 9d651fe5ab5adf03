import { findVorbisComment, isAllowedComment } from './allowed-tags.ts'
import { findOggHeaders, MAX_PAGE_BYTES, type OggHeaders, readOggPage } from './ogg-pages.ts'
import type { OriginalFile } from './original-file.ts'
import type { ParsedPayload } from './payload.ts'
import { readComments } from './payload-flac.ts'
import { createTagBudget } from './tag-budget.ts'

/** The identification and codebooks of a stream: a few kB in practice. Title and artist still fit on the same page. */
const MAX_PACKET_BYTES = 60_000

/** Returns the pages with audio of an Ogg file, and its headers. Null when it cannot be rewritten safely. */
export async function findOggPayload(file: OriginalFile): Promise<ParsedPayload> {
  const headers = await readHeaders(file)
  if (!headers) return null
  const { format, serial, pages, audioStart, packets } = headers
  const [identification, tags, codebooks] = packets
  if ([identification!, codebooks].some((packet) => packet && packet.length > MAX_PACKET_BYTES)) return null
  const end = await findLastPageEnd(file, audioStart)
  if (end <= audioStart) return null
  const all = readComments(tags!.subarray(format === 'opus' ? 8 : 7))
  const limit = createTagBudget()
  const comment = findVorbisComment(all)
  return {
    ranges: [{ start: audioStart, end }],
    kept: {
      ...{ kind: 'ogg', codec: format === 'opus' ? 'opus' : 'vorbis', serial, pages },
      identification: identification!.toString('base64'),
      ...(codebooks && { codebooks: codebooks.toString('base64') }),
      comments: all.filter((text) => isAllowedComment(text) && limit.fits(text.length)),
      ...(comment ? { comment } : {}),
    },
  }
}

async function readHeaders(file: OriginalFile): Promise<OggHeaders | undefined> {
  const search = findOggHeaders()
  let step = search.next(Buffer.alloc(0))
  while (!step.done) step = search.next(await file.read(step.value.at, step.value.length))
  return step.value
}

/** What follows the last page, such as an ID3 tag, is not audio. */
async function findLastPageEnd(file: OriginalFile, start: number): Promise<number> {
  const from = Math.max(start, file.size - 2 * MAX_PAGE_BYTES)
  const tail = await file.read(from, file.size - from)
  for (
    let at = tail.lastIndexOf('OggS', undefined, 'latin1');
    at >= 0;
    at = tail.lastIndexOf('OggS', at - 1, 'latin1')
  ) {
    const page = readOggPage(tail.subarray(at))
    const end = page ? at + page.headBytes + page.bodyBytes : Number.POSITIVE_INFINITY
    if (end <= tail.length) return from + end
    if (at === 0) break
  }
  return start
}
