import { analyseOpened } from './analyse.ts'
import { type FromAnalyser, PREVIEW_FD, SOURCE_FD, type ToAnalyser } from './analyser-messages.ts'
import { blockSystemAccess } from './confinement.ts'

blockSystemAccess()

const PROGRESS_MS = 250

function send(message: FromAnalyser): void {
  process.send?.(message)
}

/** Passes on shares of the work done, four times a second at most. */
function progressOf(): (share: number) => void {
  let sentAt = 0
  return (share) => {
    const now = performance.now()
    if (now - sentAt < PROGRESS_MS) return
    sentAt = now
    send({ kind: 'progress', share })
  }
}

process.on('message', async ({ name, hasPreviewFile, options }: ToAnalyser) => {
  try {
    const onExpected = (duration_seconds: number) => send({ kind: 'expected', duration_seconds })
    const files = { name, source: SOURCE_FD, preview: hasPreviewFile ? PREVIEW_FD : undefined }
    send({ kind: 'done', ...(await analyseOpened(files, { ...options, onExpected, onProgress: progressOf() })) })
  } catch (error) {
    send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
})

// Ended explicitly: Node 20 can sleep for ever when a process that used WebAssembly runs out of events by itself (nodejs/node#54918).
process.on('disconnect', () => process.exit(0))
// Ctrl+C reaches the whole group of a terminal; the process that asked lets the file under way finish.
process.on('SIGINT', () => {})
