import { hostname } from 'node:os'
import path from 'node:path'
import { type Command, type CommandContext, FLAG, parse, printMessage, TEXT, UsageError } from '../command-line.ts'
import { listWorkers, STALE_SECONDS } from '../platform/heartbeat.ts'
import { releaseMail } from '../platform/mail-hold.ts'
import { openStorage } from '../platform/open-storage.ts'
import { recordCheck } from './backup-record.ts'
import { checkPool } from './check.ts'
import { countFilesWithVerb, formatNumber, SILENT_LOG, withProgress } from './command-output.ts'
import { EXPORTS, type ExportName, exportTable } from './exports.ts'
import { recordDamage } from './file-damage.ts'
import { repairFiles } from './repair.ts'
import type { OnFile } from './stored-files.ts'

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
      const unreferenced =
        unnamed.length > 0
          ? ` ${formatNumber(unnamed.length)} unreferenced ${unnamed.length === 1 ? 'file' : 'files'}.`
          : ''
      return printMessage(`No problems found.${unreferenced}`, 0)
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
