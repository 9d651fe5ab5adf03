import type { Dirent } from 'node:fs'
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { SheetFile } from './file-details.ts'
import { isUnreadKind, type Skipped, unopened } from './skipped.ts'
import { IS_SHEET } from './song-sheet.ts'

export type FoundFile = {
  path: string
  bytes: number
  /** Of a file that a browser sent. */
  sha256?: string
}

export const OUR_KINDS = /\.(mp3|wave?|flac|aif[fc]?)$/i
const natural = new Intl.Collator('en', { numeric: true }).compare

/**
 * The audio files in a folder and below it, in the order a person would list them. Dot files and what is no audio are
 * passed over; an audio file with a wrong ending is found by its first bytes. Folders and files that do not open are told,
 * and links that lead out of `within` (a folder without links itself), where it is given. Sheets beside the files are found as well.
 */
export async function findAudio(
  folder: string,
  { within }: { within?: string | undefined } = {},
): Promise<{ files: FoundFile[]; skipped: Skipped[]; sheets: SheetFile[] }> {
  const found = { files: [] as FoundFile[], skipped: [] as Skipped[], sheets: [] as SheetFile[], within }
  await walk(folder, new Set(), found)
  return { files: found.files, skipped: found.skipped, sheets: found.sheets }
}

type Found = Awaited<ReturnType<typeof findAudio>> & { within: string | undefined }

/** Whether a place, without links, is a folder or in it. */
export const isWithin = (place: string, folder: string): boolean => {
  const way = path.relative(folder, place)
  return way === '' || (!way.startsWith(`..${path.sep}`) && way !== '..' && !path.isAbsolute(way))
}

/** A folder that links lead to twice, or that is inside itself, is walked once. */
async function walk(folder: string, seen: Set<string>, found: Found): Promise<void> {
  let entries: Dirent[]
  try {
    const real = await realpath(folder)
    if (seen.has(real)) return
    seen.add(real)
    entries = await readdir(folder, { withFileTypes: true })
  } catch (error) {
    found.skipped.push(unopened(folder, error))
    return
  }
  const visible = entries.filter(({ name }) => !name.startsWith('.'))
  for (const entry of visible.sort((a, b) => natural(a.name, b.name))) {
    await visit(entry, path.join(folder, entry.name), seen, found)
  }
}

async function visit(entry: Dirent, place: string, seen: Set<string>, found: Found): Promise<void> {
  if (entry.isDirectory()) return walk(place, seen, found)
  if (!entry.isFile() && !entry.isSymbolicLink()) return
  if (entry.isFile() && IS_SHEET.test(entry.name)) return noteSheet(place, found)
  const claimsAudio = OUR_KINDS.test(place) || isUnreadKind(place)
  try {
    if (entry.isSymbolicLink() && found.within !== undefined && !isWithin(await realpath(place), found.within)) {
      found.skipped.push({
        path: place,
        reason: 'symbolic link',
        detail: 'This link points outside the import folders.',
      })
      return
    }
    const { size, ...what } = await stat(place).then((s) => ({
      size: s.size,
      folder: s.isDirectory(),
      file: s.isFile(),
    }))
    if (what.folder) return await walk(place, seen, found)
    if (what.file && (claimsAudio || (await startsLikeAudio(place)))) found.files.push({ path: place, bytes: size })
  } catch (error) {
    if (claimsAudio) found.skipped.push(unopened(place, error))
  }
}

async function noteSheet(place: string, found: Found): Promise<void> {
  const { size } = await stat(place).catch(() => ({ size: 0 }))
  found.sheets.push({ path: place, bytes: size, read: () => readFile(place) })
}

/** RIFF WAVE, AIFF, FLAC, an ID3 tag, or the first frame of an MP3 (ISO 11172-3: eleven ones, then layer III). */
async function startsLikeAudio(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(12), 0, 12, 0)
    if (bytesRead < 12) return false
    const text = buffer.toString('latin1')
    const isFrame = buffer[0] === 0xff && ((buffer[1] ?? 0) & 0xe6) === 0xe2
    return isFrame || /^(?:RIFF.{4}WAVE|FORM.{4}AIF[FC]|fLaC|ID3)/s.test(text)
  } finally {
    await handle.close()
  }
}
