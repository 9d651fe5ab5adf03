import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../platform/config.ts'
import { type Kept, type Kind, keyOf, type Storage } from '../platform/storage.ts'
import type { Vault } from '../platform/storage-s3-vault.ts'
import { type Manifest, places } from './manifest.ts'

/** The files of a backup, in its folder or in a bucket. */
export type BackupSource = {
  /** The length of a file; undefined where it is missing. */
  size(file: Kept): Promise<number | undefined>
  pieces(file: Kept): AsyncIterable<Buffer>
  /** Puts a file into a store that does not have it. */
  bring(file: Kept, to: Storage): Promise<void>
}

/** What the environment says about buckets: the one that files are brought to, and the keys for the one of a backup. */
export type Buckets = Pick<Config, 'bucket' | 'storageCredentials'>

/** Opens the files of a backup. */
export async function openSource(
  folder: string,
  { files_in_bucket }: Pick<Manifest, 'files_in_bucket'>,
  { bucket, storageCredentials }: Buckets,
): Promise<BackupSource> {
  if (!files_in_bucket) return sourceInFolder(folder)
  const { openVault } = await import('../platform/storage-s3-vault.ts')
  return sourceInVault(openVault(files_in_bucket, storageCredentials), bucket)
}

function sourceInFolder(folder: string): BackupSource {
  const placeOf = ({ kind, sha256, ending }: Kept) => path.join(places(folder).media, keyOf(kind, sha256, ending))
  return {
    size: async (file) => (await stat(placeOf(file)).catch(() => undefined))?.size,
    pieces: (file) => createReadStream(placeOf(file), { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>,
    bring: async (file, to) => {
      await to.keepFile(file.kind, placeOf(file), file.ending)
    },
  }
}

function sourceInVault(vault: Vault, bucket: Config['bucket']): BackupSource {
  const listed = new Map<Kind, Promise<Map<string, number>>>()
  const list = async (kind: Kind) => {
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
    pieces: (file) => vault.pieces(file),
    bring: async (file, to) => {
      if (!bucket || !(await vault.copyOut(file, bucket))) await vault.bring(file, to)
    },
  }
}
