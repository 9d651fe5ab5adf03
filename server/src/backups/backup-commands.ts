import { hostname } from 'node:os'
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
import { listWorkers, STALE_SECONDS } from '../platform/heartbeat.ts'
import { createLog } from '../platform/log.ts'
import { releaseMail } from '../platform/mail-hold.ts'
import { openStorage } from '../platform/open-storage.ts'
import { InterruptedError } from '../platform/password-prompt.ts'
import { type StorageKind, storageKey } from '../platform/storage.ts'
import { type BackupResult, secretMarkOf } from './backup.ts'
import { BackupError } from './backup-error.ts'
import { findPreviousBackup } from './backup-folder.ts'
import { backUp, recordCheck, recordVerification } from './backup-record.ts'
import type { BucketSettings } from './backup-source.ts'
import { checkPool } from './check.ts'
import { EXPORTS, type ExportName, exportTable } from './exports.ts'
import { recordDamage } from './file-damage.ts'
import type { Manifest } from './manifest.ts'
import { type ProgressReporter, showProgress } from './progress.ts'
import { rehearseRestore } from './rehearse.ts'
import { repairFiles } from './repair.ts'
import { checkBackup, restoreBackup } from './restore.ts'
import { type RestoreFilesResult, restoreFiles, selectFiles, writeFilesOut } from './single-files.ts'
import type { OnFile } from './stored-files.ts'

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

/** The command prints the results itself. */
const SILENT_LOG = createLog('silent')

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

export function readRepair(args: string[]): Command {
  const { values, positionals } = parse(args, { from: TEXT, all: FLAG, 'dry-run': FLAG })
  if (!values.from || positionals.length > 0) throw new UsageError('Missing folder. Usage: repair --from FOLDER')
  const from = path.resolve(values.from)
  const isDryRun = values['dry-run'] ?? false
  const run = async ({ config, log, database }: CommandContext) => {
    const storage = await openStorage(config, log)
    return withProgress(async (progress, signal) => {
      const deps = { sql: database.sql, storage, log: SILENT_LOG, config }
      const done = await repairFiles(deps, { from, readsAll: values.all ?? false, isDryRun, progress, signal })
      for (const key of done.repaired) process.stdout.write(`${isDryRun ? 'Would be repaired' : 'Repaired'}: ${key}\n`)
      for (const { key, damage } of done.notFound) process.stdout.write(`Not found in ${from}: ${key} (${damage})\n`)
      if (done.notFound.length > 0)
        return printMessage(
          `${countFilesWithVerb(done.notFound.length)} damaged and not in ${from}. Try another backup.`,
          1,
        )
      if (done.repaired.length === 0) return printMessage('No file is missing or damaged.', 0)
      const restoredText = done.repaired.length === 1 ? '1 file' : `${formatNumber(done.repaired.length)} files`
      return printMessage(isDryRun ? `${restoredText} would be restored.` : `${restoredText} restored.`, 0)
    })
  }
  return { run }
}

export function readReleaseMail(args: string[]): Command {
  const { values, positionals } = parse(args, { discard: FLAG })
  if (positionals.length > 0) throw new UsageError('release-mail takes no arguments except --discard.')
  const run = async ({ database }: CommandContext) => {
    const done = await releaseMail(database.sql, { discard: values.discard ?? false })
    if (!done) return printMessage('No email is on hold.', 0)
    const discarded =
      done.discarded > 0 ? ` ${formatNumber(done.discarded)} from before the restore were discarded.` : ''
    return printMessage(`Email is sent again: ${formatNumber(done.released)} pending.${discarded}`, 0)
  }
  return { run }
}

export function readWorkerHealth(args: string[]): Command {
  const { values } = parse(args, { 'this-host': FLAG })
  const run = async ({ database }: CommandContext) => {
    const workers = await listWorkers(database.sql)
    const [last] = values['this-host'] ? workers.filter(({ host }) => host === hostname()) : workers
    if (!last) return printMessage('No worker is running. Start one.', 1)
    const seen = `${last.host}, process ${last.process_id}, seen ${Math.round(last.seconds)} s ago`
    if (last.seconds > STALE_SECONDS) return printMessage(`No worker is running (last one: ${seen}). Restart it.`, 1)
    return printMessage(`A worker is running (${seen}).`, 0)
  }
  return { run, database: 'as_it_is' }
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

export function readCheck(args: string[]): Command {
  const { values, positionals } = parse(args, { fast: FLAG })
  if (positionals.length > 0)
    throw new UsageError('check doesn’t take a folder. To verify a backup, run restore FOLDER --dry-run.')
  const files = values.fast ? 'fast' : 'all'
  const run = async ({ config, log, database }: CommandContext) => {
    const storage = await openStorage(config, log)
    return withProgress(async (progress, signal) => {
      const deps = { sql: database.sql, storage, now: () => new Date() }
      // Damaged files are shown to staff until they are repaired.
      const onFile: OnFile = (file, damage) =>
        recordDamage({ sql: database.sql, storage, log: SILENT_LOG }, file, damage)
      const { problems, unnamed } = await checkPool(deps, { files, progress, signal, onFile })
      await recordCheck(database.sql, { problems, unnamed: unnamed.length, read_files: files === 'all' })
      for (const file of unnamed) process.stdout.write(`Unreferenced file: ${file}\n`)
      for (const problem of problems) process.stdout.write(`${problem}\n`)
      if (problems.length > 0) return printMessage('Problems found.', 1)
      const spare =
        unnamed.length > 0
          ? ` ${formatNumber(unnamed.length)} unreferenced ${unnamed.length === 1 ? 'file' : 'files'}.`
          : ''
      return printMessage(`No problems found.${spare}`, 0)
    })
  }
  return { run }
}

export function readExport(args: string[]): Command {
  const [what, file, ...others] = parse(args, {}).positionals
  if (!what || !file || others.length > 0)
    throw new UsageError('Missing arguments. Example: export members members.csv')
  if (!isExport(what)) throw new UsageError(`Unknown export "${what}". Available: ${EXPORTS.join(', ')}.`)
  const to = path.resolve(file)
  const run = async ({ database }: CommandContext) => {
    const rows = await exportTable(database.sql, what, to)
    return printMessage(`Exported ${formatNumber(rows)} ${what} to ${to}.`, 0)
  }
  return { run }
}

const isExport = (what: string): what is ExportName => (EXPORTS as string[]).includes(what)

const INTERRUPTED = 130
/** Ctrl+C reaches this process from the terminal and again through npm: signals within this time count as one. */
const INTERRUPT_DEBOUNCE_MS = 500

/** Shows the progress. The first interrupt stops the work, which cleans up after itself; a second one exits at once. */
async function withProgress(
  work: (progress: ProgressReporter, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const ending = new AbortController()
  const progress = showProgress(process.stderr)
  let first: number | undefined
  const stop = () => {
    if (first !== undefined && Date.now() - first > INTERRUPT_DEBOUNCE_MS) process.exit(INTERRUPTED)
    first ??= Date.now()
    ending.abort(new InterruptedError('Interrupted. Incomplete files were removed.'))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  try {
    return await work(progress, ending.signal)
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error
  } finally {
    progress.end()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  }
}

const countFiles = (n: number): string => (n === 1 ? '1 file' : `${formatNumber(n)} files`)

const countFilesWithVerb = (n: number): string => `${countFiles(n)} ${n === 1 ? 'is' : 'are'}`

const formatNumber = (n: number): string => n.toLocaleString('en')

const formatBytes = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
