import { randomBytes } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { UNFINISHED_MARK } from './backup-folder.ts'
import type { Buckets } from './backup-source.ts'
import { findDamagedBackups } from './damaged-backups.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { SCHEDULED_PREFIX } from './schedule.ts'
import { pruneVault } from './vault-copies.ts'

export type Kept = { daily: number; weekly: number }

export type Candidate = { folder: string; taken_at: string; isGood: boolean }

const DAY_MS = 86_400_000

const dayOf = ({ taken_at }: Candidate): string => taken_at.slice(0, 10)

/** The Monday of its week, in UTC. */
function weekOf({ taken_at }: Candidate): string {
  const at = new Date(taken_at)
  const sinceMonday = (at.getUTCDay() + 6) % 7
  return new Date(at.getTime() - sinceMonday * DAY_MS).toISOString().slice(0, 10)
}

/** The newest of each of the newest so many days or weeks; of one day a good one before a damaged one. */
function newestOfEach(candidates: readonly Candidate[], most: number, periodOf: (one: Candidate) => string) {
  const chosen = new Map<string, Candidate>()
  for (const one of candidates) {
    const earlier = chosen.get(periodOf(one))
    if (!earlier && chosen.size < most) chosen.set(periodOf(one), one)
    else if (earlier && !earlier.isGood && one.isGood) chosen.set(periodOf(one), one)
  }
  return [...chosen.values()]
}

/** Which backups have had their time. The newest one, and the newest that is not known to be damaged, always stay. */
export function chooseOld(candidates: readonly Candidate[], { daily, weekly }: Kept): Candidate[] {
  const newestFirst = [...candidates].sort((a, b) => (a.taken_at < b.taken_at ? 1 : -1))
  const kept = new Set([
    ...newestFirst.slice(0, 1),
    ...newestFirst.filter(({ isGood }) => isGood).slice(0, 1),
    ...newestOfEach(newestFirst, daily, dayOf),
    ...newestOfEach(newestFirst, weekly, weekOf),
  ])
  return newestFirst.filter((one) => !kept.has(one))
}

type Tools = { sql: Sql; log: Log }
type Options = {
  /** BACKUP_DIR. */
  parent: string
  keep: Kept
  /** The mark of this pool's secret: backups of another pool in the same folder are left alone. */
  secretMark: string
  /** The keys for a bucket that keeps files of backups. */
  storageCredentials: Buckets['storageCredentials']
  now: Date
}

/**
 * Removes scheduled backups that have had their time. Only complete ones are looked at; what staff or the command made is
 * never removed. Returns the folders that were removed.
 */
export async function removeOldBackups(
  { sql, log }: Tools,
  { parent, keep, secretMark, storageCredentials, now }: Options,
) {
  const complete = await findScheduled(parent, secretMark)
  const bad = await findDamagedBackups(sql)
  const candidates = [...complete].map(([folder, { taken_at, lost }]) => ({
    ...{ folder, taken_at },
    isGood: !bad.has(folder) && lost.length === 0,
  }))
  const removed: string[] = []
  for (const { folder } of chooseOld(candidates, keep)) {
    try {
      // Under this name it is no longer a backup, whatever interrupts the removal; the next backup clears it away.
      const leaving = `${folder}${UNFINISHED_MARK}${randomBytes(4).toString('hex')}`
      await rename(folder, leaving)
      await sql`update backup_made set removed_at = now() where folder = ${folder} and removed_at is null`
      await rm(leaving, { recursive: true, force: true })
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
  { list, ...place }: NonNullable<Manifest['files_in_bucket']>,
  storageCredentials: Buckets['storageCredentials'],
  now: Date,
): Promise<void> {
  const { openVault } = await import('../platform/storage-s3-vault.ts')
  const vault = openVault(place, storageCredentials)
  await vault.removeList(list)
  await pruneVault(vault, now)
}
