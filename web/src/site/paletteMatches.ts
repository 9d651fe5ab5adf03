/** What can be found by its name, and by other words for it. */
export type SearchableName = { name: string; keywords?: string | undefined }

const startsWord = (text: string, word: string) => ` ${text.toLowerCase()}`.includes(` ${word}`)

/** The things each typed word begins a word of: those whose name begins so first, each group in its own order. */
export function matchesOf<T extends SearchableName>(items: readonly T[], typed: string): T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const matchesInput = items.filter(({ name, keywords = '' }) =>
    words.every((word) => startsWord(`${name} ${keywords}`, word)),
  )
  const first = words[0] ?? ''
  const startingNames = ({ name }: T) => name.toLowerCase().startsWith(first)
  return [...matchesInput.filter(startingNames), ...matchesInput.filter((item) => !startingNames(item))]
}
