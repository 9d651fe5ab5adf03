import { oggChecksum } from '../audio-files/ogg-pages.ts'
import type { PreservedOgg } from '../audio-files/payload.ts'
import type { CheckedSegment, Tags } from './tagged-file.ts'
import { commentBlock, pictureBlock } from './tagged-flac.ts'

const MAX_SEGMENTS = 255
const SEGMENT_BYTES = 255
const CONTINUED = 1
const FIRST = 2

/**
 * Returns an Ogg file with fresh comments. Its headers take as many pages as in the original, so that the pages with
 * audio keep their numbers and checksums. What does not fit is left out: the cover,
 * then everything but title and artist.
 */
export function tagOgg(audioSegments: CheckedSegment[], preserved: PreservedOgg, tags: Tags): CheckedSegment[] {
  const { picture: _, ...withoutPicture } = tags
  const identification = Buffer.from(preserved.identification, 'base64')
  const codebooks = preserved.codebooks === undefined ? [] : [Buffer.from(preserved.codebooks, 'base64')]
  const freePages = preserved.pages - 1
  const capacity = freePages * MAX_SEGMENTS
  const shortTags = { title: tags.title, artist: tags.artist }
  const shortest = commentPacket({ ...preserved, comments: [] }, shortTags)
  const comments = [tags, withoutPicture, shortTags]
    .map((each) => commentPacket(preserved, each))
    .find((each) => countSegments([each, ...codebooks]) <= capacity)
  const packets = [comments ?? shortest, ...codebooks]
  const missing = freePages - countSegments(packets)
  // Each page needs a segment. Readers ignore what follows the comments.
  if (missing > 0) packets[0] = Buffer.concat([packets[0]!, Buffer.alloc(missing * SEGMENT_BYTES)])
  const head = makePages(preserved.serial, [identification], { pages: 1, firstNumber: 0 })
  return [
    Buffer.concat([head, makePages(preserved.serial, packets, { pages: freePages, firstNumber: 1 })]),
    ...audioSegments,
  ]
}

function commentPacket({ codec, comments }: PreservedOgg, tags: Tags): Buffer {
  const { picture, replaygain_db, replaygain_peak, ...others } = tags
  const pictures = picture ? [`METADATA_BLOCK_PICTURE=${pictureBlock(picture).toString('base64')}`] : []
  if (codec === 'vorbis') {
    const block = commentBlock({ comments: [...comments, ...pictures] }, tags)
    return Buffer.concat([Buffer.from('\x03vorbis', 'latin1'), block, Buffer.from([1])])
  }
  const block = commentBlock({ comments: [...comments, ...loudness(replaygain_db), ...pictures] }, others)
  return Buffer.concat([Buffer.from('OpusTags'), block])
}

/** RFC 7845, section 5.2.1: 256ths of a dB to −23 LUFS, where ReplayGain has −18. */
const loudness = (decibels: number | undefined): string[] =>
  decibels === undefined || !Number.isFinite(decibels) ? [] : [`R128_TRACK_GAIN=${Math.round((decibels - 5) * 256)}`]

/** A packet ends with a segment below 255 bytes, which can be empty. */
const countSegments = (packets: readonly Buffer[]): number =>
  packets.reduce((sum, { length }) => sum + Math.floor(length / SEGMENT_BYTES) + 1, 0)

type PagePlan = { pages: number; firstNumber: number }

/** Writes packets to exactly this many pages. */
function makePages(serial: number, packets: readonly Buffer[], { pages, firstNumber }: PagePlan): Buffer {
  const lengths = packets.flatMap(({ length }) => [
    ...Array<number>(Math.floor(length / SEGMENT_BYTES)).fill(SEGMENT_BYTES),
    length % SEGMENT_BYTES,
  ])
  const content = Buffer.concat(packets)
  const written: Buffer[] = []
  let position = 0
  let isContinued = false
  for (let n = 0; n < pages; n++) {
    const left = lengths.length
    const lacing = lengths.splice(0, Math.min(MAX_SEGMENTS, left - (pages - n - 1)))
    const bytes = lacing.reduce((sum, length) => sum + length, 0)
    const flags = (isContinued ? CONTINUED : 0) | (firstNumber + n === 0 ? FIRST : 0)
    const hasEnd = lacing.some((length) => length < SEGMENT_BYTES)
    written.push(
      makePage(
        { serial, number: firstNumber + n, flags, hasEnd },
        lacing,
        content.subarray(position, position + bytes),
      ),
    )
    position += bytes
    isContinued = lacing.at(-1) === SEGMENT_BYTES
  }
  return Buffer.concat(written)
}

type PageHead = { serial: number; number: number; flags: number; hasEnd: boolean }

function makePage({ serial, number, flags, hasEnd }: PageHead, lacing: readonly number[], body: Buffer): Buffer {
  const page = Buffer.concat([Buffer.alloc(27), Buffer.from(lacing), body])
  page.write('OggS', 'latin1')
  page[5] = flags
  // The position in the audio; all ones on a page where no packet ends.
  if (!hasEnd) page.fill(0xff, 6, 14)
  page.writeUInt32LE(serial, 14)
  page.writeUInt32LE(number, 18)
  page[26] = lacing.length
  page.writeUInt32LE(oggChecksum(page), 22)
  return page
}
