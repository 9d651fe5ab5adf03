const storageKey = (name: string) => `dubplate.draft.${name}`

/** Unsent text, stored for the tab and across a reload. '' if there is none. */
export function getDraft(name: string): string {
  try {
    return sessionStorage.getItem(storageKey(name)) ?? ''
  } catch {
    return ''
  }
}

/** Clears all drafts. */
export function clearDrafts() {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(storageKey(''))) sessionStorage.removeItem(key)
  } catch {}
}

/** Without storage (some private windows) a draft lasts as long as its form. */
export function saveDraft(name: string, text: string) {
  try {
    if (text === '') sessionStorage.removeItem(storageKey(name))
    else sessionStorage.setItem(storageKey(name), text)
  } catch {}
}
