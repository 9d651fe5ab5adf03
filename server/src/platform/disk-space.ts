import { statfs } from 'node:fs/promises'

export type DiskSpace = { free_bytes: number; disk_bytes: number }

/** What is free on the disk of a folder, and how large it is; undefined where the disk does not tell. */
export async function diskSpace(folder: string): Promise<DiskSpace | undefined> {
  const { bavail, blocks, bsize } = await statfs(folder)
  // Some file systems that come over the network tell nothing.
  return bsize > 0 && blocks > 0 ? { free_bytes: bavail * bsize, disk_bytes: blocks * bsize } : undefined
}

const MIN_FREE_SHARE = 0.1
const MIN_FREE_BYTES = 2e9
/** Of the largest disks a tenth is plenty. */
const SUFFICIENT_BYTES = 50e9

/** Less than a tenth is free, or less than 2 GB; never where 50 GB are. */
export const isNearlyFull = ({ free_bytes, disk_bytes }: DiskSpace): boolean =>
  free_bytes < Math.min(SUFFICIENT_BYTES, Math.max(MIN_FREE_BYTES, MIN_FREE_SHARE * disk_bytes))
