/** A page that is being reloaded releases its locks a moment after the new one has started. */
const LOCK_RELEASE_TIMEOUT_MS = 2_000

/** The function that releases each lock of this page, by the id of the upload. */
const releases = new Map<string, () => void>()

/** Acquires an upload for this page, so that no other tab resumes it. False if another tab has it. */
export function lockUpload(id: string): Promise<boolean> {
  if (!navigator.locks || releases.has(id)) return Promise.resolve(true)
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(LOCK_RELEASE_TIMEOUT_MS)
    const waitForRelease = () =>
      new Promise<void>((release) => {
        releases.set(id, release)
        resolve(true)
      })
    navigator.locks.request(`dubplate.upload.${id}`, { signal }, waitForRelease).catch(() => resolve(false))
  })
}

export function unlockUpload(id: string) {
  releases.get(id)?.()
  releases.delete(id)
}
