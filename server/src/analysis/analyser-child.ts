import { analyseOpened } from './analyse.ts'
import {
  type FromAnalyser,
  type FromConverter,
  SOURCE_FD,
  TARGET_FD,
  type ToAnalyser,
  type ToConverter,
} from './analyser-messages.ts'
import { blockSystemAccess } from './confinement.ts'
import { convertOpened } from './conversion/convert.ts'
import type { FallbackPart } from './fallback.ts'

blockSystemAccess()

const PROGRESS_MS = 250

function send(message: FromAnalyser | FromConverter): void {
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

async function analyseFile({ name, hasPreviewFile, options }: ToAnalyser): Promise<void> {
  const onExpected = (duration_seconds: number) => send({ kind: 'expected', duration_seconds })
  const onFallback = (part: FallbackPart, reason: string) => send({ kind: 'fallback', part, reason })
  const files = { name, source: SOURCE_FD, preview: hasPreviewFile ? TARGET_FD : undefined }
  const onProgress = progressOf()
  send({ kind: 'done', ...(await analyseOpened(files, { ...options, onExpected, onFallback, onProgress })) })
}

async function convertFile({ task: _, ...options }: ToConverter): Promise<void> {
  await convertOpened({ source: SOURCE_FD, target: TARGET_FD }, { ...options, onProgress: progressOf() })
  send({ kind: 'converted' })
}

process.on('message', async (message: ToAnalyser | ToConverter) => {
  try {
    await (message.task === 'convert' ? convertFile(message) : analyseFile(message))
  } catch (error) {
    send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
})

// Exits explicitly: Node 20 can hang when a process that used WebAssembly runs out of events (nodejs/node#54918).
process.on('disconnect', () => process.exit(0))
// Ctrl+C reaches the terminal's whole process group; the parent process lets the current file finish.
process.on('SIGINT', () => {})
