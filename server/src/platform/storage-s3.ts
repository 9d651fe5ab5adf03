import { createHash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import contentDisposition from 'content-disposition'
import { openForWriting } from './file-writing.ts'
import { createScratch } from './scratch.ts'
import {
  hashFile,
  NotStoredError,
  type Storage,
  type StorageKind,
  type StorageUnavailableError,
  storageKey,
} from './storage.ts'
import type { BucketConfig } from './storage-config.ts'
import { isNotFound, storeUnavailable } from './storage-s3-errors.ts'
import { listObjects } from './storage-s3-list.ts'
import { readObject } from './storage-s3-read.ts'
import { uploadFile } from './storage-s3-upload.ts'

const CONNECT_WITHIN_MS = 2_000
const REQUEST_TIMEOUTS = { requestTimeout: 5_000 }
/** A connection without progress for this long is closed, and the transfer continues with another one. */
const IDLE_TIMEOUT_MS = 30_000
/** A download uses a connection for as long as its reader takes. */
const MAX_CONNECTIONS = 2_000
/** How long a bucket that responded is assumed to exist. */
const CHECK_CACHE_MS = 30_000

/**
 * Storage in a bucket of Amazon S3 or a compatible server. Keys below the prefix are the paths files have within
 * DATA_DIR/media.
 */
export function makeBucketStorage(config: BucketConfig, dataDir: string): Storage {
  const { bucket, prefix } = config
  const client = createClient(config, config.endpoint)
  const redirectClient = config.redirect && createClient(config, config.redirect.endpoint)
  const scratch = createScratch(dataDir)
  const at = (kind: StorageKind, sha256: string, ending?: string) => ({
    Bucket: bucket,
    Key: prefix + storageKey(kind, sha256, ending),
  })

  let lastAnswerAt = Number.NEGATIVE_INFINITY
  /** Checks the bucket: only one that exists and that we may read can say that a key is missing. */
  const check = async () => {
    const missingObject = new GetObjectCommand({ Bucket: bucket, Key: `${prefix}audio/nothing` })
    await client.send(missingObject, REQUEST_TIMEOUTS).catch((error: Error) => {
      if (error.name !== 'NoSuchKey') throw storeUnavailable(bucket, error)
    })
    lastAnswerAt = performance.now()
  }
  /** A missing bucket responds like a missing key: before a file is reported as missing, the bucket is checked. */
  const toStorageError = async (
    error: unknown,
    kind: StorageKind,
    name: string,
  ): Promise<NotStoredError | StorageUnavailableError> => {
    if (!isNotFound(error)) return storeUnavailable(bucket, error)
    if (performance.now() - lastAnswerAt < CHECK_CACHE_MS) return new NotStoredError(kind, name)
    return check().then(
      () => new NotStoredError(kind, name),
      (error: StorageUnavailableError) => error,
    )
  }

  const size: Storage['size'] = async (kind, sha256, ending) => {
    try {
      const { ContentLength } = await client.send(new HeadObjectCommand(at(kind, sha256, ending)), REQUEST_TIMEOUTS)
      return ContentLength ?? 0
    } catch (error) {
      const why = await toStorageError(error, kind, sha256)
      if (why instanceof NotStoredError) return undefined
      throw why
    }
  }
  const has: Storage['has'] = async (kind, sha256, ending) => (await size(kind, sha256, ending)) !== undefined
  const pieces: Storage['pieces'] = (kind, sha256, { ending, from, to } = {}) =>
    readObject(
      {
        client,
        bucket,
        key: at(kind, sha256, ending).Key,
        toError: (error) => toStorageError(error, kind, `${sha256}${ending ?? ''}`),
      },
      from,
      to,
    )
  /** Reads the whole file and checks that its content matches its hash. */
  const verifyHash = async function* (kind: StorageKind, sha256: string, ending?: string) {
    const hash = createHash('sha256')
    for await (const chunk of pieces(kind, sha256, { ending })) {
      hash.update(chunk)
      yield chunk
    }
    if (hash.digest('hex') !== sha256) throw new Error(`The stored file ${kind}/${sha256} does not match its checksum`)
  }

  const send = async <T>(sent: Promise<T>): Promise<T> =>
    sent.catch((error) => {
      throw storeUnavailable(bucket, error)
    })

  return {
    has,
    size,
    putFile: async (kind, from, ending) => {
      const sha256 = await hashFile(from)
      const bytes = (await stat(from)).size
      if ((await size(kind, sha256, ending)) === bytes) return { sha256, bytes }
      const { Key } = at(kind, sha256, ending)
      return { sha256, bytes: await uploadFile(client, { bucket, key: Key, from, sha256 }) }
    },
    putBytes: async (kind, content, ending) => {
      const sha256 = createHash('sha256').update(content).digest('hex')
      if ((await size(kind, sha256, ending)) !== content.length)
        await send(client.send(new PutObjectCommand({ ...at(kind, sha256, ending), Body: content })))
      return { sha256, bytes: content.length }
    },
    copyAs: async (storedFile, kind, ending) => {
      if (await has(kind, storedFile.sha256, ending)) return
      const CopySource = `${bucket}/${at(storedFile.kind, storedFile.sha256, storedFile.ending).Key}`
      await client
        .send(new CopyObjectCommand({ ...at(kind, storedFile.sha256, ending), CopySource }))
        .catch(async (error) => {
          throw await toStorageError(error, storedFile.kind, storedFile.sha256)
        })
    },
    pieces,
    read: (kind, sha256, range) => Readable.from(pieces(kind, sha256, range), { objectMode: false }),
    readAll: async (kind, sha256, ending) => {
      const all: Buffer[] = []
      for await (const chunk of verifyHash(kind, sha256, ending)) all.push(chunk)
      return Buffer.concat(all)
    },
    onDisk: async (kind, sha256, ending) => {
      const path = await scratch.place(`${sha256.slice(0, 12)}${ending ?? ''}`)
      const done = () => rm(path, { force: true })
      try {
        await pipeline(verifyHash(kind, sha256, ending), await openForWriting(path))
      } catch (error) {
        await done()
        throw error
      }
      return { path, done }
    },
    list: (kind) => listObjects(client, { bucket, folder: `${prefix}${kind}/` }),
    remove: async (kind, sha256, ending) => {
      await send(client.send(new DeleteObjectCommand(at(kind, sha256, ending)), REQUEST_TIMEOUTS))
    },
    address: async (kind, sha256, { ending, seconds, name, type }) => {
      if (!redirectClient) return undefined
      const getCommand = new GetObjectCommand({
        ...at(kind, sha256, ending),
        ...(name ? { ResponseContentDisposition: contentDisposition(name) } : {}),
        ...(type ? { ResponseContentType: type } : {}),
        ResponseCacheControl: 'private, no-store',
      })
      return send(getSignedUrl(redirectClient, getCommand, { expiresIn: seconds }))
    },
    scratch: scratch.place,
    freeBytes: scratch.freeBytes,
    check,
  }
}

export function createClient({ region, pathStyle, credentials }: BucketConfig, endpoint: string | undefined): S3Client {
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS }
  return new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint ? { endpoint } : {}),
    ...(credentials ? { credentials } : {}),
    maxAttempts: 3,
    // Bodies are signed with their SHA-256, which every server checks; many do not support other checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_WITHIN_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
}
