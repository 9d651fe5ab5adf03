import * as texts from './texts.ts'

/** The size of one request. A proxy in front of the pool may allow less than the pool does (nginx: 1 MB). */
const MAX_CHUNK_BYTES = 8 * 1024 * 1024
const MIN_CHUNK_BYTES = 128 * 1024

let current = MAX_CHUNK_BYTES

/** The chunk size the last uploads succeeded with. */
export const chunkBytes = (): number => current

/** Whether a proxy rejected a request as too large: status 413 without the pool's own error body. */
export const isTooLargeForProxy = (status: number | undefined, hasErrorBody: boolean): boolean =>
  status === 413 && !hasErrorBody

/** Half of the rejected chunk size, for this upload and later ones; undefined if it would be too small. */
export function halveChunk(rejectedBytes: number): number | undefined {
  if (rejectedBytes <= MIN_CHUNK_BYTES) return undefined
  current = Math.min(current, Math.max(MIN_CHUNK_BYTES, Math.floor(rejectedBytes / 2)))
  return current
}

export const PROXY_LIMIT_MESSAGE = texts.theWebServerInFront
