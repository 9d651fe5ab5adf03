import type { Dirent } from 'node:fs'
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { SheetFile } from './file-details.ts'
import { isUnreadKind, type Skipped, unreadableSkip } from './skipped-files.ts'
import { SHEET_EXTENSION } from './song-sheet.ts'

export type FoundFile = {
  path: string
  bytes: number
  /** Only for a file that a browser sent. */
  sha256?: string
}

export const SUPPORTED_EXTENSIONS = /\.(mp3|wave?|flac|aif[fc]?|m4a|og[ga]|opus)$/i
const naturalCompare = new Intl.Collator('en', { numeric: true }).compare

/**
 * Returns the audio files in a folder and below it, in natural order. Dot files and other files are ignored; an audio
 * file with a wrong extension is recognised by its first bytes. Folders and files that cannot be opened are reported as
 * skipped, and so are links that lead out of `within` (a real path), if it is given. Sheets next to the files are
 * returned as well.
 */
export async function findAudio(
  folder: string,
  { within }: { within?: string | undefined } = {},
): Promise<{ files: FoundFile[]; skipped: Skipped[]; sheets: SheetFile[] }> {
  const result = { files: [] as FoundFile[], skipped: [] as Skipped[], sheets: [] as SheetFile[], within }
  await walk(folder, new Set(), result)
  return { files: result.files, skipped: result.skipped, sheets: result.sheets }
}

type WalkResult = Awaited<ReturnType<typeof findAudio>> & { within: string | undefined }

/** Returns whether a real path is a folder or inside it. */
export const isWithin = (place: string, folder: string): boolean => {
  const relative = path.relative(folder, place)
  return relative === '' || (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative))
}

/** A folder that several links lead to, or that links to itself, is walked once. */
async function walk(folder: string, seen: Set<string>, result: WalkResult): Promise<void> {
  let entries: Dirent[]
  try {
    const real = await realpath(folder)
    if (seen.has(real)) return
    seen.add(real)
    entries = await readdir(folder, { withFileTypes: true })
  } catch (error) {
    result.skipped.push(unreadableSkip(folder, error))
    return
  }
  const visible = entries.filter(({ name }) => !name.startsWith('.'))
  for (const entry of visible.sort((a, b) => naturalCompare(a.name, b.name))) {
    await visit(entry, path.join(folder, entry.name), seen, result)
  }
}

async function visit(entry: Dirent, place: string, seen: Set<string>, result: WalkResult): Promise<void> {
  if (entry.isDirectory()) return walk(place, seen, result)
  if (!entry.isFile() && !entry.isSymbolicLink()) return
  if (entry.isFile() && SHEET_EXTENSION.test(entry.name)) return recordSheet(place, result)
  const looksLikeAudio = SUPPORTED_EXTENSIONS.test(place) || isUnreadKind(place)
  try {
    if (entry.isSymbolicLink() && result.within !== undefined && !isWithin(await realpath(place), result.within)) {
      result.skipped.push({
        path: place,
        reason: 'symbolic link',
        detail: 'This link points outside the import folders.',
      })
      return
    }
    const { size, ...kind } = await stat(place).then((s) => ({
      size: s.size,
      folder: s.isDirectory(),
      file: s.isFile(),
    }))
    if (kind.folder) return await walk(place, seen, result)
    if (kind.file && (looksLikeAudio || (await startsLikeAudio(place)))) result.files.push({ path: place, bytes: size })
  } catch (error) {
    if (looksLikeAudio) result.skipped.push(unreadableSkip(place, error))
  }
}

async function recordSheet(place: string, result: WalkResult): Promise<void> {
  const { size } = await stat(place).catch(() => ({ size: 0 }))
  result.sheets.push({ path: place, bytes: size, read: () => readFile(place) })
}

/** RIFF WAVE, AIFF, FLAC, M4A, Ogg, an ID3 tag, or the first frame of an MP3 (ISO 11172-3: eleven ones, then layer III). */
async function startsLikeAudio(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(12), 0, 12, 0)
    if (bytesRead < 12) return false
    const text = buffer.toString('latin1')
    const isFrame = buffer[0] === 0xff && ((buffer[1] ?? 0) & 0xe6) === 0xe2
    return isFrame || /^(?:RIFF.{4}WAVE|FORM.{4}AIF[FC]|fLaC|ID3|OggS|.{4}ftypM4A )/s.test(text)
  } finally {
    await handle.close()
  }
}
