import { existsSync, statSync } from 'node:fs'
import os from 'node:os'
import { builtProgram } from '../platform/root.ts'
import type { World } from '../world.ts'
import { planImport } from './dry-run.ts'
import { importFolder } from './folder-import.ts'
import { showProgress } from './import-progress.ts'
import { reportImport } from './import-report.ts'

export type ImportWish = {
  folder: string
  section: 1 | 2
  genre?: string
  pattern?: string
  jobs?: number
  isDryRun: boolean
}

/** An interrupted program ends with 128 and the number of SIGINT. */
const INTERRUPTED = 130
/** Ctrl+C reaches this process from the terminal and again through npm: within this time it is one. */
const ONE_INTERRUPT_MS = 500

/** What is wrong with a folder as a place to import from, in one sentence. */
export function refuseFolder(folder: string): string | undefined {
  if (!existsSync(folder)) return `Folder ${folder} does not exist.`
  return statSync(folder).isDirectory() ? undefined : `${folder} is not a folder.`
}

/** `pool import`: shows how far it is and prints the table at the end. Answers with the exit code. */
export async function runImport(world: World, wish: ImportWish): Promise<number> {
  const ending = new AbortController()
  const forget = onInterrupt(() => ending.abort())
  const progress = showProgress(process.stderr)
  const options = {
    folder: wish.folder,
    section: wish.section,
    genre: wish.genre,
    pattern: wish.pattern,
    signal: ending.signal,
    onFound: progress.begin,
    onDone: progress.done,
  }
  const jobs = wish.jobs ?? world.config.analysers ?? os.availableParallelism()
  const childPath = builtProgram('analyser-child')
  try {
    const { plan, result } = wish.isDryRun
      ? await planImport(world, options)
      : { plan: '', result: await importFolder(world, { ...options, jobs, childPath }) }
    progress.end()
    const report = reportImport(result, { folder: wish.folder, isDryRun: wish.isDryRun })
    process.stdout.write(`${[plan, report].filter(Boolean).join('\n\n')}\n`)
    return result.interrupted ? INTERRUPTED : 0
  } finally {
    progress.end()
    forget()
  }
}

/** The first interrupt lets what is under way finish, the second ends at once. */
function onInterrupt(finish: () => void): () => void {
  let first: number | undefined
  const heard = () => {
    if (first === undefined) {
      first = Date.now()
      process.stderr.write('\nFinishing the current files. Press Ctrl+C again to stop immediately.\n')
      finish()
    } else if (Date.now() - first > ONE_INTERRUPT_MS) process.exit(INTERRUPTED)
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, heard)
  return () => {
    for (const signal of signals) process.off(signal, heard)
  }
}
