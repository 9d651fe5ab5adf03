import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import type { ByteRange } from '../platform/send-bytes.ts'
import { frontServerOf, sendfileHeaders } from '../platform/sendfile.ts'
import { storageKey } from '../platform/storage.ts'
import type { Link } from './links.ts'
import { readSourceFile } from './read-source-file.ts'
import { type SourceFile, storageKindOf } from './source-files.ts'
import { createTaggedCopies } from './tagged-copies.ts'
import type { TaggedFile } from './tagged-file.ts'
import { reserveReported } from './transfer-reports.ts'
import { completeTransfer, meterTransfer } from './transfers.ts'

type LinkedFile = { link: Link; request: FastifyRequest; sourceFile: SourceFile; tagged: TaggedFile }

/** Returns the headers with which the front server sends a range; undefined if this process has to send it. */
type HandOver = (range: ByteRange) => Promise<Record<string, string> | undefined>

export type FrontServerFiles = {
  /** Undefined if no front server offers to send the file of this request. */
  handOver(linkedFile: LinkedFile): HandOver | undefined
}

/** Downloads that nginx or Apache send, from the stored file or from a copy with its tags. */
export function createFrontServerFiles(ctx: AppContext): FrontServerFiles {
  const copies = createTaggedCopies(ctx)

  /** Returns the path, within DATA_DIR/media, of a file with exactly the bytes of the download. */
  const findFile = async ({ sourceFile, tagged }: LinkedFile): Promise<string | undefined> => {
    const { sha256, bytes } = sourceFile
    if (sha256 === null || bytes === null) return undefined
    const [segment, ...others] = tagged.segments
    const isStoredFile =
      others.length === 0 && !Buffer.isBuffer(segment) && segment?.start === 0 && segment.end === bytes
    if (isStoredFile) return storageKey(storageKindOf(sourceFile), sha256)
    const read = () => readSourceFile(ctx, sourceFile, tagged.segments)
    return copies.find({ sha256, etag: tagged.etag, length: tagged.length, read })
  }

  return {
    handOver: (linkedFile) => {
      const frontServer = frontServerOf(ctx, linkedFile.request)
      if (!frontServer) return undefined
      return async (range) => {
        const file = await findFile(linkedFile)
        if (file === undefined) return undefined
        if (frontServer === 'apache')
          return (await countUnreported(ctx, linkedFile))
            ? sendfileHeaders(ctx.config, frontServer, { file })
            : undefined
        const { link, request, tagged } = linkedFile
        const { etag, length } = tagged
        const toReserve = { link, request, etag, length, bytes: range.to - range.from }
        const reportToken = await reserveReported(ctx, toReserve, range)
        return reportToken === undefined ? undefined : sendfileHeaders(ctx.config, frontServer, { file, reportToken })
      }
    },
  }
}

/**
 * Apache cannot report the end of a transfer. A whole file counts as complete when it begins, like one that the storage
 * sends; parts are sent by this process, because they continue a download. Returns whether Apache sends the file.
 */
async function countUnreported(ctx: AppContext, { link, request, tagged }: LinkedFile): Promise<boolean> {
  if (request.headers.range !== undefined) return false
  await meterTransfer(ctx, link, request, tagged).countFull()
  await completeTransfer(ctx.sql, link)
  return true
}
