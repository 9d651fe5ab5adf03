const HIDDEN_KEY = 'dubplate.hidden-announcements'
const TOLD_KEY = 'dubplate.hidden-announcements-told'
const anyKey = (page: string) => `dubplate.announced.${page}`

/** Announcements come and go: of those hidden long ago nobody knows any more. */
const MOST_KEPT = 200

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

const keep = (key: string, id: number) => write(key, [...new Set([...read<number[]>(key, []), id])].slice(-MOST_KEPT))

/**
 * Ids of the announcements hidden in this browser, by a visitor or by a member whom the server could not hear. A member's
 * are known to the server: here only those it has not been told of count, so that it may show one again.
 */
export function hiddenHere(isMember: boolean): number[] {
  const hidden = read<number[]>(HIDDEN_KEY, [])
  if (!isMember) return hidden
  const told = read<number[]>(TOLD_KEY, [])
  return hidden.filter((id) => !told.includes(id))
}

export const hideHere = (messageId: number) => keep(HIDDEN_KEY, messageId)

/** The server knows that the member of this browser has hidden it. */
export const markTold = (messageId: number) => keep(TOLD_KEY, messageId)

/** Whether a page had an announcement the last time; assumed on the first visit. */
export const expectsAny = (page: string): boolean => read(anyKey(page), true)

export const rememberAny = (page: string, any: boolean) => write(anyKey(page), any)
