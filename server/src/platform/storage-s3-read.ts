import type { Readable } from 'node:stream'
import { GetObjectCommand, type GetObjectCommandOutput, type S3Client } from '@aws-sdk/client-s3'
import { isRangeNotSatisfiable } from './storage-s3-errors.ts'

/** Consecutive interruptions without a byte in between after which a transfer is aborted. */
const MAX_RETRIES = 3
const REPLY_TIMEOUT_MS = 5_000

type ObjectSource = {
  client: S3Client
  bucket: string
  key: string
  /** Converts a storage error to the error the reader gets. */
  toError(error: unknown): Promise<Error>
}

/**
 * Reads the bytes `from` to `to` of an object, end exclusive. If the connection breaks, also because its reader was
 * slow, it continues where it broke; the content of a key never changes. Throws if the object is shorter than
 * requested.
 */
export async function* readObject(source: ObjectSource, from = 0, to?: number): AsyncGenerator<Buffer> {
  let at = from
  let end = to
  for (let retries = 0; end === undefined || at < end; ) {
    const object = await openAt(source, at, end)
    end ??= object.end
    try {
      for await (const chunk of object.body) {
        const bytes: Buffer = chunk.length > end - at ? chunk.subarray(0, end - at) : chunk
        at += bytes.length
        retries = 0
        yield bytes
        if (at >= end) return
      }
      if (at >= end) return
      throw new Error('Connection closed early')
    } catch (error) {
      if (++retries >= MAX_RETRIES) throw await source.toError(error)
    }
  }
}

async function openAt(
  { client, bucket, key, toError: failure }: ObjectSource,
  at: number,
  end: number | undefined,
): Promise<{ body: Readable; end: number }> {
  const range = at === 0 && end === undefined ? {} : { Range: `bytes=${at}-${end === undefined ? '' : end - 1}` }
  const reply = await client
    .send(new GetObjectCommand({ Bucket: bucket, Key: key, ...range }), { requestTimeout: REPLY_TIMEOUT_MS })
    .catch(async (error) => {
      throw isRangeNotSatisfiable(error) ? truncatedObjectError(key, at, end) : await failure(error)
    })
  const body = reply.Body as Readable
  const objectLength = objectEnd(reply, at)
  if (objectLength === undefined) {
    body.destroy()
    throw await failure(new Error('The server did not return the requested range'))
  }
  if (end !== undefined && objectLength < end) {
    body.destroy()
    throw truncatedObjectError(key, objectLength, end)
  }
  return { body, end: end ?? objectLength }
}

/** Returns where the bytes of a reply that begins at `at` end; undefined if it begins elsewhere or does not say. */
function objectEnd({ ContentRange, ContentLength }: GetObjectCommandOutput, at: number): number | undefined {
  const [, first, last] = /^bytes (\d+)-(\d+)/.exec(ContentRange ?? '') ?? []
  if (first !== undefined) return Number(first) === at ? Number(last) + 1 : undefined
  return at === 0 ? ContentLength : undefined
}

const truncatedObjectError = (key: string, at: number, end: number | undefined) =>
  new Error(`Unexpected end of the original ${key} at byte ${at}, expected ${end ?? at}`)
