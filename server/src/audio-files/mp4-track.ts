import { type Box, boxesIn, findBox } from './mp4-boxes.ts'
import { type Mp4Problem, readSampleEntry, type SampleEntry, UNREADABLE, unsupported } from './mp4-sample-entry.ts'
import type { Speaker } from './speakers.ts'

/** The audio track of an M4A file, read from its `moov` box. Positions are relative to that box. */
export type Mp4Track = SampleEntry & {
  /** Ticks of the track's timeline in a second. */
  timescale: number
  /** The part of the timeline that is played, in seconds: the encoder's priming and padding are outside. */
  start_seconds: number
  end_seconds: number
  /** The bytes of each frame. */
  sizes: Uint32Array
  /** The position of each chunk in the file, and its number of frames. */
  chunk_offsets: Float64Array
  chunk_frames: Uint32Array
  /** The boxes that a rewritten file contains again. */
  boxes: { mvhd: Box; tkhd: Box; edts?: Box; mdhd: Box; media_header?: Box; tables: Box[] }
}

/** More than the frames of a day. */
const MAX_FRAMES = 8_000_000
/** Tables of `stbl` that are the same in a rewritten file. */
const TABLES: ReadonlySet<string> = new Set(['stsd', 'stts', 'stsc', 'stsz', 'stz2', 'sgpd', 'sbgp'])

/** AAC and ALAC have the same order of channels (ISO/IEC 14496-3, table 1.19; Apple, ALACAudioTypes.h). */
const SPEAKERS: Record<number, readonly Speaker[]> = {
  3: ['FC', 'FL', 'FR'],
  4: ['FC', 'FL', 'FR', 'BC'],
  5: ['FC', 'FL', 'FR', 'BL', 'BR'],
  6: ['FC', 'FL', 'FR', 'BL', 'BR', 'LFE'],
  8: ['FC', 'FLC', 'FRC', 'FL', 'FR', 'BL', 'BR', 'LFE'],
}

/** The positions of the decoded channels; none when their number has no usual order. */
export const m4aSpeakers = (channels: number): readonly Speaker[] => SPEAKERS[channels] ?? []

/** Reads the only audio track of a `moov` box; the whole box is in `moov`. */
export function readMp4Track(moov: Buffer): Mp4Track | Mp4Problem {
  const [root] = boxesIn(moov, 0, moov.length)
  if (!root) return UNREADABLE
  const tracks = [...boxesIn(moov, root.body, root.end)].filter(({ type }) => type === 'trak')
  const kinds = tracks.map((trak) => handlerOf(moov, trak))
  if (kinds.includes('vide'))
    return {
      code: 'unsupported_format',
      message: 'This is a video. Export its audio as M4A, MP3, WAV, FLAC or AIFF.',
    } as const
  const audio = tracks.filter((_, n) => kinds[n] === 'soun')
  if (audio.length === 0) return unsupported('This MP4 file has no audio track.')
  if (audio.length > 1) return unsupported('This file has several audio tracks.')
  try {
    return readTrack(moov, root, audio[0]!)
  } catch (error) {
    // A position beyond the end of the index.
    if (error instanceof RangeError) return UNREADABLE
    throw error
  }
}

function handlerOf(moov: Buffer, trak: Box): string {
  const hdlr = findBox(moov, trak, 'mdia', 'hdlr')
  return hdlr ? moov.toString('latin1', hdlr.body + 8, hdlr.body + 12) : ''
}

function readTrack(moov: Buffer, root: Box, trak: Box): Mp4Track | Mp4Problem {
  const mvhd = findBox(moov, root, 'mvhd')
  const tkhd = findBox(moov, trak, 'tkhd')
  const edts = findBox(moov, trak, 'edts')
  const mdhd = findBox(moov, trak, 'mdia', 'mdhd')
  const minf = findBox(moov, trak, 'mdia', 'minf')
  const stbl = minf && findBox(moov, minf, 'stbl')
  if (!mvhd || !tkhd || !mdhd || !minf || !stbl) return UNREADABLE
  const media_header = findBox(moov, minf, 'smhd')
  const byType = new Map([...boxesIn(moov, stbl.body, stbl.end)].map((box) => [box.type, box]))
  const { stsd, stts, stsc, stsz, stz2, stco, co64 } = Object.fromEntries(byType)
  const sizeTable = stsz ?? stz2
  const offsetTable = stco ?? co64
  if (!stsd || !stts || !stsc || !sizeTable || !offsetTable) return UNREADABLE
  const entry = readSampleEntry(moov, stsd)
  if ('code' in entry) return entry
  const sizes = readSizes(moov, sizeTable)
  const isFragmented = findBox(moov, root, 'mvex') !== undefined
  if (sizes?.length === 0) return isFragmented ? FRAGMENTED : NO_AUDIO
  const chunk_offsets = readOffsets(moov, offsetTable)
  const chunk_frames = sizes && readChunkFrames(moov, stsc, chunk_offsets.length, sizes.length)
  const timescale = readTimescale(moov, mdhd)
  if (!sizes || !chunk_frames || timescale === 0) return UNREADABLE
  const timeline = {
    timescale,
    mediaTicks: sumOfTimes(moov, stts),
    movieTimescale: readTimescale(moov, mvhd),
    edits: edts ? readEdits(moov, edts) : [],
    priming: entry.codec === 'aac' ? readPriming(moov, root, entry.core_rate) : undefined,
  }
  return {
    ...entry,
    timescale,
    ...playedPart(timeline),
    ...{ sizes, chunk_offsets, chunk_frames },
    boxes: {
      ...{ mvhd, tkhd, mdhd },
      ...(edts && { edts }),
      ...(media_header && { media_header }),
      tables: [...byType.values()].filter(({ type }) => TABLES.has(type)),
    },
  }
}

/** ffprobe shows such files as "fragmented". */
export const FRAGMENTED = unsupported('This is a fragmented MP4 file, made for streaming.')
const NO_AUDIO: Mp4Problem = { code: 'truncated', message: 'The file has a header but no audio.' }

function readSizes(moov: Buffer, { type, body, end }: Box): Uint32Array | undefined {
  const count = moov.readUInt32BE(body + 8)
  if (count > MAX_FRAMES) return undefined
  const common = type === 'stsz' ? moov.readUInt32BE(body + 4) : 0
  if (common > 0) return new Uint32Array(count).fill(common)
  const fieldBits = type === 'stsz' ? 32 : moov[body + 7]!
  if (body + 12 + Math.ceil((count * fieldBits) / 8) > end) return undefined
  return Uint32Array.from({ length: count }, (_, n) => {
    if (fieldBits === 32) return moov.readUInt32BE(body + 12 + 4 * n)
    if (fieldBits === 16) return moov.readUInt16BE(body + 12 + 2 * n)
    if (fieldBits === 8) return moov[body + 12 + n]!
    const pair = moov[body + 12 + (n >> 1)]!
    return n & 1 ? pair & 15 : pair >> 4
  })
}

function readOffsets(moov: Buffer, { type, body, end }: Box): Float64Array {
  const entryBytes = type === 'stco' ? 4 : 8
  const count = Math.min(moov.readUInt32BE(body + 4), Math.floor((end - body - 8) / entryBytes))
  return Float64Array.from({ length: count }, (_, n) => {
    const at = body + 8 + entryBytes * n
    return entryBytes === 4 ? moov.readUInt32BE(at) : Number(moov.readBigUInt64BE(at))
  })
}

/** The frames of each chunk (`stsc`); undefined unless the chunks have exactly as many frames as there are sizes. */
function readChunkFrames(moov: Buffer, stsc: Box, chunks: number, frames: number): Uint32Array | undefined {
  const count = moov.readUInt32BE(stsc.body + 4)
  if (stsc.body + 8 + 12 * count > stsc.end) return undefined
  const result = new Uint32Array(chunks)
  for (let n = 0; n < count; n++) {
    const at = stsc.body + 8 + 12 * n
    const first = moov.readUInt32BE(at)
    const next = n + 1 < count ? moov.readUInt32BE(at + 12) : chunks + 1
    if (first < 1 || next < first) return undefined
    result.fill(moov.readUInt32BE(at + 4), first - 1, Math.min(next - 1, chunks))
  }
  return result.reduce((sum, each) => sum + each, 0) === frames ? result : undefined
}

/** `mvhd` and `mdhd`: version 1 has dates of 64 bits. */
const readTimescale = (moov: Buffer, { body }: Box): number => moov.readUInt32BE(body + (moov[body] === 1 ? 20 : 12))

function sumOfTimes(moov: Buffer, stts: Box): number {
  const count = moov.readUInt32BE(stts.body + 4)
  let sum = 0
  for (let n = 0; n < count; n++) {
    sum += moov.readUInt32BE(stts.body + 8 + 8 * n) * moov.readUInt32BE(stts.body + 12 + 8 * n)
  }
  return sum
}

/** An edit in the movie's timescale, from a position in the track's; −1 is a pause. */
type Edit = { duration: number; media_time: number }

function readEdits(moov: Buffer, edts: Box): Edit[] {
  const elst = findBox(moov, edts, 'elst')
  if (!elst) return []
  const isLong = moov[elst.body] === 1
  const entryBytes = isLong ? 20 : 12
  const count = Math.min(moov.readUInt32BE(elst.body + 4), Math.floor((elst.end - elst.body - 8) / entryBytes))
  return Array.from({ length: count }, (_, n) => {
    const at = elst.body + 8 + entryBytes * n
    return isLong
      ? { duration: Number(moov.readBigUInt64BE(at)), media_time: Number(moov.readBigInt64BE(at + 8)) }
      : { duration: moov.readUInt32BE(at), media_time: moov.readInt32BE(at + 4) }
  })
}

/** iTunes’ note on gapless playback, in samples of the core's rate. */
type Priming = { start_seconds: number; seconds: number | undefined }

/** The text of the tag `iTunSMPB`; undefined without one. */
export function findGaplessNote(moov: Buffer, root: Box): string | undefined {
  const ilst = findIlst(moov, root)
  if (!ilst) return undefined
  for (const item of boxesIn(moov, ilst.body, ilst.end)) {
    if (item.type !== '----') continue
    const name = findBox(moov, item, 'name')
    const data = findBox(moov, item, 'data')
    if (!name || !data || moov.toString('latin1', name.body + 4, name.end) !== 'iTunSMPB') continue
    const text = moov.toString('latin1', data.body + 8, data.end)
    return /^(?: [0-9A-F]{8,16}){4,16}$/i.test(text) ? text : undefined
  }
  return undefined
}

/** The list of tags; QuickTime's form of `meta` has no version field. */
export function findIlst(moov: Buffer, root: Box): Box | undefined {
  const meta = findBox(moov, root, 'udta', 'meta') ?? findBox(moov, root, 'meta')
  if (!meta) return undefined
  return findBox(moov, { ...meta, body: meta.body + 4 }, 'ilst') ?? findBox(moov, meta, 'ilst')
}

function readPriming(moov: Buffer, root: Box, rate: number): Priming | undefined {
  const fields = findGaplessNote(moov, root)
    ?.trim()
    .split(' ')
    .map((field) => Number.parseInt(field, 16))
  const [, priming = 0, , samples = 0] = fields ?? []
  if (!fields || priming > rate) return undefined
  return { start_seconds: priming / rate, seconds: samples > 0 ? samples / rate : undefined }
}

type Timeline = {
  timescale: number
  mediaTicks: number
  movieTimescale: number
  edits: readonly Edit[]
  priming: Priming | undefined
}

/**
 * The edit list says which part of the track is played, otherwise iTunes' note. Several edits are played as one. The
 * duration of an edit is rounded to the movie's timescale, often milliseconds, so it counts only when it is shorter
 * than the rest of the track by more than that.
 */
function playedPart(timeline: Timeline): Pick<Mp4Track, 'start_seconds' | 'end_seconds'> {
  const { timescale, mediaTicks, movieTimescale, edits, priming } = timeline
  const mediaEnd = mediaTicks / timescale
  const media = edits.filter(({ media_time }) => media_time >= 0)
  const [first] = media
  if (priming && (first?.media_time ?? 0) === 0) {
    const end = priming.seconds === undefined ? mediaEnd : Math.min(mediaEnd, priming.start_seconds + priming.seconds)
    return { start_seconds: priming.start_seconds, end_seconds: end }
  }
  if (!first) return { start_seconds: 0, end_seconds: mediaEnd }
  const start = Math.min(mediaEnd, first.media_time / timescale)
  const duration = movieTimescale > 0 && media.length === 1 ? first.duration / movieTimescale : 0
  const isShorter = duration > 0 && start + duration + 1 / movieTimescale < mediaEnd
  return { start_seconds: start, end_seconds: isShorter ? start + duration : mediaEnd }
}
