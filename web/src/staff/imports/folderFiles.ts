import { imports, mostLikelyCover, uploads } from '@dubplate/contract'
import { count } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { type FolderFile, listEntry } from '../../platform/folderEntries.ts'
import * as texts from './texts.ts'

export type ChosenFolder = {
  name: string
  /** The music, in natural order. */
  files: FolderFile[]
  /** The most likely cover picture of each folder with music, by folder. */
  covers: ReadonlyMap<string, FolderFile>
  /** CSV and XLSX files that may describe the music. */
  sheets: FolderFile[]
  /** Number of other files. */
  otherCount: number
  /** Opens the folder again after a reload, in browsers that support it. */
  handle?: FileSystemDirectoryHandle | undefined
}

const compareNaturally = new Intl.Collator('en', { numeric: true }).compare

const isHidden = ({ file }: FolderFile): boolean => file.name.startsWith('.')

const isMusic = (item: FolderFile): boolean => {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(item.file.name)?.[1]?.toLowerCase() ?? ''
  return !isHidden(item) && (uploads.AUDIO_ENDINGS as readonly string[]).includes(extension)
}

const isSheet = (item: FolderFile): boolean => !isHidden(item) && /\.(?:csv|xlsx)$/i.test(item.file.name)

/** Sorts the files of a folder by what they are. */
export function makeFolder(name: string, all: readonly FolderFile[]): ChosenFolder {
  const files = all.filter(isMusic).sort((a, b) => compareNaturally(a.path, b.path))
  const covers = findCovers(all, new Set(files.map(parentOf)))
  const sheets = all.filter(isSheet)
  return { name, files, covers, sheets, otherCount: all.length - files.length - covers.size - sheets.length }
}

/** The folder of a file, relative to the chosen one, which is ''. */
export const parentOf = ({ path }: FolderFile): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function findCovers(all: readonly FolderFile[], folders: ReadonlySet<string>): Map<string, FolderFile> {
  const covers = new Map<string, FolderFile>()
  for (const item of all) {
    const folder = parentOf(item)
    const { name } = item.file
    const isBest = mostLikelyCover([name, covers.get(folder)?.file.name ?? '']) === name
    if (isBest && folders.has(folder)) covers.set(folder, item)
  }
  return covers
}

/** Why a folder cannot be imported; '' if it can. */
export function findFolderProblem({ files }: ChosenFolder): string {
  if (files.length === 0) return texts.noMp3WavFlacOr
  const max = imports.MAX_IMPORT_FILES
  return files.length > max ? format(texts.anImportCanHaveUp, { max: count(max) }) : ''
}

/** The content of a folder input: paths start with the name of the folder. */
export function readFolderInput(files: Iterable<File>): ChosenFolder | undefined {
  const all = [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }))
  const [first] = all
  if (!first) return undefined
  if (!first.path.includes('/')) return makeFolder(texts.files, all)
  const name = first.path.split('/')[0] ?? ''
  return makeFolder(
    name,
    all.map(({ file, path }) => ({ file, path: path.slice(name.length + 1) })),
  )
}

/** Dropped items: folders with everything below them, and files. */
export async function readDroppedItems(items: DataTransferItemList): Promise<ChosenFolder | undefined> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  const [first] = entries
  if (!first) return undefined
  const isOneFolder = entries.length === 1 && first.isDirectory
  // The browser provides handles only while the drop event is being handled.
  const openingHandle = isOneFolder ? items[0]?.getAsFileSystemHandle?.().catch(() => null) : undefined
  const all: FolderFile[] = []
  for (const entry of entries) all.push(...(await listEntry(entry, isOneFolder ? '' : entry.name)))
  const handle = await openingHandle
  const folder = makeFolder(isOneFolder ? first.name : texts.files, all)
  return handle?.kind === 'directory' ? { ...folder, handle: handle as FileSystemDirectoryHandle } : folder
}

/** Lists a folder by its handle. */
export async function readFolderHandle(handle: FileSystemDirectoryHandle): Promise<ChosenFolder> {
  return { ...makeFolder(handle.name, await listHandle(handle, '')), handle }
}

async function listHandle(folder: FileSystemDirectoryHandle, path: string): Promise<FolderFile[]> {
  const files: FolderFile[] = []
  for await (const entry of folder.values()) {
    const entryPath = path ? `${path}/${entry.name}` : entry.name
    if (entry.kind === 'directory') files.push(...(await listHandle(entry, entryPath)))
    else files.push({ file: await entry.getFile(), path: entryPath })
  }
  return files
}
