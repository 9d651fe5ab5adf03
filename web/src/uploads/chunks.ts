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

export const PROXY_REFUSES =
  'The web server in front of this pool refuses uploads, even in pieces of 128 kB (413). Ask the people who run the pool to allow larger requests: in nginx, client_max_body_size 16m.'
