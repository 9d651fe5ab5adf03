const keyOf = (name: string) => `dubplate.draft.${name}`

/** What was typed and not sent, kept for as long as the tab: also across a reload. '' where nothing was. */
export function draftOf(name: string): string {
  try {
    return sessionStorage.getItem(keyOf(name)) ?? ''
  } catch {
    return ''
  }
}

/** Forgets all that was typed, whatever its name. */
export function dropDrafts() {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(keyOf(''))) sessionStorage.removeItem(key)
  } catch {}
}

/** Without storage (some private windows) a draft lasts as long as its form. */
export function keepDraft(name: string, text: string) {
  try {
    if (text === '') sessionStorage.removeItem(keyOf(name))
    else sessionStorage.setItem(keyOf(name), text)
  } catch {}
}
