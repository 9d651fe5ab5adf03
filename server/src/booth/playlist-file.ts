import { type NamedTrack, trackName } from '../catalogue/file-names.ts'
import { oneLine } from './one-line.ts'

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

function seconds({ duration_seconds }: PlaylistEntry): number {
  return duration_seconds === null ? -1 : Math.round(duration_seconds)
}

/** A line that begins with '#' would be a comment. */
function location({ path }: PlaylistEntry): string {
  return path.startsWith('#') ? `./${path}` : path
}
