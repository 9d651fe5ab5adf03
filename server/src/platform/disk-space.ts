import { statfs } from 'node:fs/promises'

export type DiskSpace = { free_bytes: number; disk_bytes: number }

/** Returns the free space and the size of a folder's disk; undefined if unknown. */
export async function diskSpace(folder: string): Promise<DiskSpace | undefined> {
  const { bavail, blocks, bsize } = await statfs(folder)
  // Some network file systems do not report this.
  return bsize > 0 && blocks > 0 ? { free_bytes: bavail * bsize, disk_bytes: blocks * bsize } : undefined
}

const MIN_FREE_SHARE = 0.1
const MIN_FREE_BYTES = 2e9
/** On very large disks less than a tenth is enough. */
const SUFFICIENT_BYTES = 50e9

/** Returns true if less than a tenth or less than 2 GB is free; never with 50 GB free. */
export const isNearlyFull = ({ free_bytes, disk_bytes }: DiskSpace): boolean =>
  free_bytes < Math.min(SUFFICIENT_BYTES, Math.max(MIN_FREE_BYTES, MIN_FREE_SHARE * disk_bytes))
