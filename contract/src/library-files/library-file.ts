/** A file of which parts can be read. Of a `File` in the browser: `file.slice(start, end).arrayBuffer()`. */
export type LibraryFile = { size: number; read(start: number, end: number): Promise<Uint8Array> }

export type LibraryFormat = 'rekordbox' | 'traktor' | 'serato' | 'virtualdj' | 'virtualdj_list' | 'engine' | 'm3u'

/** A music file of a member's library. Texts are '' when the library does not have them. */
export type LibraryEntry = {
  artist: string
  title: string
  /** From a field of its own, such as rekordbox's `Mix`. Usually the version is in the title. */
  version: string
  remixer: string
  album: string
  isrc: string
  duration_seconds: number | null
  bpm: number | null
  /** Null when the library rounds it. */
  bytes: number | null
  file_name: string
  /** The file name and the two folders it is in, or fewer: ['Music', 'House', 'Artist - Title.mp3']. */
  path_parts: string[]
}

type FailureCode = 'unknown_format' | 'incomplete' | 'damaged'

const MESSAGES: Record<FailureCode, string> = {
  unknown_format:
    "This file isn't a library of a DJ program. Choose collection.nml, rekordbox.xml, database V2, database.xml, m.db or an M3U8 playlist.",
  incomplete: 'This file is incomplete. Export or copy it again.',
  damaged: 'This file is damaged. Export or copy it again.',
}

/** Why a file could not be read, or not to its end. */
export class LibraryFileError extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode) {
    super(MESSAGES[code])
    this.name = 'LibraryFileError'
    this.code = code
  }
}

const CHUNK_BYTES = 256 * 1024

/** The whole file, one part after the other. */
export async function* chunksOf(file: LibraryFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += CHUNK_BYTES) yield await file.read(at, Math.min(file.size, at + CHUNK_BYTES))
}
