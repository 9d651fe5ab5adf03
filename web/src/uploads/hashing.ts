import type { HashMessage } from './hashWorker.ts'
import * as texts from './texts.ts'

/** Computes the SHA-256 of a file in hex, in a worker. Rejects if the file cannot be read or the signal aborts. */
export function computeSha256(file: File, onShare: (share: number) => void, signal: AbortSignal): Promise<string> {
  const worker = new Worker(new URL('./hashWorker.ts', import.meta.url), { type: 'module' })
  const done = new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    worker.addEventListener('error', () => reject(new Error(texts.couldntCheckTheFileTry)))
    worker.addEventListener('message', ({ data }: MessageEvent<HashMessage>) => {
      if ('sha256' in data) resolve(data.sha256)
      else if ('share' in data) onShare(data.share)
      else reject(new Error(texts.couldntReadFile))
    })
  })
  worker.postMessage(file)
  return done.finally(() => worker.terminate())
}
