import path from 'node:path'
import {
  type Command,
  type CommandContext,
  FLAG,
  parse,
  printMessage,
  TEXT,
  TEXTS,
  UsageError,
  wholeNumber,
} from '../command-line.ts'
import type { Pool } from '../platform/db.ts'
import { openStorage } from '../platform/open-storage.ts'
import { type StorageKind, storageKey } from '../platform/storage.ts'
import { type BackupResult, secretMarkOf } from './backup.ts'
import { BackupError } from './backup-error.ts'
import { findPreviousBackup } from './backup-folder.ts'
import { backUp, recordVerification } from './backup-record.ts'
import type { BucketSettings } from './backup-source.ts'
import { countFiles, formatBytes, formatNumber, SILENT_LOG, withProgress } from './command-output.ts'
import type { Manifest } from './manifest.ts'
import type { ProgressReporter } from './progress.ts'
import { rehearseRestore } from './rehearse.ts'
import { checkBackup, restoreBackup } from './restore.ts'
import { type RestoreFilesResult, restoreFiles, selectFiles, writeFilesOut } from './single-files.ts'

export const BACKUP_HELP = `  backup FOLDER              back up database and files to a new folder; safe while running
    --files folder|bucket    where to copy the files: the folder, or the bucket the files are stored in
    --rehearse               verify the backup by restoring it into a temporary database
  restore FOLDER             restore a backup into an empty installation
    --dry-run                only verify the backup
    --fast                   compare file sizes instead of contents
    --hold-mail              hold all email until release-mail
    --file SHA256            restore only this file while running; can be repeated
    --song NUMBER            restore only the files of this song
    --to FOLDER              write these files to a folder instead
  rehearse-restore [FOLDER]  verify a backup (default: the newest in BACKUP_DIR) by restoring it into a temporary database
  release-mail               send the email that was held after a restore
    --discard                delete the email that was pending when the backup was made
  check                      check files, counts and ledger; safe while running
    --fast                   check that files exist with the right size, without reading them
  repair --from FOLDER       replace missing and damaged files with intact copies from a backup or any other folder
    --all                    read every stored file first, not only those known to be damaged
    --dry-run                show what would be replaced without changing anything
  worker-health              exit with 0 if a worker is running
    --this-host              only count workers on this machine
  export WHAT FILE.csv       export members, downloads or payments as CSV
`

function readFolder(command: string, positionals: string[]): string {
  const [folderArgument, ...others] = positionals
  if (!folderArgument || others.length > 0) throw new UsageError(`Missing folder. Usage: ${command} FOLDER`)
  return path.resolve(folderArgument)
}

export function readBackup(args: string[]): Command {
  const { values, positionals } = parse(args, { files: TEXT, rehearse: FLAG })
  const folder = readFolder('backup', positionals)
  if (values.files !== undefined && values.files !== 'folder' && values.files !== 'bucket')
    throw new UsageError(`--files must be folder or bucket, not "${values.files}".`)
  // The database is used as it is, because a backup is made before an upgrade changes it.
  const run = async ({ config, log, database }: CommandContext) => {
    const isInBucket = (values.files ?? config.backupFiles) === 'bucket'
    if (isInBucket && !config.bucket) throw new UsageError('--files bucket requires a bucket in STORAGE_URL.')
    const storage = await openStorage(config, log)
    return withProgress(async (progress, signal) => {
      const deps = { sql: database.sql, jobs: database.jobs, storage, secret: config.secret }
      const filesInBucket = isInBucket ? config.bucket : undefined
      const code = printBackupSummary(
        await backUp(deps, { folder, progress, signal, requested_by: null, log, filesInBucket }),
        folder,
      )
      return values.rehearse ? rehearse({ config, log, database }, { folder, progress, signal }) : code
    })
  }
  return { run, database: 'as_it_is' }
}

type ProgressOptions = { progress: ProgressReporter; signal: AbortSignal }

async function rehearse(
  { config, database }: CommandContext,
  options: ProgressOptions & { folder: string },
): Promise<number> {
  const deps = { sql: database.sql, where: database.where, config }
  const { problems, manifest, seconds } = await rehearseRestore(deps, options)
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  if (problems.length > 0)
    return printMessage(
      `${options.folder} can be restored, but the restored pool would have the problems listed above.`,
      1,
    )
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  return printMessage(
    `${options.folder} was restored into a scratch database and checked: ${formatNumber(rows)} rows, ${formatNumber(manifest.files.count)} files, ${seconds.toFixed(0)} s. No problems found.`,
    0,
  )
}

export function readRehearse(args: string[]): Command {
  const { positionals } = parse(args, {})
  const folderArgument = positionals.length > 0 ? readFolder('rehearse-restore', positionals) : undefined
  const run = async (deps: CommandContext) => {
    const { backupDir } = deps.config
    const newest =
      folderArgument ?? (backupDir && (await findPreviousBackup(path.join(backupDir, 'newest'), new Set())))
    if (!newest)
      throw new UsageError(
        backupDir
          ? `There is no backup in ${backupDir} yet.`
          : 'Missing folder: BACKUP_DIR is not set. Usage: rehearse-restore FOLDER',
      )
    return withProgress((progress, signal) => rehearse(deps, { folder: newest, progress, signal }))
  }
  return { run }
}

function printBackupSummary({ manifest, copied, linked, earlier }: BackupResult, folder: string): number {
  for (const { kind, sha256, why } of manifest.lost)
    process.stderr.write(`Missing from the backup: ${kind}/${sha256} is ${why} in storage.\n`)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const shared = linked > 0 && earlier ? `, ${formatNumber(linked)} shared with ${path.basename(earlier)}` : ''
  const files = `${formatNumber(copied + linked)} files (${formatBytes(manifest.files.bytes)}${shared})`
  const without = manifest.lost.length > 0 ? ` without the ${countFiles(manifest.lost.length)} listed above` : ''
  return printMessage(
    `Backup of ${manifest.taken_at} completed${without} in ${folder}: ${formatNumber(rows)} rows and ${files}. It doesn’t include SECRET; keep that separately.`,
    0,
  )
}

export function readRestore(args: string[]): Command {
  const { values, positionals } = parse(args, {
    ...{ 'dry-run': FLAG, fast: FLAG, 'hold-mail': FLAG },
    ...{ file: TEXTS, song: TEXT, to: TEXT },
  })
  const folder = readFolder('restore', positionals)
  const song = values.song === undefined ? undefined : wholeNumber('song', values.song, Number.MAX_SAFE_INTEGER)
  const isPartial = values.file !== undefined || song !== undefined
  if (values.to !== undefined && !isPartial) throw new UsageError('--to requires --file or --song.')
  if (isPartial && values['hold-mail'])
    throw new UsageError('--hold-mail only applies to a full restore. Remove --file and --song.')
  const isFast = values.fast ?? false
  const run = async ({ config, log, database }: CommandContext) => {
    if (isPartial) {
      const files = await selectFiles(folder, { files: values.file ?? [], song })
      if (values['dry-run']) return printSelection(files)
      if (values.to !== undefined)
        return printWrittenFiles(await writeFilesOut(config, folder, { files, to: path.resolve(values.to) }))
      const deps = { sql: database.sql, storage: await openStorage(config, log), log: SILENT_LOG, config }
      return printRestoredFiles(await restoreFiles(deps, folder, files))
    }
    if (values['dry-run'])
      return withProgress(async (progress, signal) =>
        printCheckPassed(await verifyBackup(database.sql, folder, { progress, signal, config, isFast }), folder),
      )
    const storage = await openStorage(config, log)
    return withProgress(async (progress, signal) => {
      const deps = { sql: database.sql, jobs: database.jobs, storage, config }
      const holdMail = values['hold-mail'] ?? false
      const manifest = await restoreBackup(deps, { folder, progress, signal, isFast, holdsMail: holdMail })
      if (holdMail) printMessage('Email is on hold. Send it with: npm run pool -- release-mail', 0)
      return printRestoreSummary(manifest, secretMarkOf(config.secret))
    })
  }
  return { run, database: 'as_it_is' }
}

function printSelection(files: readonly { kind: StorageKind; sha256: string; ending: string }[]): number {
  for (const { kind, sha256, ending } of files) process.stdout.write(`${storageKey(kind, sha256, ending)}\n`)
  return printMessage(
    `The backup has ${files.length === 1 ? 'this file' : `these ${formatNumber(files.length)} files`}.`,
    0,
  )
}

function printWrittenFiles(written: readonly string[]): number {
  for (const location of written) process.stdout.write(`${location}\n`)
  return printMessage(
    written.length === 1 ? '1 file was written.' : `${formatNumber(written.length)} files were written.`,
    0,
  )
}

function printRestoredFiles({ restored, good, unused }: RestoreFilesResult): number {
  for (const key of restored) process.stdout.write(`Restored: ${key}\n`)
  for (const key of good) process.stdout.write(`Already intact: ${key}\n`)
  for (const key of unused)
    process.stderr.write(`This pool no longer uses ${key}. Write it into a folder with --to FOLDER.\n`)
  return unused.length > 0 ? 1 : 0
}

/** Reads a whole backup and records the result if the backup is of this pool. */
async function verifyBackup(
  sql: Pool,
  folder: string,
  checkOptions: ProgressOptions & { config: BucketSettings; isFast: boolean },
): Promise<Manifest> {
  try {
    const manifest = await checkBackup(folder, checkOptions)
    await recordVerification(sql, folder, '')
    return manifest
  } catch (error) {
    if (error instanceof BackupError) await recordVerification(sql, folder, error.message)
    throw error
  }
}

const printCheckPassed = ({ taken_at, files }: Manifest, folder: string): number =>
  printMessage(
    `${folder} is valid: all rows and all ${formatNumber(files.count)} files match the state of ${taken_at}.`,
    0,
  )

function printRestoreSummary({ taken_at, lost, secret_mark }: Manifest, mark: string): number {
  const missing =
    lost.length > 0
      ? ` ${countFiles(lost.length)} ${lost.length === 1 ? 'was' : 'were'} not in the backup. Run check for details.`
      : ''
  if (secret_mark !== mark)
    process.stderr.write(
      'SECRET differs from the one in use when the backup was made, so two-factor authentication and links in emails already sent won’t work. Put the old value into DATA_DIR/secret.\n',
    )
  return printMessage(`Restored the backup of ${taken_at}.${missing}`, 0)
}
