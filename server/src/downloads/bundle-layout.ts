import { safeName } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { archivePlaylist } from './archive-playlist.ts'
import type { SkippedSongs } from './bundle-versions.ts'
import { type Kit, layOutKit } from './kit-layout.ts'
import { placeSegments } from './segments.ts'
import { type CoverCache, type SourceFile, sourceFileName, storageKindOf, tagSourceFile } from './source-files.ts'
import { layOutZip, type ZipEntry, type ZipLayout } from './zip.ts'

/** Lays out the zip with these files and a playlist of them: the position of every byte is known before any is read. */
export async function layOutBundle(
  ctx: AppContext,
  bundle: { zip_name: string; created_at: Date; skipped: SkippedSongs; kit: Kit | null },
  sourceFiles: SourceFile[],
): Promise<ZipLayout> {
  const { zip_name, created_at, skipped, kit } = bundle
  if (kit)
    return layOutZip(await layOutKit(ctx, { kit, created_at, skipped }, sourceFiles), {
      unicode_form: kit.profile.unicode_form,
    })
  const entries: ZipEntry[] = []
  const coverCache: CoverCache = new Map()
  for (const sourceFile of sourceFiles) {
    if (sourceFile.sha256 === null)
      throw new ApiError('file_unavailable', `“${sourceFile.title}” is still being prepared. Try again in a moment.`)
    const { segments, length, crc32 } = await tagSourceFile(ctx, sourceFile, { coverCache })
    const placedSegments = placeSegments(sourceFile.sha256, segments, storageKindOf(sourceFile))
    entries.push({ name: sourceFileName(sourceFile), modified: created_at, length, crc32, segments: placedSegments })
  }
  return layOutZip([
    ...entries,
    archivePlaylist(`${safeName(zip_name)}.m3u8`, sourceFiles, entries, { modified: created_at, skipped }),
  ])
}
