import { float32, uint32 } from './big-endian.ts'
import { infoFrameSeconds, type KitCue, type KitTrack } from './kit-track.ts'
import { oneLine } from './one-line.ts'

/**
 * Beat grid and cue points as Serato stores them in the file itself. Source: Holzhaus/serato-tags, and its published
 * fixtures, which these functions reproduce byte for byte. `Serato Markers_` takes precedence over `Serato Markers2`, so
 * the first five cues are in both; `Serato Autotags` takes precedence over the tempo of other tags.
 */

export type SeratoTrack = Pick<KitTrack, 'bpm' | 'grid' | 'cues' | 'timing_case' | 'sample_rate'>

export type SeratoEntry = { name: string; data: Buffer }

export const SERATO_MIME_TYPE = 'application/octet-stream'

/** The colour of a track without one. */
const WHITE = 0xff_ff_ff

/** The entries of an ID3v2 tag, each for a GEOB frame. Empty when nothing is known of the beats. */
export function seratoEntries(track: SeratoTrack): SeratoEntry[] {
  const { bpm, grid } = track
  if (bpm === null || grid.length === 0) return []
  const delay = infoFrameSeconds(track)
  const anchors = grid.map((anchor) => ({ ...anchor, seconds: anchor.seconds + delay }))
  const cues = track.cues.map((cue) => ({ ...cue, seconds: cue.seconds + delay }))
  return [
    { name: 'Serato Autotags', data: autotags(bpm) },
    { name: 'Serato BeatGrid', data: beatGrid(anchors) },
    { name: 'Serato Markers_', data: oldMarkers(cues) },
    { name: 'Serato Markers2', data: markers(cues) },
  ]
}

/** The names of the same entries as Vorbis comments. A FLAC has no `Serato Markers_`. */
const COMMENT_NAMES: Record<string, string> = {
  'Serato Autotags': 'SERATO_AUTOGAIN',
  'Serato BeatGrid': 'SERATO_BEATGRID',
  'Serato Markers2': 'SERATO_MARKERS_V2',
}

/** The comments of a FLAC, 'NAME=value'. */
export const seratoComments = (track: SeratoTrack): string[] =>
  seratoEntries(track).flatMap(({ name, data }) => {
    const comment = COMMENT_NAMES[name]
    return comment ? [`${comment}=${commentValue(name, data)}`] : []
  })

/** Tempo, gain and peak; the gains are left to Serato's own analysis. */
const autotags = (bpm: number) =>
  Buffer.concat([Buffer.from([1, 1]), Buffer.from(`${bpm.toFixed(2)}\0${'0.000'}\0${'0.000'}\0`, 'latin1')])

/** Each marker has the number of beats to the next one, the last one the tempo. */
function beatGrid(anchors: { seconds: number; bpm: number }[]): Buffer {
  const markers = anchors.map(({ seconds, bpm }, index) => {
    const next = anchors[index + 1]
    const beats = next && Math.round(((next.seconds - seconds) * bpm) / 60)
    return Buffer.concat([float32(seconds), beats === undefined ? float32(bpm) : uint32(beats)])
  })
  return Buffer.concat([Buffer.from([1, 0]), uint32(anchors.length), ...markers, Buffer.from([0])])
}

const OLD_CUES = 5
const OLD_LOOPS = 9
const CUE_TYPE = 1
const LOOP_TYPE = 3
const UNSET_TYPE = 0

/** Five cues and nine loops of 22 bytes, and the colour of the track. */
function oldMarkers(cues: KitCue[]): Buffer {
  const ofNumber = (number: number) => cues.find((cue) => cue.number === number)
  const entries = [
    ...Array.from({ length: OLD_CUES }, (_, number) => oldCue(ofNumber(number))),
    ...Array.from({ length: OLD_LOOPS }, () => oldEntry(undefined, 0, LOOP_TYPE)),
  ]
  return Buffer.concat([Buffer.from([2, 5]), uint32(entries.length), ...entries, sevenBits(WHITE)])
}

const oldCue = (cue: KitCue | undefined) =>
  cue ? oldEntry(millisecondsOf(cue), colourOf(cue), CUE_TYPE) : oldEntry(undefined, 0, UNSET_TYPE)

const UNSET_TIME = Buffer.from([0x7f, 0x7f, 0x7f, 0x7f, 0x7f])

function oldEntry(milliseconds: number | undefined, colour: number, type: number): Buffer {
  const start = milliseconds === undefined ? UNSET_TIME : Buffer.concat([Buffer.from([0]), sevenBits(milliseconds)])
  const unknown = Buffer.from([0, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f])
  return Buffer.concat([start, UNSET_TIME, unknown, sevenBits(colour), Buffer.from([type, 0])])
}

/** 24 bits in four bytes of seven bits each. */
const sevenBits = (value: number) => Buffer.from([21, 14, 7, 0].map((shift) => (value >>> shift) & 0x7f))

/** The whole entry is at least this long; Serato fills it with zeros. */
const MARKERS_BYTES = 470

/** The colour of the track, cues with their names, and a lock that keeps Serato's analysis from replacing the grid. */
function markers(cues: KitCue[]): Buffer {
  const content = Buffer.concat([
    Buffer.from([1, 1]),
    markerEntry('COLOR', Buffer.from([0, 0xff, 0xff, 0xff])),
    ...cues.map((cue) => markerEntry('CUE', cueContent(cue))),
    markerEntry('BPMLOCK', Buffer.from([1])),
    Buffer.from([0]),
  ])
  const encoded = Buffer.concat([Buffer.from([1, 1]), Buffer.from(brokenBase64(content), 'latin1')])
  return Buffer.concat([encoded, Buffer.alloc(Math.max(1, MARKERS_BYTES - encoded.length))])
}

function cueContent(cue: KitCue): Buffer {
  const colour = colourOf(cue)
  return Buffer.concat([
    Buffer.from([0, cue.number]),
    uint32(millisecondsOf(cue)),
    Buffer.from([0, colour >>> 16, (colour >>> 8) & 0xff, colour & 0xff, 0, 0]),
    Buffer.from(`${shortName(cue.name)}\0`, 'utf8'),
  ])
}

const markerEntry = (type: string, data: Buffer) =>
  Buffer.concat([Buffer.from(`${type}\0`, 'latin1'), uint32(data.length), data])

const millisecondsOf = ({ seconds }: KitCue) => Math.round(seconds * 1000)

const colourOf = ({ colour }: KitCue) => Number.parseInt(colour.slice(1), 16)

const MAX_CUE_NAME_BYTES = 50

function shortName(name: string): string {
  let short = ''
  for (const character of oneLine(name)) {
    if (Buffer.byteLength(short + character) > MAX_CUE_NAME_BYTES) break
    short += character
  }
  return short
}

/** Base64 without padding, with a line feed after every 72 characters. */
const brokenBase64 = (data: Buffer, suffix = '') =>
  `${data.toString('base64').replace(/=+$/, '')}${suffix}`.replace(/.{72}(?=.)/g, '$&\n')

/** Serato adds a character to the value of a comment that needs no padding; readers drop one. */
function commentValue(name: string, data: Buffer): string {
  const content = Buffer.concat([Buffer.from(`${SERATO_MIME_TYPE}\0\0${name}\0`, 'latin1'), data])
  return brokenBase64(content, content.length % 3 === 0 ? 'A' : '')
}
