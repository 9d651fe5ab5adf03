import type { FoundBody } from './body.ts'
import { skipId3Tags } from './body-mp3.ts'
import { keepLimit } from './keep-limit.ts'
import type { OriginalFile } from './original-file.ts'
import { findTailStart } from './tail-tags.ts'

/** Block types of RFC 9639 section 8.1. */
const STREAMINFO = 0
const PADDING = 1
const VORBIS_COMMENT = 4
const PICTURE = 6
const STREAMINFO_BYTES = 34
/** Far more than any encoder writes; a longer list is an attack on the reader. */
const MAX_BLOCKS = 1000

type MetadataBlock = { type: number; bytes: string }
type Comments = { vendor: string; comments: string[] }

/** Vorbis comments that the pool writes itself, or that would contradict what it writes. */
export const OWN_COMMENTS: ReadonlySet<string> = new Set(
  (
    'TITLE ARTIST ALBUM GENRE DATE YEAR BPM INITIALKEY KEY COMMENT DESCRIPTION LABEL ORGANIZATION PUBLISHER ISRC ' +
    'REMIXER METADATA_BLOCK_PICTURE COVERART COVERARTMIME'
  ).split(' '),
)

/** The frames of a FLAC file and its metadata other than comments, pictures and padding. Null when it is no sound FLAC. */
export async function findFlacBody(file: OriginalFile): Promise<FoundBody> {
  const start = await skipId3Tags(file, () => {})
  if ((await file.read(start, 4)).toString('latin1') !== 'fLaC') return null
  const limit = keepLimit()
  const blocks: MetadataBlock[] = []
  let texts: Comments = { vendor: 'reference libFLAC', comments: [] }
  let at = start + 4
  for (let count = 0; ; count++) {
    const head = await file.read(at, 4)
    if (head.length < 4 || count >= MAX_BLOCKS) return null
    const type = head[0]! & 0x7f
    const length = head.readUIntBE(1, 3)
    if (at + 4 + length > file.size) return null
    if ((count === 0) !== (type === STREAMINFO) || (count === 0 && length !== STREAMINFO_BYTES)) return null
    const bytes = isFresh(type) ? null : await file.read(at + 4, length)
    if (bytes && type === VORBIS_COMMENT) texts = readComments(bytes, limit)
    else if (bytes && limit.fits(length)) blocks.push({ type, bytes: bytes.toString('base64') })
    at += 4 + length
    if (head[0]! & 0x80) break
  }
  const end = await findTailStart(file, at)
  if (at >= end) return null
  return { ranges: [{ start: at, end }], kept: { kind: 'flac', ...texts, blocks } }
}

function isFresh(type: number): boolean {
  return type === PADDING || type === PICTURE
}

/** Vendor and foreign comments of a Vorbis comment block (xiph.org/vorbis/doc/v-comment.html); stops where it is cut. */
function readComments(block: Buffer, limit: ReturnType<typeof keepLimit>): Comments {
  let at = 0
  const take = (): string | null => {
    if (at + 4 > block.length) return null
    const end = at + 4 + block.readUInt32LE(at)
    if (end > block.length) return null
    const text = block.toString('utf8', at + 4, end)
    at = end
    return text
  }
  const vendor = take() ?? ''
  const count = at + 4 <= block.length ? block.readUInt32LE(at) : 0
  at += 4
  const comments: string[] = []
  for (let left = count; left > 0; left--) {
    const comment = take()
    if (comment === null) break
    if (isForeign(comment) && limit.fits(comment.length)) comments.push(comment)
  }
  return { vendor: vendor.slice(0, 200), comments }
}

function isForeign(comment: string): boolean {
  const [name = '', value] = comment.split('=', 2)
  if (value === undefined || !/^[\x20-\x7d]+$/.test(name)) return false
  return !OWN_COMMENTS.has(name.toUpperCase()) && !/^replaygain_/i.test(name)
}
