import { createLog } from '../platform/log.ts'
import { InterruptedError } from '../platform/password-prompt.ts'
import { type ProgressReporter, showProgress } from './progress.ts'

/** The command prints the results itself. */
export const SILENT_LOG = createLog('silent')

const INTERRUPTED = 130
/** Ctrl+C reaches this process from the terminal and again through npm: signals within this time count as one. */
const INTERRUPT_DEBOUNCE_MS = 500

/** Shows the progress. The first interrupt stops the work, which cleans up after itself; a second one exits at once. */
export async function withProgress(
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

export const countFiles = (n: number): string => (n === 1 ? '1 file' : `${formatNumber(n)} files`)

export const countFilesWithVerb = (n: number): string => `${countFiles(n)} ${n === 1 ? 'is' : 'are'}`

export const formatNumber = (n: number): string => n.toLocaleString('en')

export const formatBytes = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
