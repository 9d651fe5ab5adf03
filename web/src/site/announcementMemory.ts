const HIDDEN_KEY = 'dubplate.hidden-announcements'
const REPORTED_KEY = 'dubplate.hidden-announcements-told'
const hasAnyKey = (page: string) => `dubplate.announced.${page}`

/** The ids of announcements dismissed long ago are dropped. */
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
    // Without storage the list lasts until the page is reloaded.
  }
}

const saveIds = (key: string, id: number) =>
  write(key, [...new Set([...read<number[]>(key, []), id])].slice(-MAX_STORED_IDS))

/**
 * The ids of announcements dismissed in this browser. For a member, only those not yet reported to the server count, so
 * that the server may show one again.
 */
export function readHiddenIds(isMember: boolean): number[] {
  const hidden = read<number[]>(HIDDEN_KEY, [])
  if (!isMember) return hidden
  const reportedIds = read<number[]>(REPORTED_KEY, [])
  return hidden.filter((id) => !reportedIds.includes(id))
}

export const hideOnThisDevice = (messageId: number) => saveIds(HIDDEN_KEY, messageId)

/** Stores that the server knows that a member has dismissed the announcement. */
export const markReported = (messageId: number) => saveIds(REPORTED_KEY, messageId)

/** Whether a page had an announcement the last time; true on the first visit. */
export const mayHaveAnnouncements = (page: string): boolean => read(hasAnyKey(page), true)

export const rememberHasAnnouncements = (page: string, hasAny: boolean) => write(hasAnyKey(page), hasAny)
