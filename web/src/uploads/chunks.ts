import * as texts from './texts.ts'

/** How much of a file goes into one request. A proxy in front of the pool may allow less than the pool does (nginx: 1 MB). */
const LARGEST_BYTES = 8 * 1024 * 1024
const SMALLEST_BYTES = 128 * 1024

let current = LARGEST_BYTES

/** What the last uploads got through with. */
export const chunkBytes = (): number => current

/** Whether the server answered that a request was too large: the proxy, when the pool's own words are missing. */
export const isTooLargeForProxy = (status: number | undefined, hasRefusal: boolean): boolean =>
  status === 413 && !hasRefusal

/** Half of the chunk that was refused, for this upload and for those after it; undefined when that is not worth trying. */
export function halveChunk(refused: number): number | undefined {
  if (refused <= SMALLEST_BYTES) return undefined
  current = Math.min(current, Math.max(SMALLEST_BYTES, Math.floor(refused / 2)))
  return current
}

export const PROXY_REFUSES = texts.theWebServerInFront
