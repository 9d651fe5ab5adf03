import type { Readable } from 'node:stream'
import { GetObjectCommand, type GetObjectCommandOutput, type S3Client } from '@aws-sdk/client-s3'
import { isBeyondEnd } from './storage-s3-trouble.ts'

/** Breaks in a row, without a byte in between, before a transfer is given up. */
const MOST_BREAKS = 3
const ANSWER_WITHIN_MS = 5_000

type Source = {
  client: S3Client
  bucket: string
  key: string
  /** What the store's error is to those who read. */
  trouble(error: unknown): Promise<Error>
}

/**
 * The bytes `from` up to but without `to` of an object. A connection that breaks, also because its reader was slow, goes
 * on where it broke; what is under a key never changes. Throws when the object is shorter than was asked for.
 */
export async function* readObject(source: Source, from = 0, to?: number): AsyncGenerator<Buffer> {
  let at = from
  let end = to
  for (let breaks = 0; end === undefined || at < end; ) {
    const object = await openAt(source, at, end)
    end ??= object.end
    try {
      for await (const chunk of object.body) {
        const piece: Buffer = chunk.length > end - at ? chunk.subarray(0, end - at) : chunk
        at += piece.length
        breaks = 0
        yield piece
        if (at >= end) return
      }
      if (at >= end) return
      throw new Error('Connection closed early')
    } catch (error) {
      if (++breaks >= MOST_BREAKS) throw await source.trouble(error)
    }
  }
}

async function openAt(
  { client, bucket, key, trouble }: Source,
  at: number,
  end: number | undefined,
): Promise<{ body: Readable; end: number }> {
  const range = at === 0 && end === undefined ? {} : { Range: `bytes=${at}-${end === undefined ? '' : end - 1}` }
  const reply = await client
    .send(new GetObjectCommand({ Bucket: bucket, Key: key, ...range }), { requestTimeout: ANSWER_WITHIN_MS })
    .catch(async (error) => {
      throw isBeyondEnd(error) ? tooShort(key, at, end) : await trouble(error)
    })
  const body = reply.Body as Readable
  const told = endOf(reply, at)
  if (told === undefined) {
    body.destroy()
    throw await trouble(new Error('The server did not return the requested range'))
  }
  if (end !== undefined && told < end) {
    body.destroy()
    throw tooShort(key, told, end)
  }
  return { body, end: end ?? told }
}

/** Where the bytes of a reply end that begins at `at`; undefined where it begins elsewhere or does not say. */
function endOf({ ContentRange, ContentLength }: GetObjectCommandOutput, at: number): number | undefined {
  const [, first, last] = /^bytes (\d+)-(\d+)/.exec(ContentRange ?? '') ?? []
  if (first !== undefined) return Number(first) === at ? Number(last) + 1 : undefined
  return at === 0 ? ContentLength : undefined
}

const tooShort = (key: string, at: number, end: number | undefined) =>
  new Error(`Unexpected end of the original ${key} at byte ${at}, expected ${end ?? at}`)
