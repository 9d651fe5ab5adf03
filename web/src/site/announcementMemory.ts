const HIDDEN_KEY = 'dubplate.hidden-announcements'
const anyKey = (page: string) => `dubplate.announced.${page}`

function read<T>(key: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as T | null) ?? otherwise
  } catch {
    return otherwise
  }
}

function write(key: string, value: unknown) {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Without storage it is forgotten with the page.
  }
}

/** Ids of the announcements hidden in this browser. */
export const hiddenHere = (): number[] => read(HIDDEN_KEY, [])

export function hideHere(messageId: number): number[] {
  const hidden = [...hiddenHere(), messageId]
  write(HIDDEN_KEY, hidden)
  return hidden
}

/** Whether a page had an announcement the last time; assumed on the first visit. */
export const expectsAny = (page: string): boolean => read(anyKey(page), true)

export const rememberAny = (page: string, any: boolean) => write(anyKey(page), any)
