/**
 * Returns the same function with a cache of its most recent results, for work that is done far more often than its text
 * changes.
 */
export function memoize(compute: (text: string) => string, max: number): (text: string) => string {
  const results = new Map<string, string>()
  return (text) => {
    const known = results.get(text)
    const now = known ?? compute(text)
    results.delete(text)
    results.set(text, now)
    const [oldest] = results.keys()
    if (results.size > max && oldest !== undefined) results.delete(oldest)
    return now
  }
}

/** The same for asynchronous work: concurrent calls for the same text share one result. */
export function memoizeAsync(
  compute: (text: string) => Promise<string>,
  max: number,
): (text: string) => Promise<string> {
  const results = new Map<string, Promise<string>>()
  return (text) => {
    const now = results.get(text) ?? compute(text)
    results.delete(text)
    results.set(text, now)
    now.catch(() => results.delete(text))
    const [oldest] = results.keys()
    if (results.size > max && oldest !== undefined) results.delete(oldest)
    return now
  }
}
