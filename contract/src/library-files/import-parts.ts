import type { LibraryEntry } from './library-file.ts'

/** The entries of one request to library/import-collection.json. */
export const IMPORT_PART_ENTRIES = 500
/** Longer texts are cut. */
export const MAX_ENTRY_TEXT = 300
/** Requests are limited to 256 kB. */
const MAX_PART_BYTES = 200_000

type SentEntry = Pick<
  LibraryEntry,
  'artist' | 'title' | 'version' | 'remixer' | 'isrc' | 'duration_seconds' | 'bytes' | 'path_parts'
>

/** Without what cannot be stored: NUL, and halves of characters. */
const clean = (text: string): string => text.slice(0, MAX_ENTRY_TEXT).replace(/[\0\p{Surrogate}]/gu, '')

/** Only what is needed to match a file. */
const sentEntry = ({ duration_seconds, bytes, path_parts, ...entry }: LibraryEntry): SentEntry => ({
  artist: clean(entry.artist),
  title: clean(entry.title),
  version: clean(entry.version),
  remixer: clean(entry.remixer),
  isrc: clean(entry.isrc),
  duration_seconds,
  bytes,
  path_parts: path_parts.map(clean),
})

const encoder = new TextEncoder()

/** Splits a library into the parts that library/import-collection.json accepts. */
export function* importParts(entries: readonly LibraryEntry[]): Generator<{ offset: number; entries: SentEntry[] }> {
  let part: SentEntry[] = []
  let bytes = 0
  for (const [n, entry] of entries.entries()) {
    const sent = sentEntry(entry)
    const size = encoder.encode(JSON.stringify(sent)).length + 1
    if (part.length === IMPORT_PART_ENTRIES || (part.length > 0 && bytes + size > MAX_PART_BYTES)) {
      yield { offset: n - part.length, entries: part }
      part = []
      bytes = 0
    }
    part.push(sent)
    bytes += size
  }
  if (part.length > 0) yield { offset: entries.length - part.length, entries: part }
}
