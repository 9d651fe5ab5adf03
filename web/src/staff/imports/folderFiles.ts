import { mostLikelyCover, uploads } from '@dubplate/contract'
import * as texts from './texts.ts'

/** A file with its path relative to the chosen folder. */
export type ChosenFile = { file: File; path: string }

export type ChosenFolder = {
  name: string
  files: ChosenFile[]
  /** The most likely cover picture of each folder with music, by folder. */
  covers: ReadonlyMap<string, ChosenFile>
  /** CSV and XLSX files that may contain metadata. */
  sheets: ChosenFile[]
  /** Number of other files. */
  others: number
  /** Opens the folder again after a reload, in browsers that support it. */
  handle?: FileSystemDirectoryHandle | undefined
}

const natural = new Intl.Collator('en', { numeric: true }).compare

const isMusic = ({ name }: File): boolean => {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return !name.startsWith('.') && (uploads.AUDIO_ENDINGS as readonly string[]).includes(ending)
}

/** The content of a folder input: paths start with the name of the folder. */
export const chosenIn = (files: Iterable<File>): ChosenFolder | undefined => {
  const all = [...files].map((file) => ({ file, whole: file.webkitRelativePath || file.name }))
  const [first] = all
  if (!first) return undefined
  const name = first.whole.includes('/') ? (first.whole.split('/')[0] ?? '') : ''
  return folderOf(
    name || texts.files,
    all.map(({ file, whole }) => ({ file, path: name ? whole.slice(name.length + 1) : whole })),
  )
}

export const folderOf = (name: string, all: readonly ChosenFile[]): ChosenFolder => {
  const files = all.filter(({ file }) => isMusic(file)).sort((a, b) => natural(a.path, b.path))
  const covers = coversAmong(all, new Set(files.map(folderWith)))
  const sheets = all.filter(({ file }) => !file.name.startsWith('.') && /\.(?:csv|xlsx)$/i.test(file.name))
  return { name, files, covers, sheets, others: all.length - files.length - covers.size - sheets.length }
}

/** The folder of a file, relative to the chosen one, which is ''. */
export const folderWith = ({ path }: ChosenFile): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function coversAmong(all: readonly ChosenFile[], folders: ReadonlySet<string>): Map<string, ChosenFile> {
  const covers = new Map<string, ChosenFile>()
  for (const one of all) {
    const folder = folderWith(one)
    const { name } = one.file
    const isBest = mostLikelyCover([name, covers.get(folder)?.file.name ?? '']) === name
    if (isBest && folders.has(folder)) covers.set(folder, one)
  }
  return covers
}

/** Dropped items: folders with everything below them, and files. */
export async function droppedIn(items: DataTransferItemList): Promise<ChosenFolder | undefined> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  const [first] = entries
  if (!first) return undefined
  const isOne = entries.length === 1 && first.isDirectory
  // The browser provides handles only while the drop event is being handled.
  const opening = isOne ? items[0]?.getAsFileSystemHandle?.().catch(() => null) : undefined
  const all: ChosenFile[] = []
  for (const entry of entries) await walk(entry, isOne ? '' : entry.name, all)
  const handle = await opening
  return { ...folderOf(isOne ? first.name : texts.files, all), ...(isFolderHandle(handle) ? { handle } : {}) }
}

const isFolderHandle = (handle: FileSystemHandle | null | undefined): handle is FileSystemDirectoryHandle =>
  handle?.kind === 'directory'

/** Lists a folder by its handle. */
export async function folderIn(handle: FileSystemDirectoryHandle): Promise<ChosenFolder> {
  return { ...folderOf(handle.name, await filesIn(handle, '')), handle }
}

async function filesIn(folder: FileSystemDirectoryHandle, path: string): Promise<ChosenFile[]> {
  const files: ChosenFile[] = []
  for await (const entry of folder.values()) {
    const within = path ? `${path}/${entry.name}` : entry.name
    if (entry.kind === 'directory') files.push(...(await filesIn(entry, within)))
    else files.push({ file: await entry.getFile(), path: within })
  }
  return files
}

async function walk(entry: FileSystemEntry, path: string, all: ChosenFile[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File | undefined>((resolve) =>
      (entry as FileSystemFileEntry).file(resolve, () => resolve(undefined)),
    )
    if (file) all.push({ file, path: path || file.name })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // The reader returns up to a hundred entries at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])))
    if (some.length === 0) return
    for (const one of some) await walk(one, path ? `${path}/${one.name}` : one.name, all)
  }
}
