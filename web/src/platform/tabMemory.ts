export type TabMemory<T> = { get(): T | undefined; set(value: T | undefined): void }

function read<T>(key: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/**
 * One value that this tab keeps, also when it is loaded again, until it is closed. Without storage (some private windows)
 * it lasts as long as the page.
 */
export function tabMemory<T>(key: string): TabMemory<T> {
  let held = read<T>(key)
  return {
    get: () => held,
    set: (value) => {
      held = value
      try {
        if (value === undefined) sessionStorage.removeItem(key)
        else sessionStorage.setItem(key, JSON.stringify(value))
      } catch {}
    },
  }
}
