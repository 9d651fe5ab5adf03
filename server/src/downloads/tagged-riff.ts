import type { KeptTags } from '../audio/body.ts'
import { id3Tag } from './id3.ts'
import { totalLength } from './segments.ts'
import { joinedValue, textValue, yearValue } from './tag-values.ts'
import type { CheckedSegment, Tags } from './tagged-file.ts'

type KeptWav = Extract<KeptTags, { kind: 'wav' }>
type KeptAiff = Extract<KeptTags, { kind: 'aiff' }>
type ByteOrder = 'little' | 'big'

/** A WAV with its sound, then a LIST INFO for plain players and an `id3 ` chunk for DJ software. */
export function tagWav(sound: CheckedSegment[], kept: KeptWav, tags: Tags): CheckedSegment[] {
  const info = chunk('LIST', infoList(tags), 'little')
  const id3 = chunk('id3 ', id3Tag(tags, kept.frames, 0), 'little')
  return file({ magic: 'RIFF', form: 'WAVE', order: 'little' }, sound, [info, id3])
}

/** An AIFF or AIFC with its sound, then an `ID3 ` chunk. */
export function tagAiff(sound: CheckedSegment[], kept: KeptAiff, tags: Tags): CheckedSegment[] {
  const id3 = chunk('ID3 ', id3Tag(tags, kept.frames, 0), 'big')
  return file({ magic: 'FORM', form: kept.form, order: 'big' }, sound, [id3])
}

type Frame = { magic: string; form: string; order: ByteOrder }

/** The original's head is written anew for its size; a last chunk that lacks its padding byte gets it. */
function file({ magic, form, order }: Frame, sound: CheckedSegment[], fresh: Buffer[]): CheckedSegment[] {
  const padding = totalLength(sound) & 1 ? [Buffer.alloc(1)] : []
  const chunks = [...sound, Buffer.concat([...padding, ...fresh])]
  const size = size32(form.length + totalLength(chunks), order)
  return [Buffer.concat([Buffer.from(magic), size, Buffer.from(form)]), ...chunks]
}

/** LIST INFO names no encoding; UTF-8 is what TagLib and exiftool read. */
function infoList(tags: Tags): Buffer {
  const fresh: [string, string | null][] = [
    ['INAM', textValue(tags.title)],
    ['IART', textValue(tags.artist)],
    ['IPRD', textValue(tags.album)],
    ['IGNR', joinedValue(tags.genres)],
    ['ICRD', yearValue(tags.year)],
    ['ICMT', textValue(tags.comment)],
  ]
  const items = fresh.flatMap(([id, value]) => (value === null ? [] : [chunk(id, Buffer.from(`${value}\0`), 'little')]))
  return Buffer.concat([Buffer.from('INFO'), ...items])
}

/** A chunk of the EA IFF 85 family: id, size, content, and a zero when the content's length is odd. */
function chunk(id: string, content: Buffer, order: ByteOrder): Buffer {
  const padding = Buffer.alloc(content.length & 1)
  return Buffer.concat([Buffer.from(id, 'latin1'), size32(content.length, order), content, padding])
}

function size32(value: number, order: ByteOrder): Buffer {
  const bytes = Buffer.alloc(4)
  if (order === 'little') bytes.writeUInt32LE(value)
  else bytes.writeUInt32BE(value)
  return bytes
}
