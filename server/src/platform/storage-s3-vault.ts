import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  ListObjectsCommand,
  type ListObjectsCommandOutput,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { openForWriting } from './file-writing.ts'
import { type Listed, NotStoredError, type Storage, type StorageKind, type StoredFile, storageKey } from './storage.ts'
import type { BucketConfig } from './storage-config.ts'
import { createClient } from './storage-s3.ts'
import { isNotFound, storeUnavailable } from './storage-s3-errors.ts'
import { listObjects } from './storage-s3-list.ts'
import { readObject } from './storage-s3-read.ts'

/** Where the files of a backup are in a bucket. It contains no keys: those of the pool that reads it are used. */
export type VaultLocation = {
  bucket: string
  /** Prefix of the pool: '', or a path that ends with a slash. */
  prefix: string
  region: string
  endpoint: string | null
  path_style: boolean
}

/**
 * Copies of stored files in the same bucket as the originals. The bucket copies them, so no bytes are transferred; each
 * copy exists once, however many backups need it. Every backup has a list in the bucket of the files it needs.
 */
export type Vault = {
  place: VaultLocation
  /** Copies a file of the pool into the vault. Throws NotStoredError if the pool does not have it. */
  copyIn(file: StoredFile): Promise<void>
  /** Copies a file to the bucket of a pool. Returns false if that is on another server, which cannot copy it. */
  copyOut(file: StoredFile, to: BucketConfig): Promise<boolean>
  /** Copies a file to any storage, through this machine's disk. Throws if its content does not match its hash. */
  copyTo(file: StoredFile, to: Storage): Promise<void>
  pieces(file: StoredFile): AsyncGenerator<Buffer>
  list(kind: StorageKind): AsyncGenerator<Listed>
  remove(file: StoredFile): Promise<void>
  writeList(name: string, text: Buffer): Promise<void>
  readLists(): AsyncGenerator<Buffer>
  removeList(name: string): Promise<void>
}

const FOLDER = 'backups/'

export const placeOfVault = ({ bucket, prefix, region, endpoint, pathStyle }: BucketConfig): VaultLocation => ({
  ...{ bucket, prefix, region },
  endpoint: endpoint ?? null,
  path_style: pathStyle,
})

export function openVault(place: VaultLocation, credentials: BucketConfig['credentials']): Vault {
  const { bucket, region, path_style } = place
  const endpoint = place.endpoint ?? undefined
  const config = {
    bucket,
    prefix: place.prefix,
    region,
    endpoint,
    pathStyle: path_style,
    credentials,
    redirect: undefined,
  }
  const client = createClient(config, endpoint)
  const folder = `${place.prefix}${FOLDER}`
  const vaultKey = ({ kind, sha256, ending }: StoredFile) => folder + storageKey(kind, sha256, ending)
  const listKey = (name: string) => `${folder}lists/${name}.jsonl.gz`
  const send = async <T>(sent: Promise<T>): Promise<T> =>
    sent.catch((error) => {
      throw storeUnavailable(bucket, error)
    })
  const failure = (error: unknown, { kind, sha256 }: StoredFile) =>
    isNotFound(error) ? new NotStoredError(kind, sha256) : storeUnavailable(bucket, error)
  const copy = (file: StoredFile, from: string, to: { Bucket: string; Key: string }) =>
    client.send(new CopyObjectCommand({ ...to, CopySource: encodeURI(`${bucket}/${from}`) })).catch((error) => {
      throw failure(error, file)
    })
  const readKey = (key: string, onError: (error: unknown) => Error) =>
    readObject({ client, bucket, key, toError: async (error) => onError(error) })
  const pieces = (file: StoredFile) => readKey(vaultKey(file), (error) => failure(error, file))

  return {
    place,
    copyIn: async (file) => {
      const { kind, sha256, ending } = file
      await copy(file, place.prefix + storageKey(kind, sha256, ending), { Bucket: bucket, Key: vaultKey(file) })
    },
    copyOut: async (file, to) => {
      if (to.endpoint !== endpoint || to.region !== region) return false
      const { kind, sha256, ending } = file
      await copy(file, vaultKey(file), { Bucket: to.bucket, Key: to.prefix + storageKey(kind, sha256, ending) })
      return true
    },
    copyTo: async (file, to) => {
      const { kind, ending } = file
      const temporary = await to.scratch(`restored${ending ?? ''}`)
      try {
        await pipeline(verifyHash(pieces(file), file), await openForWriting(temporary))
        await to.putFile(kind, temporary, ending)
      } finally {
        await rm(temporary, { force: true })
      }
    },
    pieces,
    list: (kind) => listObjects(client, { bucket, folder: `${folder}${kind}/` }),
    remove: async (file) => {
      await send(client.send(new DeleteObjectCommand({ Bucket: bucket, Key: vaultKey(file) })))
    },
    writeList: async (name, text) => {
      await send(client.send(new PutObjectCommand({ Bucket: bucket, Key: listKey(name), Body: text })))
    },
    readLists: async function* () {
      for (let last: string | undefined = ''; last !== undefined; ) {
        const after: { Marker?: string } = last ? { Marker: last } : {}
        const page: ListObjectsCommandOutput = await send(
          client.send(new ListObjectsCommand({ Bucket: bucket, Prefix: `${folder}lists/`, ...after })),
        )
        const lists = page.Contents ?? []
        for (const { Key = '' } of lists) {
          const text: Buffer[] = []
          for await (const chunk of readKey(Key, (error) => storeUnavailable(bucket, error))) text.push(chunk)
          yield Buffer.concat(text)
        }
        last = page.IsTruncated ? lists.at(-1)?.Key : undefined
      }
    },
    removeList: async (name) => {
      await send(client.send(new DeleteObjectCommand({ Bucket: bucket, Key: listKey(name) })))
    },
  }
}

async function* verifyHash(pieces: AsyncIterable<Buffer>, { kind, sha256 }: StoredFile) {
  const hash = createHash('sha256')
  for await (const chunk of pieces) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw new Error(`The copy of ${kind}/${sha256} in the bucket is damaged.`)
}
