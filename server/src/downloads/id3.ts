import { encodeStrings } from '../audio-files/id3-text.ts'
import type { PreservedFrame } from '../audio-files/payload.ts'
import { SERATO_MIME_TYPE, type SeratoEntry, seratoEntries } from '../booth/serato-tags.ts'
import {
  bpmValue,
  energyValue,
  gainValue,
  joinedValue,
  keyValue,
  peakValue,
  textValue,
  yearValue,
} from './tag-values.ts'
import type { Picture, Tags } from './tagged-file.ts'

const FRONT_COVER = 3

/**
 * Returns an ID3v2.3 tag (id3.org, id3v2.3.0): the fresh frames, then the credits preserved from the original, then
 * zeros. ID3v2.3 with ISO-8859-1 or UTF-16 is supported by the widest range of DJ software and players. The `padding`
 * zeros let software edit the tag in place.
 */
export function id3Tag(tags: Tags, preserved: PreservedFrame[], padding: number): Buffer {
  const frames = [...freshFrames(tags), ...preserved.map(({ id, bytes }) => frame(id, Buffer.from(bytes, 'base64')))]
  const used = frames.reduce((sum, bytes) => sum + bytes.length, 0)
  const paddingBytes = Buffer.alloc(padding)
  return Buffer.concat([tagHead(used + paddingBytes.length), ...frames, paddingBytes])
}

function freshFrames(tags: Tags): Buffer[] {
  return [
    text('TIT2', textValue(tags.title)),
    text('TPE1', textValue(tags.artist)),
    text('TALB', textValue(tags.album)),
    text('TCON', joinedValue(tags.genres)),
    text('TYER', yearValue(tags.year)),
    text('TBPM', bpmValue(tags.bpm)),
    text('TKEY', keyValue(tags.song_key)),
    text('TPUB', textValue(tags.label)),
    text('TSRC', textValue(tags.isrc)),
    text('TPE4', textValue(tags.remixer)),
    comment(textValue(tags.comment)),
    userText('REPLAYGAIN_TRACK_GAIN', gainValue(tags.replaygain_db)),
    userText('REPLAYGAIN_TRACK_PEAK', peakValue(tags.replaygain_peak)),
    userText('EnergyLevel', energyValue(tags.energy)),
    picture(tags.picture),
    ...(tags.serato ? seratoEntries(tags.serato).map(seratoObject) : []),
  ].filter((bytes) => bytes !== null)
}

function text(id: string, value: string | null): Buffer | null {
  if (value === null) return null
  const { encoding, parts } = encodeStrings([value])
  return frame(id, Buffer.concat([encoding, ...parts]))
}

/** With an empty description, because that is the comment DJ software shows. */
function comment(value: string | null): Buffer | null {
  if (value === null) return null
  const { encoding, parts, terminator } = encodeStrings(['', value])
  const [description, words] = parts as [Buffer, Buffer]
  return frame('COMM', Buffer.concat([encoding, Buffer.from('eng'), description, terminator, words]))
}

function userText(name: string, value: string | null): Buffer | null {
  if (value === null) return null
  const { encoding, parts, terminator } = encodeStrings([name, value])
  const [description, words] = parts as [Buffer, Buffer]
  return frame('TXXX', Buffer.concat([encoding, description, terminator, words]))
}

function picture(cover: Picture | undefined): Buffer | null {
  if (!cover) return null
  return frame('APIC', Buffer.concat([Buffer.from(`\0${cover.mime}\0`), Buffer.from([FRONT_COVER, 0]), cover.bytes]))
}

/** An object with an empty file name, in ISO-8859-1. */
const seratoObject = ({ name, data }: SeratoEntry) =>
  frame('GEOB', Buffer.concat([Buffer.from(`\0${SERATO_MIME_TYPE}\0\0${name}\0`, 'latin1'), data]))

function frame(id: string, content: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.write(id, 'latin1')
  head.writeUInt32BE(content.length, 4)
  return Buffer.concat([head, content])
}

/** The size is sync-safe: seven bits in each byte. */
function tagHead(size: number): Buffer {
  const sizeBytes = [21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f)
  return Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, ...sizeBytes])
}
