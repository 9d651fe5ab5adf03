import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../platform/config.ts'
import { type Storage, type StorageKind, type StoredFile, storageKey } from '../platform/storage.ts'
import type { Vault } from '../platform/storage-s3-vault.ts'
import { backupPaths, type Manifest } from './manifest.ts'

/** The files of a backup, in its folder or in a bucket. */
export type BackupSource = {
  /** The length of a file in bytes; undefined when it is missing. */
  size(file: StoredFile): Promise<number | undefined>
  chunks(file: StoredFile): AsyncIterable<Buffer>
  /** Stores a file that the store does not have. */
  copyTo(file: StoredFile, to: Storage): Promise<void>
}

/**
 * The bucket settings of the environment: the bucket that files are stored in, and the keys for the one of a backup.
 */
export type BucketSettings = Pick<Config, 'bucket' | 'storageCredentials'>

/** Opens the files of a backup. */
export async function openSource(
  folder: string,
  { files_in_bucket }: Pick<Manifest, 'files_in_bucket'>,
  { bucket, storageCredentials }: BucketSettings,
): Promise<BackupSource> {
  if (!files_in_bucket) return sourceInFolder(folder)
  const { openVault } = await import('../platform/storage-s3-vault.ts')
  return sourceInVault(openVault(files_in_bucket, storageCredentials), bucket)
}

function sourceInFolder(folder: string): BackupSource {
  const pathOf = ({ kind, sha256, ending }: StoredFile) =>
    path.join(backupPaths(folder).media, storageKey(kind, sha256, ending))
  return {
    size: async (file) => (await stat(pathOf(file)).catch(() => undefined))?.size,
    chunks: (file) => createReadStream(pathOf(file), { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>,
    copyTo: async (file, to) => {
      await to.putFile(file.kind, pathOf(file), file.ending)
    },
  }
}

function sourceInVault(vault: Vault, bucket: Config['bucket']): BackupSource {
  const listed = new Map<StorageKind, Promise<Map<string, number>>>()
  const list = async (kind: StorageKind) => {
    const sizes = new Map<string, number>()
    for await (const { sha256, ending, bytes } of vault.list(kind)) sizes.set(`${sha256}${ending}`, bytes)
    return sizes
  }
  return {
    size: async ({ kind, sha256, ending = '' }) => {
      const sizes = listed.get(kind) ?? list(kind)
      listed.set(kind, sizes)
      return (await sizes).get(`${sha256}${ending}`)
    },
    chunks: (file) => vault.pieces(file),
    copyTo: async (file, to) => {
      if (!bucket || !(await vault.copyOut(file, bucket))) await vault.copyTo(file, to)
    },
  }
}
