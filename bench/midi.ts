/** What the notes of a MIDI file say about its beats; positions are in quarter notes from its beginning. */
export type MidiSong = {
  bpm: number
  first_beat: number
  last_beat: number
  drums: number
  /** In 4/4 with one tempo, its notes on sixteenths or triplets. */
  is_steady: boolean
}

type MidiEvent = { tick: number } & (
  | { kind: 'tempo'; bpm: number }
  | { kind: 'metre'; beats: number; unit: number }
  | { kind: 'note'; channel: number }
)

const DRUM_CHANNEL = 9
const DEFAULT_BPM = 120
/** Notes this near to a sixteenth or triplet, in quarter notes, are on it; this share of them must be. */
const ON_GRID = 0.04
const LEAST_ON_GRID = 0.75

const TEMPO_EVENT = 0x51
const METRE_EVENT = 0x58

/** Reads numbers of seven bits per byte, and remembers where it is. */
class Reader {
  readonly #bytes: Buffer
  at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  byte(): number {
    return this.#bytes[this.at++] ?? 0
  }

  variableLength(): number {
    let value = 0
    for (;;) {
      const byte = this.byte()
      value = (value << 7) | (byte & 127)
      if (byte < 128) return value
    }
  }
}

/** A meta event: FF, its type, its length, its bytes. */
function metaEvent(bytes: Buffer, tick: number, type: number, at: number): MidiEvent | undefined {
  if (type === TEMPO_EVENT) return { tick, kind: 'tempo', bpm: 60e6 / bytes.readUIntBE(at, 3) }
  if (type === METRE_EVENT) return { tick, kind: 'metre', beats: bytes[at]!, unit: 2 ** bytes[at + 1]! }
  return undefined
}

function* eventsOf(bytes: Buffer, from: number, to: number): Generator<MidiEvent> {
  const reader = new Reader(bytes, from)
  let [tick, status] = [0, 0]
  while (reader.at < to) {
    tick += reader.variableLength()
    if (bytes[reader.at]! >= 0x80) status = reader.byte()
    if (status === 0xff) {
      const type = reader.byte()
      const length = reader.variableLength()
      const event = metaEvent(bytes, tick, type, reader.at)
      if (event) yield event
      reader.at += length
    } else if (status === 0xf0 || status === 0xf7) reader.at += reader.variableLength()
    else {
      const isNoteOn = (status & 0xf0) === 0x90 && bytes[reader.at + 1]! > 0
      if (isNoteOn) yield { tick, kind: 'note', channel: status & 15 }
      const isShort = (status & 0xf0) === 0xc0 || (status & 0xf0) === 0xd0
      reader.at += isShort ? 1 : 2
    }
  }
}

/** The share of positions that are on a sixteenth or a triplet. */
function shareOnGrid(positions: readonly number[]): number {
  const isOnGrid = (position: number) =>
    [4, 3].some((parts) => Math.abs(position * parts - Math.round(position * parts)) / parts <= ON_GRID)
  return positions.filter(isOnGrid).length / Math.max(1, positions.length)
}

/** Reads a standard MIDI file; undefined when it has no notes. Source of the format: the MIDI Association, RP-001. */
export function readMidi(bytes: Buffer): MidiSong | undefined {
  const ticksPerQuarter = bytes.readUInt16BE(12)
  const events: MidiEvent[] = []
  for (let at = 14; at + 8 <= bytes.length && bytes.toString('latin1', at, at + 4) === 'MTrk'; ) {
    const end = at + 8 + bytes.readUInt32BE(at + 4)
    events.push(...eventsOf(bytes, at + 8, end))
    at = end
  }
  const notes = events.filter((event) => event.kind === 'note')
  if (notes.length === 0) return undefined
  const position = ({ tick }: { tick: number }) => tick / ticksPerQuarter
  const positions = notes.map(position)
  const drums = notes.filter(({ channel }) => channel === DRUM_CHANNEL).map(position)
  const tempos = new Set(events.flatMap((event) => (event.kind === 'tempo' ? [event.bpm] : [])))
  const isCommonTime = events.every((event) => event.kind !== 'metre' || (event.beats === 4 && event.unit === 4))
  const [bpm = DEFAULT_BPM] = tempos
  return {
    ...{ bpm, drums: drums.length },
    first_beat: positions.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY),
    last_beat: positions.reduce((most, at) => Math.max(most, at), 0),
    is_steady:
      isCommonTime && tempos.size <= 1 && Math.min(shareOnGrid(positions), shareOnGrid(drums)) >= LEAST_ON_GRID,
  }
}
