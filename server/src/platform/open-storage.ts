import { type Config, ConfigError } from './config.ts'
import type { Log } from './log.ts'
import { type Storage, StorageUnavailableError } from './storage.ts'
import { createDiskStorage } from './storage-disk.ts'

/**
 * Opens the pool's storage: a folder of DATA_DIR, or the bucket in STORAGE_URL. Throws ConfigError if the bucket
 * rejects the request; one that does not respond may be available later.
 */
export async function openStorage({ dataDir, bucket }: Pick<Config, 'dataDir' | 'bucket'>, log: Log): Promise<Storage> {
  if (!bucket) return createDiskStorage(dataDir)
  // Some 20 MB that a pool with a folder does not need.
  const { makeBucketStorage } = await import('./storage-s3.ts')
  const storage = makeBucketStorage(bucket, dataDir)
  await storage.check().catch((error) => {
    if (error instanceof StorageUnavailableError && error.isRejected)
      throw new ConfigError(`Invalid STORAGE_URL: ${error.message}.`)
    log.error(error, 'File storage is unavailable; everything else keeps working')
  })
  return storage
}
