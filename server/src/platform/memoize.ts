/**
 * The same function, which remembers what it made of the texts it was asked for last: for work that is the same each time
 * and is done far more often than its text changes.
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

/** The same for work that takes its time: those who ask for a text at once wait for it together. */
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
