import { ownLibrary } from '@dubplate/contract'
import { entryOfFile, type LibraryEntry, LibraryFileError, readLibrary } from '@dubplate/contract/library-files'
import { count } from '../format/format.ts'
import { format } from '../format/message.ts'
import type { FolderFile } from '../platform/folderEntries.ts'
import { FORMAT_NAMES } from './formatNames.ts'
import * as texts from './texts.ts'

/** A library that was read in the browser. */
export type ReadLibrary = {
  /** Suggested: the program, the folder, or the list. */
  name: string
  format: ownLibrary.CollectionFormat
  entries: LibraryEntry[]
  /** Why the file was not read to its end; the entries are those before that place. */
  damage: string | null
}

/** A file or folder that cannot be imported; the message is for the member. */
class UnreadableError extends Error {
  override name = 'UnreadableError'
}

const AUDIO = /\.(?:mp3|wav|flac|aiff?|m4a|mp4|aac|ogg|opus|wma|alac)$/i
/** macOS writes such a file next to each file on foreign drives. */
const HIDDEN = /(?:^|\/)\._/
const LIBRARY_NAME = /^(?:collection\.nml|database V2|database\.xml|rekordbox\.xml|m\.db)$/i

const isAudio = ({ path }: FolderFile) => AUDIO.test(path) && !HIDDEN.test(path)

type ReadOptions = { signal: AbortSignal; onProgress: (share: number) => void }

/**
 * Reads the library of a DJ program, or the names of music files. Nothing is sent anywhere.
 *
 * @throws {UnreadableError} with a message for the member.
 */
export async function readFiles(files: readonly FolderFile[], options: ReadOptions): Promise<ReadLibrary> {
  const library = await readAny(files, options)
  if (library.entries.length === 0) throw new UnreadableError(library.damage ?? texts.libraryIsEmpty)
  if (library.entries.length > ownLibrary.MAX_LIBRARY_ENTRIES)
    throw new UnreadableError(
      format(texts.libraryIsTooLarge, {
        max: count(ownLibrary.MAX_LIBRARY_ENTRIES),
        count: count(library.entries.length),
      }),
    )
  return library
}

async function readAny(files: readonly FolderFile[], options: ReadOptions): Promise<ReadLibrary> {
  const [first] = files
  if (!first) throw new UnreadableError(texts.folderIsEmpty)
  const folder = first.path.includes('/') ? first.path.slice(0, first.path.indexOf('/')) : undefined
  const audio = files.filter(isAudio)
  if (audio.length > 0)
    return {
      name: folder || texts.musicFiles,
      format: 'folder',
      entries: audio.flatMap(({ path, file }) => entryOfFile(path, file.size) ?? []),
      damage: null,
    }
  const libraries = folder ? files.filter(({ file }) => LIBRARY_NAME.test(file.name)) : files
  if (libraries.length > 1) throw new UnreadableError(texts.chooseOneLibrary)
  const [library] = libraries
  if (!library) throw new UnreadableError(format(texts.noMusicInFolder, { folder: folder ?? '' }))
  return readLibraryFile(library.file, options)
}

async function readLibraryFile(file: File, { signal, onProgress }: ReadOptions): Promise<ReadLibrary> {
  let bytesRead = 0
  const read = async (start: number, end: number) => {
    signal.throwIfAborted()
    const bytes = new Uint8Array(await file.slice(start, end).arrayBuffer())
    bytesRead += bytes.length
    onProgress(Math.min(1, bytesRead / file.size))
    return bytes
  }
  try {
    const { format, entries, error } = await readLibrary({ size: file.size, read })
    return {
      name: FORMAT_NAMES[format] ?? withoutExtension(file.name),
      format,
      entries,
      damage: error?.message ?? null,
    }
  } catch (error) {
    if (error instanceof LibraryFileError) throw new UnreadableError(error.message)
    // The file was moved or changed since it was chosen, or its drive was removed.
    if (error instanceof DOMException && error.name !== 'AbortError')
      throw new UnreadableError(format(texts.couldntOpenFile, { name: file.name }))
    throw error
  }
}

const withoutExtension = (name: string) => name.replace(/\.[^.]+$/, '')
