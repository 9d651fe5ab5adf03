import { uploadedSongs, uploads } from '@dubplate/contract'
import { useEffect } from 'react'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { cacheFiles, isBeingAnalysed } from './files.ts'

const INITIAL_RETRY_DELAY_MS = 2_000
const MAX_RETRY_DELAY_MS = 30_000

/** Queries that show the state of files, refetched if the stream is not available. */
const DEPENDENT_QUERIES = [uploads.getContainer, uploadedSongs.getSongVersions, uploadedSongs.getUploadedSongs].map(
  ({ path }) => path,
)

const invalidateQueries = (paths: string[]) => {
  for (const path of paths) void queryClient.invalidateQueries({ queryKey: [path] })
}

function handleUploadEvent(event: MessageEvent<string>) {
  const { files } = JSON.parse(event.data) as { files: uploads.ContainerFile[] }
  cacheFiles(files)
  // The state of a song follows from the analysis.
  if (files.some((file) => !isBeingAnalysed(file))) invalidateQueries([uploadedSongs.getUploadedSongs.path])
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

const pause = (ms: number, signal: AbortSignal) =>
  Promise.race([new Promise((resolve) => setTimeout(resolve, ms)), aborted(signal)])

/** Follows one stream until it ends; true if it sent anything. */
async function followStream(signal: AbortSignal): Promise<boolean> {
  const { url } = await callApi(uploads.watchUploads, {}, { signal })
  const stream = new EventSource(url)
  let hasConnected = false
  stream.addEventListener('files', (event) => {
    hasConnected = true
    handleUploadEvent(event)
  })
  const ended = new Promise<void>((resolve) => stream.addEventListener('error', () => resolve()))
  await Promise.race([ended, aborted(signal)])
  stream.close()
  return hasConnected
}

/** Follows changes of the files until the signal aborts. Without a stream it polls, at growing intervals. */
async function runWatch(signal: AbortSignal): Promise<void> {
  let retryDelayMs = INITIAL_RETRY_DELAY_MS
  while (!signal.aborted) {
    const hasConnected = await followStream(signal).catch(() => false)
    if (signal.aborted) return
    if (hasConnected) retryDelayMs = INITIAL_RETRY_DELAY_MS
    await pause(retryDelayMs, signal)
    retryDelayMs = Math.min(MAX_RETRY_DELAY_MS, retryDelayMs * 1.5)
    if (!signal.aborted) invalidateQueries(DEPENDENT_QUERIES)
  }
}

let watchers = 0
let abortController: AbortController | undefined

/** Keeps the displayed state of files up to date while some of them are being analysed. */
export function useUploadWatch(isActive: boolean) {
  useEffect(() => {
    if (!isActive) return
    watchers += 1
    if (watchers === 1) {
      abortController = new AbortController()
      void runWatch(abortController.signal)
    }
    return () => {
      watchers -= 1
      if (watchers === 0) abortController?.abort()
    }
  }, [isActive])
}
