export type TabStorage<T> = { get(): T | undefined; set(value: T | undefined): void }

/**
 * One value stored for this tab until it is closed, also across a reload. If the browser does not allow storage (some
 * private windows, or storage is full), the value lasts until the page is reloaded.
 */
export function createTabStorage<T>(key: string): TabStorage<T> {
  /** Only a value that could not be stored. */
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
        // Removed first: if the new value does not fit, the old one must not be restored.
        sessionStorage.removeItem(key)
        sessionStorage.setItem(key, JSON.stringify(value ?? null))
        fallbackValue = undefined
      } catch {}
    },
  }
}
