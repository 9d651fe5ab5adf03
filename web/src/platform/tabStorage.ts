export type TabStorage<T> = { get(): T | undefined; set(value: T | undefined): void }

/**
 * One value that this tab keeps until it is closed, also across a reload. Where the browser refuses storage (some private
 * windows, a full one) the value lasts as long as the page.
 */
export function createTabStorage<T>(key: string): TabStorage<T> {
  /** Only what could not be stored. */
  let fallbackValue: T | undefined
  return {
    get: () => {
      try {
        return JSON.parse(sessionStorage.getItem(key)!) ?? fallbackValue
      } catch {
        return fallbackValue
      }
    },
    set: (value) => {
      fallbackValue = value
      try {
        // Removed first: where the new value does not fit, the old one must not come back.
        sessionStorage.removeItem(key)
        sessionStorage.setItem(key, JSON.stringify(value ?? null))
        fallbackValue = undefined
      } catch {}
    },
  }
}
