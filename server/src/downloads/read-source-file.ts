import type { AppContext } from '../app-context.ts'
import { placeSegments, readSegments, type Segment } from './segments.ts'
import { type SourceFile, storageKindOf } from './source-files.ts'

/** Reads the segments of a file from the storage, or from the music generator. */
export function readSourceFile(
  ctx: AppContext,
  sourceFile: SourceFile,
  segments: Segment[],
): AsyncIterable<Uint8Array> {
  if (sourceFile.sha256 === null) return readOnDemand(ctx, sourceFile, segments)
  return readSegments(ctx.storage, placeSegments(sourceFile.sha256, segments, storageKindOf(sourceFile)))
}

async function* readOnDemand(ctx: AppContext, sourceFile: SourceFile, segments: Segment[]): AsyncGenerator<Uint8Array> {
  for (const segment of segments) {
    if (Buffer.isBuffer(segment)) yield segment
    else if (ctx.music) yield* ctx.music.read(sourceFile.song_version_id, sourceFile.recipe, segment.start, segment.end)
    else throw new Error(`Version ${sourceFile.song_version_id} is generated, but no generator is available`)
  }
}
