import { allowedNote, isAllowedComment } from './allowed-tags.ts'
import { MAX_MOOV_BYTES } from './integrity-m4a.ts'
import { type Box, boxesIn, findBox, findTopLevel, type TopLevel } from './mp4-boxes.ts'
import { findGaplessNote, findIlst, type Mp4Track, readMp4Track } from './mp4-track.ts'
import type { OriginalFile } from './original-file.ts'
import type { ParsedPayload } from './payload.ts'
import { createTagBudget } from './tag-budget.ts'

/** Brands only: four bytes each. */
const MAX_FTYP_BYTES = 256
const MAX_LIST_BYTES = 64 * 1024
/** More than the boxes of two versions of the track's head. */
const MAX_HEAD_BYTES = 4096

/**
 * Returns the audio of an M4A file and what its index says about it. The tables of the index are ranges of their own.
 * Other tracks, such as chapters, are left out. Null when the file cannot be rewritten safely.
 */
export async function findM4aPayload(file: OriginalFile): Promise<ParsedPayload> {
  const { ftyp, moov: place } = await readTopLevel(file)
  if (!place || place.size > MAX_MOOV_BYTES) return null
  const moov = await file.read(place.at, place.size)
  const track = moov.length === place.size ? readMp4Track(moov) : undefined
  if (!track || 'code' in track) return null
  const { audio, chunks } = findChunks(track)
  if (audio.some(({ start, end }) => start < 0 || end > file.size)) return null
  const tables = joinRanges(
    track.boxes.tables.map(({ start, end }) => ({ start: place.at + start, end: place.at + end })),
  )
  const [root] = boxesIn(moov, 0, moov.length)
  const { mvhd, tkhd, edts, mdhd } = track.boxes
  if ([mvhd, tkhd, mdhd, edts].some((box) => box && box.end - box.start > MAX_HEAD_BYTES)) return null
  const gapless = findGaplessNote(moov, root!)
  const { comments, comment } = readCredits(moov, root!)
  const brands = ftyp && ftyp.size <= MAX_FTYP_BYTES ? await file.read(ftyp.at, ftyp.size) : undefined
  return {
    ranges: [...tables, ...audio],
    kept: {
      kind: 'm4a',
      boxes: {
        ...(brands && { ftyp: brands.toString('base64') }),
        ...{ mvhd: withoutDates(moov, mvhd), tkhd: withoutDates(moov, tkhd), mdhd: withoutDates(moov, mdhd) },
        ...(edts && { edts: moov.toString('base64', edts.start, edts.end) }),
      },
      ...{ table_ranges: tables.length, chunks: chunks.toString('base64') },
      ...(gapless ? { gapless } : {}),
      ...(track.codec === 'alac' ? { codec: track.codec } : {}),
      comments,
      ...(comment ? { comment } : {}),
    },
  }
}

async function readTopLevel(file: OriginalFile): Promise<TopLevel> {
  const search = findTopLevel(file.size)
  let step = search.next(Buffer.alloc(0))
  while (!step.done) step = search.next(await file.read(step.value.at, step.value.length))
  return step.value
}

type Range = { start: number; end: number }

/** The bytes of all chunks in the order they are played, and the length of each. */
function findChunks({ sizes, chunk_offsets, chunk_frames }: Mp4Track): { audio: Range[]; chunks: Buffer } {
  const lengths = Buffer.alloc(4 * chunk_offsets.length)
  const ranges: Range[] = []
  let frame = 0
  chunk_offsets.forEach((start, chunk) => {
    let length = 0
    for (let count = chunk_frames[chunk]!; count > 0; count--) length += sizes[frame++]!
    lengths.writeUInt32BE(length, 4 * chunk)
    ranges.push({ start, end: start + length })
  })
  return { audio: joinRanges(ranges), chunks: lengths }
}

/** Joins ranges that follow each other in the file. */
function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: Range[] = []
  for (const { start, end } of ranges) {
    const last = joined.at(-1)
    if (last?.end === start) last.end = end
    else joined.push({ start, end })
  }
  return joined
}

/** `mvhd`, `tkhd` and `mdhd` begin with the dates of creation and modification; version 1 has 64 bits for each. */
function withoutDates(moov: Buffer, { start, body, end }: Box): string {
  const copy = Buffer.from(moov.subarray(start, end))
  const at = body - start
  copy.fill(0, at + 4, at + (copy[at] === 1 ? 20 : 12))
  return copy.toString('base64')
}

/** The names of tags that iTunes writes as boxes of their own (QuickTime File Format, user data). */
const CREDITS: Record<string, string> = { '\xa9wrt': 'COMPOSER', cprt: 'COPYRIGHT', '\xa9cmt': 'COMMENT' }

/** The credits as Vorbis comments ('NAME=value'), and the comment. */
function readCredits(moov: Buffer, root: Box): { comments: string[]; comment?: string | undefined } {
  const ilst = findIlst(moov, root)
  if (!ilst) return { comments: [] }
  const limit = createTagBudget()
  const comments: string[] = []
  let comment: string | undefined
  for (const item of boxesIn(moov, ilst.body, ilst.end)) {
    const data = findBox(moov, item, 'data')
    const nameBox = item.type === '----' ? findBox(moov, item, 'name') : undefined
    const name = nameBox ? moov.toString('utf8', nameBox.body + 4, nameBox.end).toUpperCase() : CREDITS[item.type]
    if (!data || name === undefined || data.end - data.body > MAX_LIST_BYTES) continue
    const text = moov.toString('utf8', data.body + 8, data.end)
    if (name === 'COMMENT') comment ??= allowedNote(text)
    else if (isAllowedComment(`${name}=${text}`) && limit.fits(text.length)) comments.push(`${name}=${text}`)
  }
  return { comments, comment }
}
