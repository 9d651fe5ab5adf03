import path from 'node:path'
import type { TagEncoding } from '../audio-files/text-encoding.ts'
import { hashFile } from '../platform/storage.ts'
import { rankDescription } from './description-rank.ts'
import { describeFile, type FileDetails, isDescribedByStaff } from './file-details.ts'
import type { OpenFile } from './file-preparation.ts'
import type { FoundFile } from './folder-walk.ts'
import { readTags } from './tags.ts'

export type CompareOptions = {
  folder: string
  section: number
  genre?: string | undefined
  encoding?: TagEncoding | undefined
  details: FileDetails
  open: (file: FoundFile) => Promise<OpenFile>
  signal: AbortSignal
}

/**
 * Finds files with the same content. The best described one is imported; `duplicates` are the others, best
 * first, which are tried when the first one could not be imported. Only files of equal size are read.
 */
export async function separateDuplicates(
  files: readonly FoundFile[],
  options: CompareOptions,
): Promise<{ files: FoundFile[]; duplicates: FoundFile[] }> {
  const duplicates = new Set<FoundFile>()
  for (const sameSize of groupBy(files, ({ bytes }) => bytes)) {
    if (sameSize.length < 2 || options.signal.aborted) continue
    const hashes = new Map<FoundFile, string>()
    for (const file of sameSize) hashes.set(file, (await computeHash(file, options)) ?? file.path)
    for (const same of groupBy(sameSize, (file) => hashes.get(file))) {
      if (same.length < 2) continue
      for (const duplicate of (await sortByRank(same, options)).slice(1)) duplicates.add(duplicate)
    }
  }
  return { files: files.filter((file) => !duplicates.has(file)), duplicates: [...duplicates] }
}

function groupBy<T>(all: readonly T[], getKey: (item: T) => unknown): T[][] {
  const groups = new Map<unknown, T[]>()
  for (const item of all) groups.set(getKey(item), [...(groups.get(getKey(item)) ?? []), item])
  return [...groups.values()]
}

/** Undefined for a file that cannot be opened, which is reported when it is imported. */
async function computeHash(file: FoundFile, { open, signal }: CompareOptions): Promise<string | undefined> {
  if (file.sha256) return file.sha256
  if (signal.aborted) return undefined
  try {
    const opened = await open(file)
    return await hashFile(opened.path).finally(opened.done)
  } catch {
    return undefined
  }
}

async function sortByRank(same: readonly FoundFile[], options: CompareOptions): Promise<FoundFile[]> {
  const ranks = new Map<FoundFile, number>()
  for (const file of same) ranks.set(file, await computeRank(file, options))
  return [...same].sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0))
}

/** Rates the description of a file. Duplicates have the same tags, so they differ in names, folders and sheet rows. */
async function computeRank(file: FoundFile, options: CompareOptions): Promise<number> {
  const name = path.relative(options.folder, file.path)
  if (options.details.excluded.has(name)) return -1
  const opened = await options.open(file).catch(() => undefined)
  if (!opened) return -1
  const tags = await readTags(opened.path, { pictures: false, encoding: options.encoding }).finally(opened.done)
  const { entry } = describeFile(options, file.path, tags)
  return rankDescription({ name, tags, entry, isDescribed: isDescribedByStaff(options.details, name) })
}
