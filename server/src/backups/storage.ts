import type { dashboard, ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { Sql } from '../platform/db.ts'
import { diskSpace, isNearlyFull } from '../platform/disk-space.ts'
import { isQueued } from '../platform/job-queue.ts'
import { lastCheck, lastRehearsal, listBackups, newestBackup } from './backup-record.ts'
import { readScrub, scrubDays } from './scrub.ts'
import { readGrowth, readMeasurement } from './storage-usage.ts'

type StorageReply = ReplyOf<typeof dashboard.getStorage>

/** What admins see of the store, the database and backups: the last measurement; nothing is measured here. */
export async function readStorage(ctx: AppContext): Promise<StorageReply> {
  const { sql, config } = ctx
  const now = ctx.now()
  const [location, measured, is_measuring, growth, missing_originals, damaged_files, scrub] = await Promise.all([
    readBackupLocation(ctx),
    readMeasurement(sql),
    isQueued(sql, 'measure_storage'),
    readGrowth(sql),
    listMissing(sql),
    listDamaged(sql),
    readScrubState(ctx),
  ])
  const [backups, is_backing_up, newest, last_check, last_rehearsal] = await Promise.all([
    listBackups(sql),
    isQueued(sql, 'back_up'),
    newestBackup(sql, { days: config.backupDays, now }),
    lastCheck(sql),
    lastRehearsal(sql),
  ])
  return {
    ...{ place: location, measured, is_measuring, growth, missing_originals, damaged_files, scrub },
    ...{ backups, is_backing_up, last_check, last_rehearsal, schedule: scheduleOf(config) },
    backup_dir: config.backupDir ?? null,
    backup_days: config.backupDays,
    is_backup_old: newest.is_old,
    as_of: now.toISOString(),
  }
}

async function readBackupLocation({ config }: Pick<AppContext, 'config'>): Promise<StorageReply['place']> {
  const disk = await diskSpace(config.dataDir).catch(() => undefined)
  return {
    bucket: config.bucket?.bucket ?? null,
    free_bytes: disk?.free_bytes ?? null,
    disk_bytes: disk?.disk_bytes ?? null,
    is_nearly_full: disk ? isNearlyFull(disk) : false,
  }
}

function scheduleOf({ backupDir, backupTime, backupKeep }: AppContext['config']): StorageReply['schedule'] {
  if (!backupDir || !backupTime) return null
  const [hour, minute] = [backupTime.hour, backupTime.minute].map((n) => String(n).padStart(2, '0'))
  return { time: `${hour}:${minute}`, ...backupKeep }
}

async function readScrubState({ sql, config }: AppContext): Promise<StorageReply['scrub']> {
  const days = scrubDays(config)
  if (days === 0) return null
  const scrub = await readScrub(sql)
  return {
    days,
    done: scrub?.done ?? 0,
    last_run_at: scrub?.last_run_at?.toISOString() ?? null,
    finished_at: scrub?.finished_at?.toISOString() ?? null,
  }
}

const MAX_MISSING = 50

type MissingRow = Omit<StorageReply['missing_originals'][number], 'missing_since'> & { missing_since: Date }

/** Originals that were missing or damaged when they were needed, each with one of its songs. */
async function listMissing(sql: Sql): Promise<StorageReply['missing_originals']> {
  const rows = await sql<MissingRow[]>`
    select f.file_id, encode(f.sha256, 'hex') as sha256, f.missing_since, f.bytes, f.found_bytes, (
      select s.artist || ' – ' || s.title || ' (' || v.version_label || ')' from song_version v join song s using (entity_id)
      where v.file_id = f.file_id order by v.song_version_id limit 1) as song
    from file f where f.missing_since is not null order by f.missing_since, f.file_id limit ${MAX_MISSING}`
  return rows.map(({ missing_since, ...row }) => ({ ...row, missing_since: missing_since.toISOString() }))
}

type DamagedRow = Omit<StorageReply['damaged_files'][number], 'found_at'> & { found_at: Date }

/** Files known to be damaged, each original or preview with one of its songs. */
async function listDamaged(sql: Sql): Promise<StorageReply['damaged_files']> {
  const rows = await sql<DamagedRow[]>`
    select d.stored_as, encode(d.sha256, 'hex') as sha256, d.kind, d.found_at, (
      select s.artist || ' – ' || s.title || ' (' || v.version_label || ')' from song_version v join song s using (entity_id)
      where v.file_id in (
        select file_id from file where sha256 = d.sha256 and d.stored_as = 'audio'
        union all select file_id from preview where sha256 = d.sha256 and d.stored_as = 'previews')
      order by v.song_version_id limit 1) as song
    from damaged_file d order by d.found_at, d.stored_as, d.sha256 limit ${MAX_MISSING}`
  return rows.map(({ found_at, ...row }) => ({ ...row, found_at: found_at.toISOString() }))
}
