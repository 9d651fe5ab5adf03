import path from 'node:path'
import { run } from '../make-audio.ts'
import { readFields } from './serato-fields.ts'

/** Reads Serato's tags, sharing no code with what writes them. Source: docs of Holzhaus/serato-tags. */

/** By description: 'Serato BeatGrid'. */
export type SeratoObjects = Record<string, Buffer>

export type SeratoTags = {
  bpm: number
  /** `value` is the number of beats to the next anchor; of the last one, the tempo. */
  anchors: { seconds: number; value: number }[]
  cues: { number: number; milliseconds: number; colour: string; name: string }[]
  track_colour: string
  is_locked: boolean
  /** Five cues and nine loops. `milliseconds` is null if there is none. Empty without `Serato Markers_`. */
  old_cues: { number: number; milliseconds: number | null; colour: string; type: number }[]
}

export function readSeratoTags(objects: SeratoObjects): SeratoTags {
  const { 'Serato Markers_': old } = objects
  return {
    bpm: Number(objectOf(objects, 'Serato Autotags').toString('latin1', 2).split('\0')[0]),
    anchors: readBeatGrid(objectOf(objects, 'Serato BeatGrid')),
    ...readMarkers(objectOf(objects, 'Serato Markers2')),
    old_cues: old ? readOldMarkers(old) : [],
  }
}

function objectOf(objects: SeratoObjects, name: string): Buffer {
  const found = objects[name]
  if (!found) throw new Error(`There is no “${name}”.`)
  return found
}

function readBeatGrid(data: Buffer): SeratoTags['anchors'] {
  const count = data.readUInt32BE(2)
  if (data.length !== 6 + 8 * count + 1) throw new Error(`A beat grid of ${count} anchors has ${data.length} bytes.`)
  return Array.from({ length: count }, (_, n) => {
    const at = 6 + 8 * n
    const isLast = n === count - 1
    return { seconds: data.readFloatBE(at), value: isLast ? data.readFloatBE(at + 4) : data.readUInt32BE(at + 4) }
  })
}

const hexColour = (bytes: Buffer) => `#${bytes.toString('hex').toUpperCase()}`

/** Base64 in lines of 72 characters, then zeros. Inside: a name that ends with a zero, a length, and data. */
function readMarkers(data: Buffer): Pick<SeratoTags, 'cues' | 'track_colour' | 'is_locked'> {
  const end = data.indexOf(0, 2)
  const content = decodeLines(data.toString('latin1', 2, end === -1 ? undefined : end))
  const entries: [name: string, data: Buffer][] = []
  for (let at = 2; at < content.length && content[at] !== 0; ) {
    const nameEnd = content.indexOf(0, at)
    const start = nameEnd + 5
    const length = content.readUInt32BE(nameEnd + 1)
    entries.push([content.toString('latin1', at, nameEnd), content.subarray(start, start + length)])
    at = start + length
  }
  const dataOf = (wanted: string) => entries.find(([name]) => name === wanted)?.[1] ?? Buffer.alloc(4)
  return {
    cues: entries.flatMap(([name, cue]) => (name === 'CUE' ? [readCue(cue)] : [])),
    track_colour: hexColour(dataOf('COLOR').subarray(1, 4)),
    is_locked: dataOf('BPMLOCK')[0] === 1,
  }
}

const readCue = (cue: Buffer) => ({
  number: cue[1]!,
  milliseconds: cue.readUInt32BE(2),
  colour: hexColour(cue.subarray(7, 10)),
  name: cue.toString('utf8', 12, cue.length - 1),
})

/** All lines but the last have 72 characters. */
function decodeLines(text: string): Buffer {
  const lines = text.split('\n')
  if (lines.slice(0, -1).some(({ length }) => length !== 72) || lines.at(-1)!.length > 72)
    throw new Error(`Base64 has lines of ${lines.map(({ length }) => length).join(', ')} characters.`)
  return Buffer.from(lines.join(''), 'base64')
}

const OLD_ENTRY_BYTES = 22

function readOldMarkers(data: Buffer): SeratoTags['old_cues'] {
  const count = data.readUInt32BE(2)
  return Array.from({ length: count }, (_, number) => {
    const entry = data.subarray(6 + OLD_ENTRY_BYTES * number, 6 + OLD_ENTRY_BYTES * (number + 1))
    const colour = Buffer.alloc(4)
    colour.writeUInt32BE(fromSevenBits(entry.subarray(16, 20)))
    return {
      number,
      milliseconds: entry[0] === 0x7f ? null : fromSevenBits(entry.subarray(1, 5)),
      colour: hexColour(colour.subarray(1)),
      type: entry[20]!,
    }
  })
}

const fromSevenBits = (bytes: Buffer) => bytes.reduce((value, byte) => value * 128 + byte, 0)

/**
 * The object in the value of a Vorbis comment: base64 of a MIME type, an empty name, a description and data. Where base64
 * needs no padding, Serato adds one character, so the number of characters is never divisible by four.
 */
export function decodeComment(value: string): [description: string, data: Buffer] {
  const text = value.replaceAll('\n', '')
  if (text.length % 4 === 0) throw new Error('The character that Serato adds is missing.')
  decodeLines(value)
  const bytes = Buffer.from(text.length % 4 === 1 ? text.slice(0, -1) : text, 'base64')
  const [mime, name, description = ''] = bytes.toString('latin1').split('\0')
  if (mime !== 'application/octet-stream' || name !== '') throw new Error(`A comment contains ${mime} ${name}.`)
  return [description, bytes.subarray(mime.length + description.length + 3)]
}

/** Reads the same with the scripts of serato-tags. */
export function readWithSeratoTags(source: string, objects: readonly SeratoObjects[]): SeratoTags[] {
  const encoded = objects.map((each) =>
    Object.fromEntries(Object.entries(each).map(([name, data]) => [name, data.toString('base64')])),
  )
  const script = path.join(import.meta.dirname, 'serato-tags.py')
  return JSON.parse(run('/usr/bin/python3', [script, source], JSON.stringify(encoded)))
}

/** The paths in a crate, as they are in it. */
export function readCrate(bytes: Buffer): { version: string; paths: string[] } {
  const fields = readFields(bytes)
  return {
    version: String(fields.find(({ tag }) => tag === 'vrsn')?.value),
    paths: fields.flatMap(({ tag, value }) =>
      tag === 'otrk' && Array.isArray(value)
        ? value.flatMap((field) => (field.tag === 'ptrk' ? [String(field.value)] : []))
        : [],
    ),
  }
}
