import type { AppContext } from '../app-context.ts'
import { readSourceFile } from '../downloads/read-source-file.ts'
import { sliceSegments } from '../downloads/segments.ts'
import type { ContentHash } from './content-hash.ts'
import { type PreparedFile, UnsendableError } from './prepare-file.ts'
import type { Bytes, CloudFolder, CloudProvider, RemoteFile, UploadState } from './provider.ts'
import { type Lease, type QueuedFile, resetAttempts, saveProgress } from './queue.ts'
import { openUpload, sealUpload } from './tokens.ts'

/** A multiple of 256 KiB, as Google requires, and of the 4 MiB blocks that Dropbox hashes. In memory once per file. */
const CHUNK_BYTES = 8 * 1024 * 1024

/** The member cancelled the file, or another worker has it. */
export class StoppedError extends Error {
  readonly reason: 'cancelled' | 'lost'

  constructor(reason: 'cancelled' | 'lost') {
    super(`Sending was stopped: ${reason}`)
    this.reason = reason
  }
}

type Upload = {
  lease: Lease
  file: QueuedFile
  prepared: PreparedFile
  folder: CloudFolder
  provider: CloudProvider
  signal: AbortSignal
}

/**
 * Sends a file in chunks, from where an earlier attempt ended. Throws CloudError, StoppedError, UnsendableError, OriginalReadError, and
 * `signal`’s reason between two chunks.
 */
export async function uploadFile(ctx: AppContext, upload: Upload): Promise<RemoteFile> {
  const { folder, prepared, signal } = upload
  const { target, tagged } = prepared
  const { id, state: begun } = await beginUpload(ctx, upload)
  let state = begun
  let hash = await hashOfSent(ctx, upload, state)
  while ('offset' in state) {
    signal.throwIfAborted()
    const { offset } = state
    const bytes = await readBytes(ctx, prepared, { from: offset, to: Math.min(offset + CHUNK_BYTES, tagged.length) })
    const next: UploadState = await folder.sendChunk(id, { offset, bytes, target })
    hash.update(bytes)
    if ('offset' in next) {
      if (next.offset !== offset + bytes.length) hash = await hashOfSent(ctx, upload, next)
      await recordOffset(ctx, upload, id, next.offset)
    }
    state = next
  }
  const { file } = state
  // Of an upload that was complete before it was resumed, everything is hashed.
  const expected = 'file' in begun ? (await hashOfSent(ctx, upload, { offset: tagged.length })).digest() : hash.digest()
  if (file.bytes !== tagged.length || (file.hash !== undefined && file.hash !== expected))
    throw new UnsendableError('The file arrived damaged. Delete it in your cloud storage, then try again.')
  return file
}

/** Continues an upload of exactly these bytes, or starts one. */
async function beginUpload(ctx: AppContext, upload: Upload): Promise<{ id: string; state: UploadState }> {
  const { file, folder, prepared } = upload
  const { target, tagged } = prepared
  const begun =
    file.upload && file.etag === tagged.etag ? openUpload(ctx, file.delivery_file_id, file.upload) : undefined
  if (begun !== undefined)
    return { id: begun, state: await folder.resumeUpload(begun, { offset: file.sent_bytes, target }) }
  const id = await folder.startUpload(target)
  await recordOffset(ctx, upload, id, 0)
  return { id, state: { offset: 0 } }
}

async function recordOffset(ctx: AppContext, { lease, file, prepared }: Upload, id: string, offset: number) {
  const { etag, length } = prepared.tagged
  const outcome = await saveProgress(ctx.sql, lease, file, {
    ...{ etag, bytes: length, sent_bytes: offset },
    upload: sealUpload(ctx, file.delivery_file_id, id),
  })
  if (outcome !== 'continue') throw new StoppedError(outcome)
  if (offset > 0) await resetAttempts(ctx.sql, lease)
}

/** Hashes what the provider already has. It is read again, because a hash cannot be continued after a restart. */
async function hashOfSent(ctx: AppContext, { provider, prepared }: Upload, state: UploadState): Promise<ContentHash> {
  const hash = provider.createHash()
  const to = 'offset' in state ? state.offset : 0
  if (to > 0) for await (const piece of readRange(ctx, prepared, { from: 0, to })) hash.update(piece)
  return hash
}

/** The hash of the whole file as the provider computes it. */
export async function hashFile(ctx: AppContext, provider: CloudProvider, prepared: PreparedFile): Promise<string> {
  const hash = provider.createHash()
  for await (const piece of readRange(ctx, prepared, { from: 0, to: prepared.tagged.length })) hash.update(piece)
  return hash.digest()
}

type ByteRange = { from: number; to: number }

const readRange = (ctx: AppContext, { sourceFile, tagged }: PreparedFile, { from, to }: ByteRange) =>
  readSourceFile(ctx, sourceFile, sliceSegments(tagged.segments, from, to))

async function readBytes(ctx: AppContext, prepared: PreparedFile, range: ByteRange): Promise<Bytes> {
  const bytes = new Uint8Array(range.to - range.from)
  let length = 0
  for await (const piece of readRange(ctx, prepared, range)) {
    bytes.set(piece, length)
    length += piece.length
  }
  if (length !== bytes.length) throw new Error(`Read ${length} bytes of a chunk of ${bytes.length}.`)
  return bytes
}
