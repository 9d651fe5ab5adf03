import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Transform } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { storeUnavailable } from './storage-s3-errors.ts'

/** A file is uploaded in parts of this size, each retried separately; a smaller file in one request. */
const PART_BYTES = 16 * 1024 * 1024
const CONCURRENT_PARTS = 2

/**
 * Uploads a file whose SHA-256 is known. Each part is signed with its hash, so a server does not accept other bytes
 * than were read; a file that changed since it was hashed is rejected. Returns its length.
 */
export async function uploadFile(
  client: S3Client,
  { bucket, key, from, sha256 }: { bucket: string; key: string; from: string; sha256: string },
): Promise<number> {
  const hash = createHash('sha256')
  let bytes = 0
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
    flush(done) {
      done(hash.digest('hex') === sha256 ? null : new Error(`${from} changed while it was being read`))
    },
  })
  const file = createReadStream(from, { highWaterMark: 1 << 18 })
  let unread: Error | undefined
  file.on('error', (error) => check.destroy(error))
  check.on('error', (error) => {
    unread = error
  })
  try {
    const upload = new Upload({
      client,
      params: { Bucket: bucket, Key: key, Body: file.pipe(check) },
      partSize: PART_BYTES,
      queueSize: CONCURRENT_PARTS,
    })
    await upload.done()
    return bytes
  } catch (error) {
    throw unread ?? storeUnavailable(bucket, error)
  } finally {
    file.destroy()
  }
}
