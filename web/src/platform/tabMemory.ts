export type TabMemory<T> = { get(): T | undefined; set(value: T | undefined): void }

/**
 * One value that this tab keeps until it is closed, also across a reload. Where the browser refuses storage (some private
 * windows, a full one) the value lasts as long as the page.
 */
export function tabMemory<T>(key: string): TabMemory<T> {
  /** Only what could not be stored. */
  let unstored: T | undefined
  return {
    get: () => {
      try {
        return JSON.parse(sessionStorage.getItem(key)!) ?? unstored
      } catch {
        return unstored
      }
    },
    set: (value) => {
      unstored = value
      try {
        // Removed first: where the new value does not fit, the old one must not come back.
        sessionStorage.removeItem(key)
        sessionStorage.setItem(key, JSON.stringify(value ?? null))
        unstored = undefined
      } catch {}
    },
  }
}
