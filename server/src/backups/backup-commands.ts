import path from 'node:path'
import { type Command, FLAG, parse, say, type Tools, UsageError } from '../command-line.ts'
import type { Pool } from '../platform/db.ts'
import { InterruptedError } from '../platform/hidden-line.ts'
import { openStorage } from '../platform/open-storage.ts'
import { type Made, markOf } from './backup.ts'
import { backUp, recordCheck, recordRead } from './backup-record.ts'
import { checkPool } from './check.ts'
import { EXPORTS, type ExportName, exportTable } from './exports.ts'
import type { Manifest } from './manifest.ts'
import { checkBackup, restoreBackup } from './restore.ts'
import { type Steps, showSteps } from './steps.ts'
import { BackupError } from './trouble.ts'

export const BACKUP_HELP = `  backup FOLDER              copies database and files, of one moment, into a folder that is not there yet; the pool may run
  restore FOLDER             brings a backup back into a pool that has nothing in it
    --dry-run                only reads the backup through
  check                      looks through the pool: files, counts, books; the pool may run
    --fast                   does not read the files, only whether they are there and as long as they should be
  export WHAT FILE.csv       writes members, downloads or payments for a spreadsheet
`

function readFolder(command: string, positionals: string[]): string {
  const [given, ...others] = positionals
  if (!given || others.length > 0) throw new UsageError(`Say which folder: ${command} FOLDER.`)
  return path.resolve(given)
}

export function readBackup(args: string[]): Command {
  const folder = readFolder('backup', parse(args, {}).positionals)
  // Of a database as it is: a backup is made before an upgrade changes it.
  const run = async ({ config, log, database }: Tools) => {
    const storage = await openStorage(config, log)
    return withSteps(async (steps, signal) => {
      const tools = { sql: database.sql, jobs: database.jobs, storage, secret: config.secret }
      return sayMade(await backUp(tools, { folder, steps, signal, made_by: null, log }), folder)
    })
  }
  return { run, database: 'as_it_is' }
}

function sayMade({ manifest, copied, linked, earlier }: Made, folder: string): number {
  for (const { kind, sha256, why } of manifest.lost)
    process.stderr.write(`Not in the backup: ${kind}/${sha256} is ${why} in the store.\n`)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const shared = linked > 0 && earlier ? `, ${number(linked)} of them shared with ${path.basename(earlier)}` : ''
  const files = `${number(copied + linked)} files (${size(manifest.files.bytes)}${shared})`
  const without = manifest.lost.length > 0 ? ` without the ${number(manifest.lost.length)} named above` : ''
  return say(
    `${folder} is a whole backup${without}: ${number(rows)} rows of ${manifest.taken_at} and ${files}. SECRET is not in it: keep that as well.`,
    0,
  )
}

export function readRestore(args: string[]): Command {
  const { values, positionals } = parse(args, { 'dry-run': FLAG })
  const folder = readFolder('restore', positionals)
  const run = async ({ config, log, database }: Tools) => {
    if (values['dry-run'])
      return withSteps(async (steps, signal) =>
        sayWhole(await readThrough(database.sql, folder, { steps, signal }), folder),
      )
    const storage = await openStorage(config, log)
    return withSteps(async (steps, signal) => {
      const tools = { sql: database.sql, jobs: database.jobs, storage }
      const manifest = await restoreBackup(tools, { folder, steps, signal })
      return sayRestored(manifest, markOf(config.secret))
    })
  }
  return { run, database: 'as_it_is' }
}

/** Reads a backup through, and writes down what came of it where this is the pool it is of. */
async function readThrough(sql: Pool, folder: string, wish: { steps: Steps; signal: AbortSignal }): Promise<Manifest> {
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
  say(`${folder} is whole: every row and all ${number(files.count)} files are as they were on ${taken_at}.`, 0)

function sayRestored({ taken_at, lost, secret_mark }: Manifest, mark: string): number {
  const missing = lost.length > 0 ? ` ${number(lost.length)} files were not in the backup: see check.` : ''
  if (secret_mark !== mark)
    process.stderr.write(
      'SECRET is another one than when the backup was made: two-step sign-in and links in mails that are out do not work with it. Put the old one into DATA_DIR/secret.\n',
    )
  return say(`The pool is as it was on ${taken_at}.${missing}`, 0)
}

export function readCheck(args: string[]): Command {
  const { values, positionals } = parse(args, { fast: FLAG })
  if (positionals.length > 0)
    throw new UsageError('check takes no folder: a backup is read by restore FOLDER --dry-run.')
  const files = values.fast ? 'fast' : 'all'
  const run = async ({ config, log, database }: Tools) => {
    const storage = await openStorage(config, log)
    return withSteps(async (steps, signal) => {
      const tools = { sql: database.sql, storage, now: () => new Date() }
      const { troubles, unnamed } = await checkPool(tools, { files, steps, signal })
      await recordCheck(database.sql, { troubles, unnamed: unnamed.length, read_files: files === 'all' })
      for (const file of unnamed) process.stdout.write(`Nobody names: ${file}\n`)
      for (const trouble of troubles) process.stdout.write(`${trouble}\n`)
      if (troubles.length > 0) return say('Not all is as it should be.', 1)
      const spare = unnamed.length > 0 ? ` ${number(unnamed.length)} files are named by nobody.` : ''
      return say(`All is well.${spare}`, 0)
    })
  }
  return { run }
}

export function readExport(args: string[]): Command {
  const [what, file, ...others] = parse(args, {}).positionals
  if (!what || !file || others.length > 0) throw new UsageError('Say what and where to: export members members.csv.')
  if (!isExport(what)) throw new UsageError(`There is no export of "${what}". There are ${EXPORTS.join(', ')}.`)
  const to = path.resolve(file)
  const run = async ({ database }: Tools) => {
    const rows = await exportTable(database.sql, what, to)
    return say(`${to} has ${number(rows)} ${what}.`, 0)
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
    ending.abort(new InterruptedError('Interrupted; nothing half-made was left.'))
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

const number = (n: number): string => n.toLocaleString('en')

const size = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
