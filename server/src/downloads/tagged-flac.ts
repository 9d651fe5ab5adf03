import type { PreservedTags } from '../audio-files/payload.ts'
import { seratoComments } from '../booth/serato-tags.ts'
import { bpmValue, energyValue, gainValue, keyValue, peakValue, textValue, yearValue } from './tag-values.ts'
import type { CheckedSegment, Picture, Tags } from './tagged-file.ts'

type PreservedFlacTags = Extract<PreservedTags, { kind: 'flac' }>
type Block = { type: number; bytes: Buffer }

/** Block types of RFC 9639 section 8.1. */
const PADDING = 1
const VORBIS_COMMENT = 4
const PICTURE = 6
const FRONT_COVER = 3
const BITS_PER_PIXEL = 24
const PADDING_BYTES = 1024
/** The format requires the name of an encoder; the one in the original can be any text. */
const VENDOR = 'Dubplate'

/** Returns a FLAC with fresh comments and cover, and with stream info and seek table as in the original. */
export function tagFlac(audioSegments: CheckedSegment[], preserved: PreservedFlacTags, tags: Tags): CheckedSegment[] {
  const blocks: Block[] = preserved.blocks.map(({ type, bytes }) => ({ type, bytes: Buffer.from(bytes, 'base64') }))
  const comments = [...preserved.comments, ...(tags.serato ? seratoComments(tags.serato) : [])]
  blocks.push({ type: VORBIS_COMMENT, bytes: commentBlock({ comments }, tags) })
  if (tags.picture) blocks.push({ type: PICTURE, bytes: pictureBlock(tags.picture) })
  blocks.push({ type: PADDING, bytes: Buffer.alloc(PADDING_BYTES) })
  const metadata = blocks.flatMap(({ type, bytes }, index) => {
    const isLast = index === blocks.length - 1
    return [blockHead(type, bytes.length, isLast ? 0x80 : 0), bytes]
  })
  return [Buffer.concat([Buffer.from('fLaC'), ...metadata]), ...audioSegments]
}

/** Source: xiph.org/vorbis/doc/v-comment.html. The key and the label are each written under both names in use. */
export function commentBlock(preserved: Pick<PreservedFlacTags, 'comments'>, tags: Tags): Buffer {
  const fresh: [string, string | null][] = [
    ['TITLE', textValue(tags.title)],
    ['ARTIST', textValue(tags.artist)],
    ['ALBUM', textValue(tags.album)],
    ...(tags.genres ?? []).map((genre): [string, string | null] => ['GENRE', textValue(genre)]),
    ['DATE', yearValue(tags.year)],
    ['BPM', bpmValue(tags.bpm)],
    ['INITIALKEY', keyValue(tags.song_key)],
    ['KEY', keyValue(tags.song_key)],
    ['COMMENT', textValue(tags.comment)],
    ['LABEL', textValue(tags.label)],
    ['ORGANIZATION', textValue(tags.label)],
    ['ISRC', textValue(tags.isrc)],
    ['REMIXER', textValue(tags.remixer)],
    ['REPLAYGAIN_TRACK_GAIN', gainValue(tags.replaygain_db)],
    ['REPLAYGAIN_TRACK_PEAK', peakValue(tags.replaygain_peak)],
    ['ENERGYLEVEL', energyValue(tags.energy)],
  ]
  const comments = fresh.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]))
  const all = [...comments, ...preserved.comments]
  return Buffer.concat([lengthAndText(VENDOR), littleEndian(all.length), ...all.map(lengthAndText)])
}

/** RFC 9639 section 8.8. */
export function pictureBlock({ mime, bytes, width, height }: Picture): Buffer {
  const type = Buffer.from(mime)
  const numbers = [0, width, height, BITS_PER_PIXEL, 0, bytes.length].map(bigEndian)
  return Buffer.concat([bigEndian(FRONT_COVER), bigEndian(type.length), type, ...numbers, bytes])
}

function blockHead(type: number, length: number, lastFlag: number): Buffer {
  const head = bigEndian(length)
  head[0] = type | lastFlag
  return head
}

function lengthAndText(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  return Buffer.concat([littleEndian(bytes.length), bytes])
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
