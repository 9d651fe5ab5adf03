/** Something found by its name or keywords. */
export type SearchableName = { name: string; keywords?: string | undefined }

const startsWord = (text: string, word: string) => ` ${text.toLowerCase()}`.includes(` ${word}`)

/**
 * The items with a word that starts with each typed word: those whose name starts with the text first, otherwise in
 * their own order.
 */
export function matchesOf<T extends SearchableName>(items: readonly T[], typed: string): T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = items.filter(({ name, keywords = '' }) =>
    words.every((word) => startsWord(`${name} ${keywords}`, word)),
  )
  const first = words[0] ?? ''
  const startsWithInput = ({ name }: T) => name.toLowerCase().startsWith(first)
  return [...matches.filter(startsWithInput), ...matches.filter((item) => !startsWithInput(item))]
}
