const KEY = 'dubplate.recent-searches'
const KEPT = 8

/** The list after a search: the newest first, each once, eight at most. */
export const remembered = (before: readonly string[], term: string): string[] =>
  [term, ...before.filter((each) => each.toLowerCase() !== term.toLowerCase())].slice(0, KEPT)

/** The last searches of this browser; none where it keeps nothing. */
export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string').slice(0, KEPT) : []
  } catch {
    return []
  }
}

function keep(terms: readonly string[]) {
  try {
    localStorage.setItem(KEY, JSON.stringify(terms))
  } catch {
    // Storage is refused in some private windows: there nothing is remembered.
  }
}

export const rememberSearch = (term: string) => keep(remembered(recentSearches(), term))

export const forgetSearch = (term: string) => keep(recentSearches().filter((each) => each !== term))

export const forgetSearches = () => keep([])
