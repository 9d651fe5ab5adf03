/**
 * The same function, which remembers what it made of the texts it was asked for last: for work that is the same each time
 * and is done far more often than its text changes.
 */
export function remember(make: (text: string) => string, most: number): (text: string) => string {
  const made = new Map<string, string>()
  return (text) => {
    const known = made.get(text)
    const now = known ?? make(text)
    made.delete(text)
    made.set(text, now)
    const [oldest] = made.keys()
    if (made.size > most && oldest !== undefined) made.delete(oldest)
    return now
  }
}
