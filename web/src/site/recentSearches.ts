const KEY = 'dubplate.recent-searches'
const MAX_RECENT_SEARCHES = 8

/** The recent searches after another one: newest first, each once, eight at most. */
export const withSearch = (before: readonly string[], term: string): string[] =>
  [term, ...before.filter((each) => each.toLowerCase() !== term.toLowerCase())].slice(0, MAX_RECENT_SEARCHES)

/** The recent searches of this browser; empty without storage. */
export function recentSearches(): string[] {
  try {
    const storedTerms: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(storedTerms)
      ? storedTerms.filter((each) => typeof each === 'string').slice(0, MAX_RECENT_SEARCHES)
      : []
  } catch {
    return []
  }
}

function saveTerms(terms: readonly string[]) {
  try {
    localStorage.setItem(KEY, JSON.stringify(terms))
  } catch {
    // Some private windows do not allow storage: recent searches are not stored there.
  }
}

export const rememberSearch = (term: string) => saveTerms(withSearch(recentSearches(), term))

export const forgetSearch = (term: string) => saveTerms(recentSearches().filter((each) => each !== term))

export const forgetSearches = () => saveTerms([])
