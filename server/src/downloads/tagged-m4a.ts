import { BOX_HEAD_BYTES, makeBox } from '../audio-files/mp4-boxes.ts'
import type { PreservedM4a } from '../audio-files/payload.ts'
import { totalLength } from './segments.ts'
import { bpmValue, gainValue, joinedValue, keyValue, peakValue, textValue, yearValue } from './tag-values.ts'
import type { CheckedSegment, Picture, Tags } from './tagged-file.ts'

/** Space for DJ software to add its own tags without rewriting the whole file. */
const PADDING_BYTES = 1024
const MAX_SHORT_OFFSET = 0xffffffff
/** Types of values (QuickTime File Format, well-known types). */
const TEXT = 1
const JPEG = 13
const PNG = 14
const INTEGER = 21

/**
 * Returns an M4A with a fresh index before its audio: the tables of the original, with new positions of its chunks and
 * new tags. The audio and the tables are byte ranges of the original.
 */
export function tagM4a(segments: CheckedSegment[], preserved: PreservedM4a, tags: Tags): CheckedSegment[] {
  const tables = segments.slice(0, preserved.table_ranges)
  const audio = segments.slice(preserved.table_ranges)
  const short = arrange(preserved, { tables, audio, tags, offsetBytes: 4 })
  return totalLength(short) <= MAX_SHORT_OFFSET ? short : arrange(preserved, { tables, audio, tags, offsetBytes: 8 })
}

type Parts = { tables: CheckedSegment[]; audio: CheckedSegment[]; tags: Tags; offsetBytes: 4 | 8 }

function arrange(preserved: PreservedM4a, { tables, audio, tags, offsetBytes }: Parts): CheckedSegment[] {
  const { ftyp, mvhd, tkhd, edts, mdhd } = Object.fromEntries(
    Object.entries(preserved.boxes).map(([name, bytes]) => [name, Buffer.from(bytes, 'base64')]),
  )
  const chunks = Buffer.from(preserved.chunks, 'base64')
  const userData = makeBox('udta', tagList(tags, preserved))
  const mediaHead = mediaDataHead(totalLength(audio))
  const offsetsLength = BOX_HEAD_BYTES + 8 + (chunks.length / 4) * offsetBytes
  const handler = makeBox('hdlr', Buffer.alloc(8), Buffer.from('soun'), Buffer.alloc(13))
  const soundHead = makeBox('smhd', Buffer.alloc(8))
  // One reference to this file itself.
  const url = makeBox('url ', Buffer.from([0, 0, 0, 1]))
  const dataInfo = makeBox('dinf', makeBox('dref', Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), url))
  const stbl = container('stbl', [], totalLength(tables) + offsetsLength)
  const minf = container('minf', [soundHead, dataInfo], stbl.length)
  const mdia = container('mdia', [mdhd!, handler], minf.length)
  const trak = container('trak', [tkhd!, ...(edts ? [edts] : [])], mdia.length)
  const moov = container('moov', [mvhd!], trak.length + userData.length)
  const head = Buffer.concat([ftyp ?? FTYP, moov.head, trak.head, mdia.head, minf.head, stbl.head])
  const audioStart = (ftyp ?? FTYP).length + moov.length + mediaHead.length
  const offsets = chunkOffsets(chunks, audioStart, offsetBytes)
  return [head, ...tables, Buffer.concat([offsets, userData, mediaHead]), ...audio]
}

const FTYP = makeBox('ftyp', Buffer.from('M4A \0\0\0\0M4A mp42isom', 'latin1'))

/** The head of a box and its first content; `length` includes what follows. */
function container(type: string, content: readonly Buffer[], following: number): { head: Buffer; length: number } {
  const head = makeBox(type, ...content)
  const length = head.length + following
  head.writeUInt32BE(length)
  return { head, length }
}

function mediaDataHead(bytes: number): Buffer {
  const isLong = bytes + BOX_HEAD_BYTES > MAX_SHORT_OFFSET
  const head = makeBox('mdat', Buffer.alloc(isLong ? 8 : 0))
  if (!isLong) head.writeUInt32BE(bytes + BOX_HEAD_BYTES)
  else {
    head.writeUInt32BE(1)
    head.writeBigUInt64BE(BigInt(bytes + head.length), 8)
  }
  return head
}

/** `stco`, or `co64` for files above 4 GiB: where each chunk begins. */
function chunkOffsets(lengths: Buffer, audioStart: number, offsetBytes: 4 | 8): Buffer {
  const count = lengths.length / 4
  const content = Buffer.alloc(8 + count * offsetBytes)
  content.writeUInt32BE(count, 4)
  let position = audioStart
  for (let n = 0; n < count; n++) {
    if (offsetBytes === 4) content.writeUInt32BE(position % 2 ** 32, 8 + 4 * n)
    else content.writeBigUInt64BE(BigInt(position), 8 + 8 * n)
    position += lengths.readUInt32BE(4 * n)
  }
  return makeBox(offsetBytes === 4 ? 'stco' : 'co64', content)
}

/** The tags that have a box of their own in iTunes; all others are named. */
const CREDIT_BOXES: Record<string, string> = { COMPOSER: '\xa9wrt', COPYRIGHT: 'cprt' }

/** Sources: QuickTime File Format, metadata; mutagen.readthedocs.io, MP4; the names that Picard and Mixxx use. */
function tagList(tags: Tags, { gapless, comments }: PreservedM4a): Buffer {
  const bpm = bpmValue(tags.bpm)
  const fresh: [string, string | null][] = [
    ['\xa9nam', textValue(tags.title)],
    ['\xa9ART', textValue(tags.artist)],
    ['\xa9alb', textValue(tags.album)],
    ['\xa9gen', joinedValue(tags.genres)],
    ['\xa9day', yearValue(tags.year)],
    ['\xa9cmt', textValue(tags.comment)],
    ['initialkey', keyValue(tags.song_key)],
    // The box for the tempo holds an integer.
    ['BPM', bpm?.includes('.') ? bpm : null],
    ['LABEL', textValue(tags.label)],
    // The name that TagLib reads.
    ['publisher', textValue(tags.label)],
    ['ISRC', textValue(tags.isrc)],
    ['REMIXER', textValue(tags.remixer)],
    ['replaygain_track_gain', gainValue(tags.replaygain_db)],
    ['replaygain_track_peak', peakValue(tags.replaygain_peak)],
    ['iTunSMPB', gapless ?? null],
    ...comments.map((comment): [string, string | null] => {
      const [name = '', ...value] = comment.split('=')
      return [CREDIT_BOXES[name.toUpperCase()] ?? name.toUpperCase(), textValue(value.join('='))]
    }),
  ]
  const items = fresh.flatMap(([name, value]) => (value === null ? [] : [textItem(name, value)]))
  if (bpm !== null) items.push(tempoItem(Number(bpm)))
  if (tags.picture) items.push(pictureItem(tags.picture))
  const handler = makeBox('hdlr', Buffer.alloc(8), Buffer.from('mdirappl'), Buffer.alloc(9))
  const padding = makeBox('free', Buffer.alloc(PADDING_BYTES))
  return makeBox('meta', Buffer.alloc(4), handler, makeBox('ilst', ...items), padding)
}

const isBoxName = (name: string): boolean => name.length === 4 && (name.startsWith('\xa9') || name === 'cprt')

function textItem(name: string, value: string): Buffer {
  const data = dataBox(TEXT, Buffer.from(value, 'utf8'))
  if (isBoxName(name)) return makeBox(name, data)
  const mean = makeBox('mean', Buffer.alloc(4), Buffer.from('com.apple.iTunes'))
  return makeBox('----', mean, makeBox('name', Buffer.alloc(4), Buffer.from(name)), data)
}

function tempoItem(bpm: number): Buffer {
  const value = Buffer.alloc(2)
  value.writeUInt16BE(Math.max(1, Math.round(bpm)))
  return makeBox('tmpo', dataBox(INTEGER, value))
}

const pictureItem = ({ mime, bytes }: Picture): Buffer =>
  makeBox('covr', dataBox(mime === 'image/png' ? PNG : JPEG, bytes))

function dataBox(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(type)
  return makeBox('data', head, value)
}
