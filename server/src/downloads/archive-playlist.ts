import { uniquePaths } from '@dubplate/contract'
import { playlistFile, type SkippedTrack } from '../booth/playlist-file.ts'
import type { NamedTrack } from '../catalogue/file-names.ts'
import { crc32Of } from './crc32.ts'
import type { ZipEntry } from './zip.ts'

/** A small file of an archive that is not read from the storage. */
export const archiveEntry = (name: string, bytes: Buffer, modified: Date): ZipEntry => ({
  name,
  modified,
  length: bytes.length,
  crc32: crc32Of(bytes),
  segments: [bytes],
})

/**
 * Returns the playlist of an archive as one more entry. `tracks` and `entries` correspond by index. The paths are the
 * names in the archive, so `entries` must be those before the playlist, in the same order.
 */
export function archivePlaylist(
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
  return archiveEntry(name, bytes, modified)
}
