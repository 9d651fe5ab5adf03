import { analyseOpened } from './analyse.ts'
import { type FromAnalyser, PREVIEW_FD, SOURCE_FD, type ToAnalyser } from './analyser-messages.ts'
import { closeWaysOut } from './confinement.ts'

closeWaysOut()

const PROGRESS_MS = 250

function tell(message: FromAnalyser): void {
  process.send?.(message)
}

/** Passes on shares of the work done, four times a second at most. */
function progressOf(): (share: number) => void {
  let toldAt = 0
  return (share) => {
    const now = performance.now()
    if (now - toldAt < PROGRESS_MS) return
    toldAt = now
    tell({ kind: 'progress', share })
  }
}

process.on('message', async ({ name, hasPreviewFile, options }: ToAnalyser) => {
  try {
    const onExpected = (duration_seconds: number) => tell({ kind: 'expected', duration_seconds })
    const files = { name, source: SOURCE_FD, preview: hasPreviewFile ? PREVIEW_FD : undefined }
    tell({ kind: 'done', ...(await analyseOpened(files, { ...options, onExpected, onProgress: progressOf() })) })
  } catch (error) {
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
})

// Ended explicitly: Node 20 can sleep for ever when a process that used WebAssembly runs out of events by itself (nodejs/node#54918).
process.on('disconnect', () => process.exit(0))
// Ctrl+C reaches the whole group of a terminal; the process that asked lets the file under way finish.
process.on('SIGINT', () => {})
