import * as texts from './texts.ts'

/** How much of a file goes into one request. A proxy in front of the pool may allow less than the pool does (nginx: 1 MB). */
const MAX_CHUNK_BYTES = 8 * 1024 * 1024
const MIN_CHUNK_BYTES = 128 * 1024

let current = MAX_CHUNK_BYTES

/** What the last uploads got through with. */
export const chunkBytes = (): number => current

/** Whether the server answered that a request was too large: the proxy, when the pool's own words are missing. */
export const isTooLargeForProxy = (status: number | undefined, hasErrorBody: boolean): boolean =>
  status === 413 && !hasErrorBody

/** Half of the chunk that was refused, for this upload and for those after it; undefined when that is not worth trying. */
export function halveChunk(rejectedBytes: number): number | undefined {
  if (rejectedBytes <= MIN_CHUNK_BYTES) return undefined
  current = Math.min(current, Math.max(MIN_CHUNK_BYTES, Math.floor(rejectedBytes / 2)))
  return current
}

export const PROXY_LIMIT_MESSAGE = texts.theWebServerInFront
