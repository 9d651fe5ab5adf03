/**
 * The status of a preview whose music the server still generates, as it does in the demo, if the request says that
 * no listener waits for the sound.
 */
export const GENERATING = 202
export const prefetchHeader = { purpose: 'prefetch' }

const TIMEOUT_MS = 5_000

/** Asks the server whether it still generates the music of a preview; false if it cannot be reached. */
export const isGenerating = (url: string | undefined): Promise<boolean> => {
  if (url === undefined) return Promise.resolve(false)
  const request = { headers: { range: 'bytes=0-0', ...prefetchHeader }, signal: AbortSignal.timeout(TIMEOUT_MS) }
  return fetch(url, request).then(
    ({ status }) => status === GENERATING,
    () => false,
  )
}
