import { type Library, type LibraryEntry, type LibraryFile, readLibrary } from './read-library.ts'

/** Files for the tests of the readers. The product does not use it. */

export const encoder = new TextEncoder()

function fileOf(content: string | Uint8Array): LibraryFile {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content
  return { size: bytes.length, read: async (start, end) => bytes.slice(start, end) }
}

export const read = (content: string | Uint8Array): Promise<Library> => readLibrary(fileOf(content))

export const entryWith = (values: Partial<LibraryEntry>): LibraryEntry => ({
  artist: '',
  title: '',
  version: '',
  remixer: '',
  album: '',
  isrc: '',
  duration_seconds: null,
  bpm: null,
  bytes: null,
  file_name: '',
  path_parts: [],
  ...values,
})
