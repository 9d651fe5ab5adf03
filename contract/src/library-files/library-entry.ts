import type { LibraryEntry } from './library-file.ts'

/** What a reader found, as the library writes it; missing values are undefined. */
export type EntryValues = Partial<
  Record<'artist' | 'title' | 'version' | 'remixer' | 'album' | 'isrc', string | undefined>
> & {
  /** Seconds. */
  duration?: string | number | null | undefined
  bpm?: string | number | null | undefined
  bytes?: string | number | null | undefined
}

const PATH_PARTS = 3
/** 'tidal:tracks:1', 'https://…'. A single letter is a drive. */
const STREAM = /^\/?[a-z][a-z0-9+.-]+:(?! )/i

/** Returns the entry of a file; undefined without a path, and for streams, which have no file. */
export function makeEntry(path: string | undefined, values: EntryValues): LibraryEntry | undefined {
  const path_parts = lastPathParts(path ?? '')
  const file_name = path_parts.at(-1)
  if (!file_name || STREAM.test(path ?? '')) return undefined
  const { artist = '', title = '', version = '', remixer = '', album = '', isrc = '' } = values
  return {
    artist: artist.trim(),
    title: title.trim(),
    version: version.trim(),
    remixer: remixer.trim(),
    album: album.trim(),
    isrc: isrc.trim(),
    duration_seconds: positive(values.duration),
    bpm: positive(values.bpm),
    bytes: positive(values.bytes),
    file_name,
    path_parts,
  }
}

/** A music file without a library: all that is known before its tags are read. */
export const entryOfFile = (path: string, bytes: number): LibraryEntry | undefined => makeEntry(path, { bytes })

/** Without the drive: libraries differ in whether they have it. */
export const lastPathParts = (path: string): string[] =>
  path
    .replace(/^\/?[a-z]:(?=[\\/])/i, '')
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .slice(-PATH_PARTS)

function positive(value: string | number | null | undefined): number | null {
  const number = typeof value === 'string' ? Number(value.trim().replace(',', '.')) : value
  return number && Number.isFinite(number) && number > 0 ? number : null
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The path of 'file://localhost/C:/Music/A%20%26%20B.mp3'. A percent sign that escapes nothing stays. */
export function pathOfUrl(url: string): string {
  const path = url.replace(/^file:\/\/(?:localhost(?=\/))?/i, '')
  return path === url ? url : path.replace(/(?:%[0-9a-f]{2})+/gi, decodeEscapes)
}

function decodeEscapes(escapes: string): string {
  const bytes = Uint8Array.from(escapes.slice(1).split('%'), (digits) => Number.parseInt(digits, 16))
  try {
    return decoder.decode(bytes)
  } catch {
    return escapes
  }
}
