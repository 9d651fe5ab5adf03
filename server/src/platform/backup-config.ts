import path from 'node:path'
import * as z from 'zod/mini'
import { ConfigError } from './config-error.ts'

/** When and where backups are made, and how often stored files are checked. */
export type BackupConfig = {
  /** Where the back office writes backups; undefined if only the command can make them. */
  backupDir: string | undefined
  /** After this many days without a backup staff are notified. */
  backupDays: number
  /**
   * In how many days workers read every stored file once; 0 for never, undefined for the default of the storage type.
   */
  scrubDays: number | undefined
  /** When workers make a daily backup, in UTC; undefined if scheduled backups are off. */
  backupTime: { hour: number; minute: number } | undefined
  /** For how many days and weeks the last scheduled backup is kept. */
  backupKeep: { daily: number; weekly: number }
  /** Where the files of a backup go: into its folder, or under a separate prefix of the pool's bucket. */
  backupFiles: 'folder' | 'bucket'
}

/** Environment settings for backups and the check of stored files. */
export const backupEnvironment = {
  BACKUP_DIR: z.optional(z.string().check(z.refine((folder) => path.isAbsolute(folder)))),
  BACKUP_DAYS: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(365)), 7),
  BACKUP_TIME: z._default(z.union([z.literal('off'), z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))]), '04:15'),
  BACKUP_KEEP: z._default(z.string().check(z.regex(/^[1-9]\d{0,2} daily(, ?\d{1,3} weekly)?$/)), '7 daily, 4 weekly'),
  BACKUP_FILES: z.optional(z.enum(['folder', 'bucket'])),
  SCRUB_DAYS: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(256))),
}

export const BACKUP_EXPECTED_VALUES = {
  BACKUP_DIR: 'the absolute path of a folder, such as /backups',
  BACKUP_DAYS: 'a number of days from 1 to 365',
  BACKUP_TIME: '"off", or a time of day in UTC such as 04:15',
  BACKUP_KEEP: 'how many backups to keep, such as 7 daily, 4 weekly',
  BACKUP_FILES: '"folder" or "bucket"',
  SCRUB_DAYS: 'a number of days from 1 to 256, or 0 for never',
}

const environment = z.object(backupEnvironment)

/** Throws ConfigError if the files of backups are to go into a bucket and the pool has none. */
export function readBackups(value: z.output<typeof environment>, hasBucket: boolean): BackupConfig {
  return {
    backupDir: value.BACKUP_DIR,
    backupDays: value.BACKUP_DAYS,
    scrubDays: value.SCRUB_DAYS,
    backupTime: readTime(value.BACKUP_TIME),
    backupKeep: readKeep(value.BACKUP_KEEP),
    backupFiles: readBackupFiles(value.BACKUP_FILES, hasBucket),
  }
}

function readTime(text: string): BackupConfig['backupTime'] {
  if (text === 'off') return undefined
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return { hour, minute }
}

function readKeep(text: string): BackupConfig['backupKeep'] {
  const [daily = 0, weekly = 0] = (text.match(/\d+/g) ?? []).map(Number)
  return { daily, weekly }
}

/** A pool in a bucket stores the files of its backups there too, unless configured otherwise. */
function readBackupFiles(
  definedValues: BackupConfig['backupFiles'] | undefined,
  hasBucket: boolean,
): BackupConfig['backupFiles'] {
  if (definedValues === 'bucket' && !hasBucket)
    throw new ConfigError(
      'Invalid BACKUP_FILES="bucket": STORAGE_URL is not set. Set STORAGE_URL, or remove BACKUP_FILES.',
    )
  return definedValues ?? (hasBucket ? 'bucket' : 'folder')
}
