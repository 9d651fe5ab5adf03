const HIDDEN_KEY = 'dubplate.hidden-announcements'
const REPORTED_KEY = 'dubplate.hidden-announcements-told'
const hasAnyKey = (page: string) => `dubplate.announced.${page}`

/** Announcements come and go: of those hidden long ago nobody knows any more. */
const MAX_STORED_IDS = 200

function read<T>(key: string, fallback: T): T {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as T | null) ?? fallback
  } catch {
    return fallback
  }
}

function write(key: string, value: unknown) {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Without storage it is forgotten with the page.
  }
}

const saveIds = (key: string, id: number) =>
  write(key, [...new Set([...read<number[]>(key, []), id])].slice(-MAX_STORED_IDS))

/**
 * Ids of the announcements hidden in this browser, by a visitor or by a member whom the server could not hear. A member's
 * are known to the server: here only those it has not been told of count, so that it may show one again.
 */
export function readHiddenIds(isMember: boolean): number[] {
  const hidden = read<number[]>(HIDDEN_KEY, [])
  if (!isMember) return hidden
  const reportedIds = read<number[]>(REPORTED_KEY, [])
  return hidden.filter((id) => !reportedIds.includes(id))
}

export const hideOnThisDevice = (messageId: number) => saveIds(HIDDEN_KEY, messageId)

/** The server knows that the member of this browser has hidden it. */
export const markReported = (messageId: number) => saveIds(REPORTED_KEY, messageId)

/** Whether a page had an announcement the last time; assumed on the first visit. */
export const mayHaveAnnouncements = (page: string): boolean => read(hasAnyKey(page), true)

export const rememberHasAnnouncements = (page: string, hasAny: boolean) => write(hasAnyKey(page), hasAny)
