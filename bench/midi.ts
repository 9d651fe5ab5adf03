/** What the notes of a MIDI file say about its beats; positions are in quarter notes from its beginning. */
export type MidiSong = {
  bpm: number
  first_beat: number
  last_beat: number
  drums: number
  /** In 4/4 with one tempo, its notes on sixteenths or triplets. */
  is_steady: boolean
  /** How long each pitch class sounds, C first, in quarter notes; without drums. */
  pitch_classes: number[]
}

type MidiEvent = { tick: number } & (
  | { kind: 'tempo'; bpm: number }
  | { kind: 'metre'; beats: number; unit: number }
  | { kind: 'note'; channel: number; pitch: number; is_on: boolean }
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
      const message = status & 0xf0
      const is_on = message === 0x90 && bytes[reader.at + 1]! > 0
      if (message === 0x80 || message === 0x90)
        yield { tick, kind: 'note', channel: status & 15, pitch: bytes[reader.at]!, is_on }
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

type NoteEvent = Extract<MidiEvent, { kind: 'note' }>

/** The ticks that each pitch class sounds in one track. A note ends with the next event of the same pitch. */
function soundingTicks(events: readonly NoteEvent[]): number[] {
  const ticks = new Array<number>(12).fill(0)
  const begun = new Map<number, number>()
  for (const { tick, channel, pitch, is_on } of events) {
    if (channel === DRUM_CHANNEL) continue
    const name = channel * 128 + pitch
    const from = begun.get(name)
    if (from !== undefined) ticks[pitch % 12]! += tick - from
    begun.delete(name)
    if (is_on) begun.set(name, tick)
  }
  return ticks
}

/** Reads a standard MIDI file; undefined when it has no notes. Source of the format: the MIDI Association, RP-001. */
export function readMidi(bytes: Buffer): MidiSong | undefined {
  const ticksPerQuarter = bytes.readUInt16BE(12)
  const events: MidiEvent[] = []
  const pitchClasses = new Array<number>(12).fill(0)
  for (let at = 14; at + 8 <= bytes.length && bytes.toString('latin1', at, at + 4) === 'MTrk'; ) {
    const end = at + 8 + bytes.readUInt32BE(at + 4)
    const track = [...eventsOf(bytes, at + 8, end)]
    soundingTicks(track.filter((event) => event.kind === 'note')).forEach((ticks, pitch) => {
      pitchClasses[pitch]! += ticks / ticksPerQuarter
    })
    events.push(...track)
    at = end
  }
  const notes = events.filter((event) => event.kind === 'note' && event.is_on) as NoteEvent[]
  if (notes.length === 0) return undefined
  const position = ({ tick }: { tick: number }) => tick / ticksPerQuarter
  const positions = notes.map(position)
  const drums = notes.filter(({ channel }) => channel === DRUM_CHANNEL).map(position)
  const tempos = new Set(events.flatMap((event) => (event.kind === 'tempo' ? [event.bpm] : [])))
  const isCommonTime = events.every((event) => event.kind !== 'metre' || (event.beats === 4 && event.unit === 4))
  const [bpm = DEFAULT_BPM] = tempos
  return {
    ...{ bpm, drums: drums.length, pitch_classes: pitchClasses },
    first_beat: positions.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY),
    last_beat: positions.reduce((most, at) => Math.max(most, at), 0),
    is_steady:
      isCommonTime && tempos.size <= 1 && Math.min(shareOnGrid(positions), shareOnGrid(drums)) >= LEAST_ON_GRID,
  }
}
