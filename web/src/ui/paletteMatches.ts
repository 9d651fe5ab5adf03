/** Something found by its name or keywords. */
export type SearchableName = { name: string; keywords?: string | undefined }

const startsWord = (text: string, word: string) => ` ${text.toLowerCase()}`.includes(` ${word}`)

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** How close a name is to a text: 0 equal, 1 begins with it, 2 has words that begin as typed, 3 anything else. */
export function closenessOf(name: string, typed: string): number {
  const [own, text] = [plain(name), plain(typed)]
  if (own === text) return 0
  if (own.startsWith(text)) return 1
  return text.split(' ').every((word) => startsWord(own, word)) ? 2 : 3
}

/**
 * The items with a word that starts with each typed word: those whose name is the text first, then those whose name
 * starts with it, then those with a word in their name that does, then those found by their keywords.
 */
export function matchesOf<T extends SearchableName>(items: readonly T[], typed: string): T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = items.filter(({ name, keywords = '' }) =>
    words.every((word) => startsWord(`${name} ${keywords}`, word)),
  )
  return matches.sort((a, b) => closenessOf(a.name, typed) - closenessOf(b.name, typed))
}
