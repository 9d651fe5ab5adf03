import { randomBytes } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { UNFINISHED_MARK } from './backup-folder.ts'
import type { BucketSettings } from './backup-source.ts'
import { findDamagedBackups } from './damaged-backups.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { SCHEDULED_PREFIX } from './schedule.ts'
import { pruneVault } from './vault-copies.ts'

export type RetentionPolicy = { daily: number; weekly: number }

export type BackupCandidate = { folder: string; taken_at: string; isGood: boolean }

const DAY_MS = 86_400_000

const dayOf = ({ taken_at }: BackupCandidate): string => taken_at.slice(0, 10)

/** The Monday of the backup's week, in UTC. */
function weekOf({ taken_at }: BackupCandidate): string {
  const at = new Date(taken_at)
  const sinceMonday = (at.getUTCDay() + 6) % 7
  return new Date(at.getTime() - sinceMonday * DAY_MS).toISOString().slice(0, 10)
}

/**
 * The newest backup of each of the newest `limit` days or weeks; within one, an intact backup is preferred to a damaged
 * one.
 */
function newestOfEach(
  candidates: readonly BackupCandidate[],
  limit: number,
  periodOf: (one: BackupCandidate) => string,
) {
  const selected = new Map<string, BackupCandidate>()
  for (const one of candidates) {
    const earlier = selected.get(periodOf(one))
    if (!earlier && selected.size < limit) selected.set(periodOf(one), one)
    else if (earlier && !earlier.isGood && one.isGood) selected.set(periodOf(one), one)
  }
  return [...selected.values()]
}

/** Returns the backups to remove. The newest one, and the newest that is not known to be damaged, are always kept. */
export function selectExpired(
  candidates: readonly BackupCandidate[],
  { daily, weekly }: RetentionPolicy,
): BackupCandidate[] {
  const newestFirst = [...candidates].sort((a, b) => (a.taken_at < b.taken_at ? 1 : -1))
  const kept = new Set([
    ...newestFirst.slice(0, 1),
    ...newestFirst.filter(({ isGood }) => isGood).slice(0, 1),
    ...newestOfEach(newestFirst, daily, dayOf),
    ...newestOfEach(newestFirst, weekly, weekOf),
  ])
  return newestFirst.filter((one) => !kept.has(one))
}

type Deps = { sql: Sql; log: Log }
type RetentionOptions = {
  /** BACKUP_DIR. */
  parent: string
  keep: RetentionPolicy
  /** The mark of this pool's secret: backups of another pool in the same folder are left alone. */
  secretMark: string
  /** The keys for a bucket with files of backups. */
  storageCredentials: BucketSettings['storageCredentials']
  now: Date
}

/**
 * Removes expired scheduled backups. Considers only complete ones; backups made by staff or by the command are never
 * removed. Returns the folders that were removed.
 */
export async function removeOldBackups(
  { sql, log }: Deps,
  { parent, keep, secretMark, storageCredentials, now }: RetentionOptions,
) {
  const complete = await findScheduled(parent, secretMark)
  const bad = await findDamagedBackups(sql)
  const candidates = [...complete].map(([folder, { taken_at, lost }]) => ({
    ...{ folder, taken_at },
    isGood: !bad.has(folder) && lost.length === 0,
  }))
  const removed: string[] = []
  for (const { folder } of selectExpired(candidates, keep)) {
    try {
      // Under this name it is no longer a backup, even if the removal is interrupted; the next backup deletes it.
      const trashPath = `${folder}${UNFINISHED_MARK}${randomBytes(4).toString('hex')}`
      await rename(folder, trashPath)
      await sql`update backup set removed_at = now() where folder = ${folder} and removed_at is null`
      await rm(trashPath, { recursive: true, force: true })
      const copies = complete.get(folder)?.files_in_bucket
      if (copies) await removeFromVault(copies, storageCredentials, now)
      removed.push(folder)
      log.info({ folder }, 'An old backup was removed.')
    } catch (error) {
      log.warn(error, `The old backup ${folder} could not be removed.`)
    }
  }
  return removed
}

async function findScheduled(parent: string, secretMark: string): Promise<Map<string, Manifest>> {
  const complete = new Map<string, Manifest>()
  for (const name of await readdir(parent)) {
    if (!name.startsWith(SCHEDULED_PREFIX) || name.includes(UNFINISHED_MARK)) continue
    const folder = path.join(parent, name)
    const manifest = await readManifest(folder).catch(() => undefined)
    if (manifest?.secret_mark === secretMark) complete.set(folder, manifest)
  }
  return complete
}

/** Removes the list of a backup from the bucket, and the copies that no other backup needs. */
async function removeFromVault(
  { list, ...location }: NonNullable<Manifest['files_in_bucket']>,
  storageCredentials: BucketSettings['storageCredentials'],
  now: Date,
): Promise<void> {
  const { openVault } = await import('../platform/storage-s3-vault.ts')
  const vault = openVault(location, storageCredentials)
  await vault.removeList(list)
  await pruneVault(vault, now)
}
