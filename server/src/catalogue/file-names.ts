import { DEFAULT_FILE_TEMPLATE, endsWithVersion, fileName } from '@dubplate/contract'
import disposition from 'content-disposition'
import type { AudioFormat } from '../audio-files/faults.ts'

export const EXTENSIONS: Record<AudioFormat, string> = {
  mp3: '.mp3',
  wav: '.wav',
  flac: '.flac',
  aiff: '.aiff',
  m4a: '.m4a',
  ogg: '.ogg',
  opus: '.opus',
}

export type NamedTrack = { artist: string; title: string; version_label: string }

/** 'Title (Version)'. A title that already ends with its version does not repeat it: 'Title [Version]', 'Title - Version'. */
export const titleWithVersion = (title: string, version: string): string =>
  endsWithVersion(title, version) ? title : `${title} (${version.trim()})`

/** 'Artist - Title (Version)', the usual notation for a track. */
export function trackName({ artist, title, version_label }: NamedTrack): string {
  return [artist, titleWithVersion(title, version_label)].filter((part) => part.trim() !== '').join(' - ')
}

/** Lists show the same versions again and again. The latest names are kept, in two maps of so many (about 2 MB). */
const KEPT_NAMES = 4000
let names = new Map<string, string>()
let olderNames = new Map<string, string>()

/** The name of a downloaded file: 'Artist - Title (Version).mp3'. */
export function downloadName({ artist, title, version_label, format }: NamedTrack & { format: AudioFormat }): string {
  // No text in the database has the character between the parts.
  const key = `${artist}\0${title}\0${version_label}\0${format}`
  const kept = names.get(key)
  if (kept !== undefined) return kept
  const name =
    olderNames.get(key) ??
    fileName(DEFAULT_FILE_TEMPLATE, { artist, title, version_label, extension: EXTENSIONS[format] })
  if (names.size >= KEPT_NAMES) {
    olderNames = names
    names = new Map()
  }
  names.set(key, name)
  return name
}

/** An attachment header with the name in UTF-8 and, for old clients, a readable ASCII one. */
export function contentDisposition(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]+/g, '_')
  return disposition(name, { fallback: ascii })
}
