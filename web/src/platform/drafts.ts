const storageKey = (name: string) => `dubplate.draft.${name}`

/** What was typed and not sent, kept for as long as the tab: also across a reload. '' where nothing was. */
export function getDraft(name: string): string {
  try {
    return sessionStorage.getItem(storageKey(name)) ?? ''
  } catch {
    return ''
  }
}

/** Forgets all that was typed, whatever its name. */
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
