import { analyseOpened } from './analyse.ts'
import { type FromAnalyser, PREVIEW_FD, SOURCE_FD, type ToAnalyser } from './analyser-messages.ts'
import { blockSystemAccess } from './confinement.ts'
import type { FallbackPart } from './fallback.ts'

blockSystemAccess()

const PROGRESS_MS = 250

function send(message: FromAnalyser): void {
  process.send?.(message)
}

/** Sends the share of the work done, at most four times a second. */
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
    const onFallback = (part: FallbackPart, reason: string) => send({ kind: 'fallback', part, reason })
    const onProgress = progressOf()
    const files = { name, source: SOURCE_FD, preview: hasPreviewFile ? PREVIEW_FD : undefined }
    send({ kind: 'done', ...(await analyseOpened(files, { ...options, onExpected, onFallback, onProgress })) })
  } catch (error) {
    send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
})

// Exits explicitly: Node 20 can hang when a process that used WebAssembly runs out of events (nodejs/node#54918).
process.on('disconnect', () => process.exit(0))
// Ctrl+C reaches the terminal's whole process group; the parent process lets the current file finish.
process.on('SIGINT', () => {})
