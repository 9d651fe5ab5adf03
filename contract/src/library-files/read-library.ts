import { readEngine } from './engine-library.ts'
import { type LibraryEntry, type LibraryFile, LibraryFileError, type LibraryFormat } from './library-file.ts'
import { readM3u } from './m3u-playlist.ts'
import { readRekordbox } from './rekordbox-library.ts'
import { readSerato } from './serato-library.ts'
import { readTraktor } from './traktor-library.ts'
import { readVirtualDj, readVirtualDjList } from './virtualdj-library.ts'

export { importParts } from './import-parts.ts'
export { entryOfFile, lastPathParts } from './library-entry.ts'
export { type LibraryEntry, type LibraryFile, LibraryFileError } from './library-file.ts'

/** The libraries of DJ programs, read in the browser or in Node. No byte of a file is sent anywhere. */
export type Library = {
  format: LibraryFormat
  entries: LibraryEntry[]
  /** Why the file was not read to its end; `entries` are those before that place. */
  error: LibraryFileError | null
}

/** @throws {LibraryFileError} for a file that is not a library. */
export async function readLibrary(file: LibraryFile): Promise<Library> {
  const format = await detectFormat(file)
  const entries: LibraryEntry[] = []
  try {
    for await (const entry of READERS[format](file)) entries.push(entry)
  } catch (error) {
    if (!(error instanceof LibraryFileError) || error.code === 'unknown_format') throw error
    return { format, entries, error }
  }
  return { format, entries, error: null }
}

const READERS: Record<LibraryFormat, (file: LibraryFile) => AsyncGenerator<LibraryEntry>> = {
  rekordbox: readRekordbox,
  traktor: readTraktor,
  serato: readSerato,
  virtualdj: readVirtualDj,
  virtualdj_list: readVirtualDjList,
  engine: readEngine,
  m3u: readM3u,
}

/** The root element comes after a declaration, and comments of some converters. */
const HEAD_BYTES = 4096

/** Members rename files, and '.xml' is the name of three formats, so only the content counts. */
async function detectFormat(file: LibraryFile): Promise<LibraryFormat> {
  const bytes = await file.read(0, Math.min(file.size, HEAD_BYTES))
  const head = new TextDecoder().decode(bytes)
  const format = SIGNATURES.find(({ pattern }) => pattern.test(head))?.format
  if (!format) throw new LibraryFileError('unknown_format')
  return format
}

const SIGNATURES: readonly { pattern: RegExp; format: LibraryFormat }[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: part of the signature
  { pattern: /^SQLite format 3\u0000/, format: 'engine' },
  { pattern: /^vrsn/, format: 'serato' },
  { pattern: /^\s*#EXTM3U/i, format: 'm3u' },
  { pattern: /<DJ_PLAYLISTS[\s>]/, format: 'rekordbox' },
  { pattern: /<NML[\s>]/, format: 'traktor' },
  { pattern: /<VirtualDJ_Database[\s>]/, format: 'virtualdj' },
  { pattern: /<VirtualFolder[\s>]/, format: 'virtualdj_list' },
]
