import { uploadedSongs, uploads } from '@dubplate/contract'
import { useEffect } from 'react'
import { ask } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { isBeingAnalysed, keepFiles } from './files.ts'

const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 30_000

/** What shows the state of files, and is asked again where it cannot be watched. */
const SHOWN_IN = [uploads.getContainer, uploadedSongs.getSongVersions, uploadedSongs.getUploadedSongs].map(
  ({ path }) => path,
)

const askAnew = (paths: string[]) => {
  for (const path of paths) void queryClient.invalidateQueries({ queryKey: [path] })
}

function heard(event: MessageEvent<string>) {
  const { files } = JSON.parse(event.data) as { files: uploads.ContainerFile[] }
  keepFiles(files)
  // What became of its song follows from the analysis.
  if (files.some((file) => !isBeingAnalysed(file))) askAnew([uploadedSongs.getUploadedSongs.path])
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

const pause = (ms: number, signal: AbortSignal) =>
  Promise.race([new Promise((resolve) => setTimeout(resolve, ms)), aborted(signal)])

/** Follows one stream until it ends; true when something was heard. */
async function follow(signal: AbortSignal): Promise<boolean> {
  const { url } = await ask(uploads.watchUploads, {}, { signal })
  const stream = new EventSource(url)
  let hasHeard = false
  stream.addEventListener('files', (event) => {
    hasHeard = true
    heard(event)
  })
  const ended = new Promise<void>((resolve) => stream.addEventListener('error', () => resolve()))
  await Promise.race([ended, aborted(signal)])
  stream.close()
  return hasHeard
}

/** Hears of every change of the files until the signal ends it. Where there is no stream it asks, ever less often. */
async function watch(signal: AbortSignal): Promise<void> {
  let pause_ms = FIRST_PAUSE_MS
  while (!signal.aborted) {
    const hasHeard = await follow(signal).catch(() => false)
    if (signal.aborted) return
    if (hasHeard) pause_ms = FIRST_PAUSE_MS
    await pause(pause_ms, signal)
    pause_ms = Math.min(LONGEST_PAUSE_MS, pause_ms * 1.5)
    if (!signal.aborted) askAnew(SHOWN_IN)
  }
}

let watchers = 0
let stop: AbortController | undefined

/** Keeps what is shown of files up to date while some of them are being analysed. */
export function useWatching(isWanted: boolean) {
  useEffect(() => {
    if (!isWanted) return
    watchers += 1
    if (watchers === 1) {
      stop = new AbortController()
      void watch(stop.signal)
    }
    return () => {
      watchers -= 1
      if (watchers === 0) stop?.abort()
    }
  }, [isWanted])
}
