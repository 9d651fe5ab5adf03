import { hostname } from 'node:os'
import path from 'node:path'
import { type Command, FLAG, parse, say, TEXT, TEXTS, type Tools, UsageError, wholeNumber } from '../command-line.ts'
import type { Pool } from '../platform/db.ts'
import { listWorkers, STALE_SECONDS } from '../platform/heartbeat.ts'
import { InterruptedError } from '../platform/hidden-line.ts'
import { makeLog } from '../platform/log.ts'
import { releaseMail } from '../platform/mail-hold.ts'
import { openStorage } from '../platform/open-storage.ts'
import { type Kind, keyOf } from '../platform/storage.ts'
import { type Made, markOf } from './backup.ts'
import { findEarlier } from './backup-folder.ts'
import { backUp, recordCheck, recordRead } from './backup-record.ts'
import type { Buckets } from './backup-source.ts'
import { checkPool } from './check.ts'
import { EXPORTS, type ExportName, exportTable } from './exports.ts'
import { noteDamage } from './file-damage.ts'
import type { Manifest } from './manifest.ts'
import { rehearseRestore } from './rehearse.ts'
import { repairFiles } from './repair.ts'
import { checkBackup, restoreBackup } from './restore.ts'
import { chooseFiles, type Restored, restoreFiles, writeFilesOut } from './single-files.ts'
import { type Steps, showSteps } from './steps.ts'
import type { OnFile } from './stored-files.ts'
import { BackupError } from './trouble.ts'

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

/** What is found is printed by the command itself. */
const QUIET = makeLog('silent')

function readFolder(command: string, positionals: string[]): string {
  const [given, ...others] = positionals
  if (!given || others.length > 0) throw new UsageError(`Missing folder. Usage: ${command} FOLDER`)
  return path.resolve(given)
}

export function readBackup(args: string[]): Command {
  const { values, positionals } = parse(args, { files: TEXT, rehearse: FLAG })
  const folder = readFolder('backup', positionals)
  if (values.files !== undefined && values.files !== 'folder' && values.files !== 'bucket')
    throw new UsageError(`--files is folder or bucket, not "${values.files}".`)
  // Of a database as it is: a backup is made before an upgrade changes it.
  const run = async ({ config, log, database }: Tools) => {
    const isInBucket = (values.files ?? config.backupFiles) === 'bucket'
    if (isInBucket && !config.bucket) throw new UsageError('--files bucket needs a bucket, and STORAGE_URL names none.')
    const storage = await openStorage(config, log)
    return withSteps(async (steps, signal) => {
      const tools = { sql: database.sql, jobs: database.jobs, storage, secret: config.secret }
      const filesInBucket = isInBucket ? config.bucket : undefined
      const code = sayMade(await backUp(tools, { folder, steps, signal, made_by: null, log, filesInBucket }), folder)
      return values.rehearse ? rehearse({ config, log, database }, { folder, steps, signal }) : code
    })
  }
  return { run, database: 'as_it_is' }
}

type Going = { steps: Steps; signal: AbortSignal }

async function rehearse({ config, database }: Tools, options: Going & { folder: string }): Promise<number> {
  const tools = { sql: database.sql, where: database.where, config }
  const { troubles, manifest, seconds } = await rehearseRestore(tools, options)
  for (const trouble of troubles) process.stdout.write(`${trouble}\n`)
  if (troubles.length > 0)
    return say(`${options.folder} can be restored, but the restored pool would have the problems listed above.`, 1)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  return say(
    `${options.folder} was restored into a scratch database and checked: ${number(rows)} rows, ${number(manifest.files.count)} files, ${seconds.toFixed(0)} s. Nothing is wrong.`,
    0,
  )
}

export function readRehearse(args: string[]): Command {
  const { positionals } = parse(args, {})
  const given = positionals.length > 0 ? readFolder('rehearse-restore', positionals) : undefined
  const run = async (tools: Tools) => {
    const { backupDir } = tools.config
    const newest = given ?? (backupDir && (await findEarlier(path.join(backupDir, 'newest'), new Set())))
    if (!newest)
      throw new UsageError(
        backupDir
          ? `There is no backup in ${backupDir} yet.`
          : 'Say which backup: rehearse-restore FOLDER. (BACKUP_DIR is not set.)',
      )
    return withSteps((steps, signal) => rehearse(tools, { folder: newest, steps, signal }))
  }
  return { run }
}

function sayMade({ manifest, copied, linked, earlier }: Made, folder: string): number {
  for (const { kind, sha256, why } of manifest.lost)
    process.stderr.write(`Missing from the backup: ${kind}/${sha256} is ${why} in storage.\n`)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const shared = linked > 0 && earlier ? `, ${number(linked)} shared with ${path.basename(earlier)}` : ''
  const files = `${number(copied + linked)} files (${size(manifest.files.bytes)}${shared})`
  const without = manifest.lost.length > 0 ? ` without the ${countFiles(manifest.lost.length)} listed above` : ''
  return say(
    `Backup of ${manifest.taken_at} completed${without} in ${folder}: ${number(rows)} rows and ${files}. It doesn’t include SECRET; keep that separately.`,
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
  const isOfSome = values.file !== undefined || song !== undefined
  if (values.to !== undefined && !isOfSome) throw new UsageError('--to goes with --file or --song.')
  if (isOfSome && values['hold-mail'])
    throw new UsageError('--hold-mail is for the restore of a whole pool: leave out --file and --song.')
  const isFast = values.fast ?? false
  const run = async ({ config, log, database }: Tools) => {
    if (isOfSome) {
      const files = await chooseFiles(folder, { files: values.file ?? [], song })
      if (values['dry-run']) return sayChosen(files)
      if (values.to !== undefined)
        return sayWritten(await writeFilesOut(config, folder, { files, to: path.resolve(values.to) }))
      const tools = { sql: database.sql, storage: await openStorage(config, log), log: QUIET, config }
      return sayFilesRestored(await restoreFiles(tools, folder, files))
    }
    if (values['dry-run'])
      return withSteps(async (steps, signal) =>
        sayWhole(await readThrough(database.sql, folder, { steps, signal, config, isFast }), folder),
      )
    const storage = await openStorage(config, log)
    return withSteps(async (steps, signal) => {
      const tools = { sql: database.sql, jobs: database.jobs, storage, config }
      const holdsMail = values['hold-mail'] ?? false
      const manifest = await restoreBackup(tools, { folder, steps, signal, isFast, holdsMail })
      if (holdsMail) say('Email is on hold. Send it with: npm run pool -- release-mail', 0)
      return sayRestored(manifest, markOf(config.secret))
    })
  }
  return { run, database: 'as_it_is' }
}

function sayChosen(files: readonly { kind: Kind; sha256: string; ending: string }[]): number {
  for (const { kind, sha256, ending } of files) process.stdout.write(`${keyOf(kind, sha256, ending)}\n`)
  return say(`The backup has ${files.length === 1 ? 'this file' : `these ${number(files.length)} files`}.`, 0)
}

function sayWritten(written: readonly string[]): number {
  for (const place of written) process.stdout.write(`${place}\n`)
  return say(written.length === 1 ? '1 file was written.' : `${number(written.length)} files were written.`, 0)
}

function sayFilesRestored({ restored, good, unused }: Restored): number {
  for (const key of restored) process.stdout.write(`Restored: ${key}\n`)
  for (const key of good) process.stdout.write(`Already good: ${key}\n`)
  for (const key of unused)
    process.stderr.write(`This pool no longer uses ${key}. Write it into a folder with --to FOLDER.\n`)
  return unused.length > 0 ? 1 : 0
}

export function readRepair(args: string[]): Command {
  const { values, positionals } = parse(args, { from: TEXT, all: FLAG, 'dry-run': FLAG })
  if (!values.from || positionals.length > 0)
    throw new UsageError('Say where the good files are: repair --from FOLDER.')
  const from = path.resolve(values.from)
  const isDryRun = values['dry-run'] ?? false
  const run = async ({ config, log, database }: Tools) => {
    const storage = await openStorage(config, log)
    return withSteps(async (steps, signal) => {
      const tools = { sql: database.sql, storage, log: QUIET, config }
      const done = await repairFiles(tools, { from, readsAll: values.all ?? false, isDryRun, steps, signal })
      for (const key of done.repaired) process.stdout.write(`${isDryRun ? 'Would be repaired' : 'Repaired'}: ${key}\n`)
      for (const { key, damage } of done.notFound) process.stdout.write(`Not found in ${from}: ${key} (${damage})\n`)
      if (done.notFound.length > 0)
        return say(`${filesAre(done.notFound.length)} damaged and not in ${from}. Try another backup.`, 1)
      if (done.repaired.length === 0) return say('No file is missing or damaged.', 0)
      const filesPutBack = done.repaired.length === 1 ? '1 file' : `${number(done.repaired.length)} files`
      return say(isDryRun ? `${filesPutBack} would be restored.` : `${filesPutBack} restored.`, 0)
    })
  }
  return { run }
}

export function readReleaseMail(args: string[]): Command {
  const { values, positionals } = parse(args, { discard: FLAG })
  if (positionals.length > 0) throw new UsageError('release-mail takes no arguments other than --discard.')
  const run = async ({ database }: Tools) => {
    const done = await releaseMail(database.sql, { discard: values.discard ?? false })
    if (!done) return say('No email is on hold.', 0)
    const discarded = done.discarded > 0 ? ` ${number(done.discarded)} from before the restore were discarded.` : ''
    return say(`Email is sent again: ${number(done.released)} are waiting.${discarded}`, 0)
  }
  return { run }
}

export function readWorkerHealth(args: string[]): Command {
  const { values } = parse(args, { 'this-host': FLAG })
  const run = async ({ database }: Tools) => {
    const workers = await listWorkers(database.sql)
    const [last] = values['this-host'] ? workers.filter(({ host }) => host === hostname()) : workers
    if (!last) return say('No worker is running. Start one.', 1)
    const seen = `${last.host}, process ${last.process_id}, was seen ${Math.round(last.seconds)} s ago`
    if (last.seconds > STALE_SECONDS) return say(`No worker is at work: the last one (${seen}). Restart it.`, 1)
    return say(`A worker is at work (${seen}).`, 0)
  }
  return { run, database: 'as_it_is' }
}

/** Reads a backup through, and writes down what came of it where this is the pool it is of. */
async function readThrough(
  sql: Pool,
  folder: string,
  wish: Going & { config: Buckets; isFast: boolean },
): Promise<Manifest> {
  try {
    const manifest = await checkBackup(folder, wish)
    await recordRead(sql, folder, '')
    return manifest
  } catch (error) {
    if (error instanceof BackupError) await recordRead(sql, folder, error.message)
    throw error
  }
}

const sayWhole = ({ taken_at, files }: Manifest, folder: string): number =>
  say(`${folder} is valid: all rows and all ${number(files.count)} files match the state of ${taken_at}.`, 0)

function sayRestored({ taken_at, lost, secret_mark }: Manifest, mark: string): number {
  const missing =
    lost.length > 0
      ? ` ${countFiles(lost.length)} ${lost.length === 1 ? 'was' : 'were'} not in the backup. Run check for details.`
      : ''
  if (secret_mark !== mark)
    process.stderr.write(
      'SECRET differs from the one in use when the backup was made, so two-factor authentication and links in emails already sent won’t work. Put the old value into DATA_DIR/secret.\n',
    )
  return say(`Restored the backup of ${taken_at}.${missing}`, 0)
}

export function readCheck(args: string[]): Command {
  const { values, positionals } = parse(args, { fast: FLAG })
  if (positionals.length > 0)
    throw new UsageError('check doesn’t take a folder. To verify a backup, run restore FOLDER --dry-run.')
  const files = values.fast ? 'fast' : 'all'
  const run = async ({ config, log, database }: Tools) => {
    const storage = await openStorage(config, log)
    return withSteps(async (steps, signal) => {
      const tools = { sql: database.sql, storage, now: () => new Date() }
      // What is found is shown to staff until the file is good again.
      const onFile: OnFile = (file, damage) => noteDamage({ sql: database.sql, storage, log: QUIET }, file, damage)
      const { troubles, unnamed } = await checkPool(tools, { files, steps, signal, onFile })
      await recordCheck(database.sql, { troubles, unnamed: unnamed.length, read_files: files === 'all' })
      for (const file of unnamed) process.stdout.write(`Unreferenced file: ${file}\n`)
      for (const trouble of troubles) process.stdout.write(`${trouble}\n`)
      if (troubles.length > 0) return say('Problems found.', 1)
      const spare =
        unnamed.length > 0 ? ` ${number(unnamed.length)} unreferenced ${unnamed.length === 1 ? 'file' : 'files'}.` : ''
      return say(`No problems found.${spare}`, 0)
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
  const run = async ({ database }: Tools) => {
    const rows = await exportTable(database.sql, what, to)
    return say(`Exported ${number(rows)} ${what} to ${to}.`, 0)
  }
  return { run }
}

const isExport = (what: string): what is ExportName => (EXPORTS as string[]).includes(what)

const INTERRUPTED = 130
/** Ctrl+C reaches this process from the terminal and again through npm: within this time it is one. */
const ONE_INTERRUPT_MS = 500

/** Shows how far it is. A second interrupt does not wait. An interrupt ends the work, which clears up what it has begun. */
async function withSteps(work: (steps: Steps, signal: AbortSignal) => Promise<number>): Promise<number> {
  const ending = new AbortController()
  const steps = showSteps(process.stderr)
  let first: number | undefined
  const stop = () => {
    if (first !== undefined && Date.now() - first > ONE_INTERRUPT_MS) process.exit(INTERRUPTED)
    first ??= Date.now()
    ending.abort(new InterruptedError('Interrupted. Incomplete files were removed.'))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  try {
    return await work(steps, ending.signal)
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error
  } finally {
    steps.end()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  }
}

const countFiles = (n: number): string => (n === 1 ? '1 file' : `${number(n)} files`)

const filesAre = (n: number): string => `${countFiles(n)} ${n === 1 ? 'is' : 'are'}`

const number = (n: number): string => n.toLocaleString('en')

const size = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
