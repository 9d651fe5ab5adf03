import type { LongSizes, PreservedTags } from '../audio-files/payload.ts'
import { id3Tag } from './id3.ts'
import { totalLength } from './segments.ts'
import { joinedValue, textValue, yearValue } from './tag-values.ts'
import type { CheckedSegment, Tags } from './tagged-file.ts'

type PreservedWavTags = Extract<PreservedTags, { kind: 'wav' }>
type PreservedAiffTags = Extract<PreservedTags, { kind: 'aiff' }>
type ByteOrder = 'little' | 'big'

/** Returns a WAV with its audio, then a LIST INFO for simple players and an `id3 ` chunk for DJ software. */
export function tagWav(audioSegments: CheckedSegment[], preserved: PreservedWavTags, tags: Tags): CheckedSegment[] {
  const info = chunk('LIST', infoList(tags), 'little')
  const id3 = chunk('id3 ', id3Tag(tags, preserved.frames, 0), 'little')
  if (preserved.long) return longWav(audioSegments, preserved.long, [info, id3])
  return file({ magic: 'RIFF', form: 'WAVE', order: 'little' }, audioSegments, [info, id3])
}

const DS64_BYTES = 28

/** Returns a WAV with 64-bit sizes: they are in the `ds64` chunk (EBU Tech 3306, version 1.1). */
function longWav(
  audioSegments: CheckedSegment[],
  { data_bytes, samples }: LongSizes,
  fresh: Buffer[],
): CheckedSegment[] {
  const [head, ...chunks] = file({ magic: 'RF64', form: 'WAVE', order: 'little' }, audioSegments, fresh)
  const sizes = Buffer.alloc(DS64_BYTES)
  const ds64Length = DS64_BYTES + 8
  sizes.writeBigUInt64LE(BigInt(4 + ds64Length + totalLength(chunks)), 0)
  sizes.writeBigUInt64LE(BigInt(data_bytes), 8)
  sizes.writeBigUInt64LE(BigInt(samples), 16)
  return [head!, chunk('ds64', sizes, 'little'), ...chunks]
}

/** Returns an AIFF or AIFC with its audio, then an `ID3 ` chunk. */
export function tagAiff(audioSegments: CheckedSegment[], preserved: PreservedAiffTags, tags: Tags): CheckedSegment[] {
  const id3 = chunk('ID3 ', id3Tag(tags, preserved.frames, 0), 'big')
  return file({ magic: 'FORM', form: preserved.form, order: 'big' }, audioSegments, [id3])
}

type RiffFormat = { magic: string; form: string; order: ByteOrder }

/** Writes a new file header with the new size, and adds the padding byte if the last chunk lacks it. */
function file({ magic, form, order }: RiffFormat, audioSegments: CheckedSegment[], fresh: Buffer[]): CheckedSegment[] {
  const padding = totalLength(audioSegments) & 1 ? [Buffer.alloc(1)] : []
  const chunks = [...audioSegments, Buffer.concat([...padding, ...fresh])]
  const size = size32(magic === 'RF64' ? 0xffffffff : form.length + totalLength(chunks), order)
  return [Buffer.concat([Buffer.from(magic), size, Buffer.from(form)]), ...chunks]
}

/** LIST INFO specifies no encoding; TagLib and exiftool read UTF-8. */
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
