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

/** The name of a downloaded file: 'Artist - Title (Version).mp3'. */
export const downloadName = ({ format, ...version }: NamedTrack & { format: AudioFormat }): string =>
  fileName(DEFAULT_FILE_TEMPLATE, { ...version, extension: EXTENSIONS[format] })

/** An attachment header with the name in UTF-8 and, for old clients, a readable ASCII one. */
export function contentDisposition(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]+/g, '_')
  return disposition(name, { fallback: ascii })
}
