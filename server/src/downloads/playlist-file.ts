import { uniquePaths } from '@dubplate/contract'
import { type NamedTrack, trackName } from '../catalogue/file-names.ts'
import { crc32Of } from './crc32.ts'
import type { ZipEntry } from './zip.ts'

/** `path` is relative to the playlist, with '/' between folders. */
export type PlaylistEntry = NamedTrack & { path: string; duration_seconds: number | null }

/** A song that is not in the archive, and why: a comment in the playlist, which programs ignore. */
export type SkippedTrack = { title: string; why: string }

/**
 * Returns an extended M3U in UTF-8 without a byte order mark, the one playlist format every DJ program imports. Source:
 * RFC 8216 section 4.1 for the encoding; the `#EXTINF` line is Winamp's, where −1 is an unknown length.
 */
export function playlistFile(entries: PlaylistEntry[], skippedTracks: SkippedTrack[] = []): Buffer {
  const lines = [
    ...skippedTracks.map(({ title, why }) => `# Not included: ${oneLine(title)}. ${oneLine(why)}`),
    ...entries.flatMap((entry) => [`#EXTINF:${seconds(entry)},${oneLine(trackName(entry))}`, location(entry)]),
  ]
  return Buffer.from(`${['#EXTM3U', ...lines].join('\n')}\n`, 'utf8')
}

/**
 * Returns the playlist of an archive as one more entry. `tracks` and `entries` correspond by index. The paths are the
 * names in the archive, so `entries` must be those before the playlist, in the same order.
 */
export function m3u8(
  name: string,
  tracks: (NamedTrack & { duration_seconds: number | null })[],
  entries: Pick<ZipEntry, 'name'>[],
  { modified, skipped = [] }: { modified: Date; skipped?: SkippedTrack[] },
): ZipEntry {
  const paths = uniquePaths(entries.map(({ name }) => name))
  const bytes = playlistFile(
    tracks.map((track, n) => ({ ...track, path: paths[n] ?? '' })),
    skipped,
  )
  return { name, modified, length: bytes.length, crc32: crc32Of(bytes), segments: [bytes] }
}

function seconds({ duration_seconds }: PlaylistEntry): number {
  return duration_seconds === null ? -1 : Math.round(duration_seconds)
}

/** A line that begins with '#' would be a comment. */
function location({ path }: PlaylistEntry): string {
  const line = oneLine(path)
  return line.startsWith('#') ? `./${line}` : line
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ')
}
