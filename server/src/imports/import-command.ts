import { existsSync, statSync } from 'node:fs'
import os from 'node:os'
import type { AppContext } from '../app-context.ts'
import type { TagEncoding } from '../audio-files/text-encoding.ts'
import { builtProgram } from '../platform/project-root.ts'
import { planImport } from './dry-run.ts'
import { importFolder } from './folder-import.ts'
import { createProgress } from './import-progress.ts'
import { reportImport } from './import-report.ts'

export type ImportCommandOptions = {
  folder: string
  section: 1 | 2
  genre?: string
  pattern?: string
  encoding?: TagEncoding
  jobs?: number
  isDryRun: boolean
}

/** The exit code of an interrupted program: 128 plus the number of SIGINT. */
const INTERRUPTED_EXIT_CODE = 130
/** Ctrl+C reaches this process from the terminal and again through npm: within this time it counts once. */
const INTERRUPT_DEBOUNCE_MS = 500

/** Returns in a sentence why a folder cannot be imported; undefined when it can. */
export function checkFolder(folder: string): string | undefined {
  if (!existsSync(folder)) return `Folder ${folder} does not exist.`
  return statSync(folder).isDirectory() ? undefined : `${folder} is not a folder.`
}

/** `pool import`: shows the progress and prints a table at the end. Returns the exit code. */
export async function runImport(ctx: AppContext, commandOptions: ImportCommandOptions): Promise<number> {
  const abortController = new AbortController()
  const removeListeners = onInterrupt(() => abortController.abort())
  const progress = createProgress(process.stderr)
  const options = {
    folder: commandOptions.folder,
    section: commandOptions.section,
    genre: commandOptions.genre,
    pattern: commandOptions.pattern,
    encoding: commandOptions.encoding,
    signal: abortController.signal,
    onFound: progress.onStart,
    onDone: progress.onDone,
  }
  const jobs = commandOptions.jobs ?? ctx.config.analysers ?? os.availableParallelism()
  const childPath = builtProgram('analyser-child')
  try {
    const { plan, result } = commandOptions.isDryRun
      ? await planImport(ctx, options)
      : { plan: '', result: await importFolder(ctx, { ...options, jobs, childPath }) }
    progress.onEnd()
    const report = reportImport(result, { folder: commandOptions.folder, isDryRun: commandOptions.isDryRun })
    process.stdout.write(`${[plan, report].filter(Boolean).join('\n\n')}\n`)
    return result.interrupted ? INTERRUPTED_EXIT_CODE : 0
  } finally {
    progress.onEnd()
    removeListeners()
  }
}

/** The first interrupt lets files in progress finish, the second exits at once. */
function onInterrupt(finish: () => void): () => void {
  let first: number | undefined
  const onSignal = () => {
    if (first === undefined) {
      first = Date.now()
      process.stderr.write('\nFinishing the current files. Press Ctrl+C again to stop immediately.\n')
      finish()
    } else if (Date.now() - first > INTERRUPT_DEBOUNCE_MS) process.exit(INTERRUPTED_EXIT_CODE)
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, onSignal)
  return () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
}
