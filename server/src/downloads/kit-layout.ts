import { filePaths } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { kitFiles } from '../booth/kit-files.ts'
import type { KitTrack } from '../booth/kit-track.ts'
import type { SkippedTrack } from '../booth/playlist-file.ts'
import type { DownloadProfile } from '../booth/profiles.ts'
import { ApiError } from '../platform/api-error.ts'
import { findBeatGrids } from '../player/beat-grid.ts'
import { archiveEntry } from './archive-playlist.ts'
import { asDownloaded } from './conversions.ts'
import { kitTrack, namedVersion, profileTags } from './profile-files.ts'
import { placeSegments } from './segments.ts'
import { type CoverCache, type SourceFile, storageKindOf, tagSourceFile } from './source-files.ts'
import type { ZipEntry } from './zip.ts'

/** What a zip stores of the kit it was requested as, so that it has the same bytes at each request. */
export type Kit = {
  /** Null for a zip of songs without a library file. */
  software: DownloadProfile['software'] | null
  profile: DownloadProfile
  /** The name of the playlist in the DJ software. */
  name: string
  /** The ids of the member's favourite songs among them. */
  favourites: number[]
  /** False for the library file and playlists alone. */
  has_audio: boolean
  /** Which zip of several this is. */
  part?: number
  parts?: number
}

/** The files of a kit for an archive: the music in the folders of the profile, then the library file and playlists. */
export async function layOutKit(
  ctx: AppContext,
  { kit, created_at, skipped }: { kit: Kit; created_at: Date; skipped: SkippedTrack[] },
  found: readonly SourceFile[],
): Promise<ZipEntry[]> {
  const { profile } = kit
  const sourceFiles = kit.has_audio ? found : await asDownloaded(ctx, found, profile.format)
  const grids = await findBeatGrids(
    ctx.sql,
    sourceFiles.flatMap(({ file_id }) => file_id ?? []),
  )
  const gridOf = ({ file_id }: SourceFile) => (file_id === null ? undefined : grids.get(file_id))
  const named = sourceFiles.map((sourceFile) => namedVersion(sourceFile, gridOf(sourceFile)))
  const paths = filePaths(profile, named)
  const coverCache: CoverCache = new Map()
  const entries: ZipEntry[] = []
  const tracks: KitTrack[] = []
  for (const [n, sourceFile] of sourceFiles.entries()) {
    const track = kitTrack(sourceFile, {
      ...{ profile, named: named[n]!, path: paths[n]!, grid: gridOf(sourceFile) },
      isFavourite: kit.favourites.includes(sourceFile.entity_id),
    })
    if (!kit.has_audio) {
      tracks.push({ ...track, bytes: null })
      continue
    }
    if (sourceFile.sha256 === null)
      throw new ApiError('file_unavailable', `“${sourceFile.title}” is still being prepared. Try again in a moment.`)
    const { segments, length, crc32 } = await tagSourceFile(ctx, sourceFile, {
      coverCache,
      ...profileTags({ profile, track, named: named[n]!, software: kit.software ?? profile.software }),
    })
    const placed = placeSegments(sourceFile.sha256, segments, storageKindOf(sourceFile))
    entries.push({ name: track.path.relative, modified: created_at, length, crc32, segments: placed })
    tracks.push({ ...track, bytes: length })
  }
  const { name, part, parts = 1 } = kit
  const suffix = parts > 1 ? ` (${part} of ${parts})` : ''
  const files = kitFiles(kit.software, { profile, name: `${name}${suffix}`, suffix, tracks, skipped, created_at })
  return [...entries, ...files.map(({ name, bytes }) => archiveEntry(name, bytes, created_at))]
}
