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

/** The same for work that takes its time: those who ask for a text at once wait for it together. */
export function rememberAsync(
  make: (text: string) => Promise<string>,
  most: number,
): (text: string) => Promise<string> {
  const made = new Map<string, Promise<string>>()
  return (text) => {
    const now = made.get(text) ?? make(text)
    made.delete(text)
    made.set(text, now)
    now.catch(() => made.delete(text))
    const [oldest] = made.keys()
    if (made.size > most && oldest !== undefined) made.delete(oldest)
    return now
  }
}
