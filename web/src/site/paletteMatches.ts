/** What can be found by its name, and by other words for it. */
export type Named = { name: string; otherWords?: string | undefined }

const startsWord = (text: string, piece: string) => ` ${text.toLowerCase()}`.includes(` ${piece}`)

/** The things each typed word begins a word of: those whose name begins so first, each group in its own order. */
export function matchesOf<T extends Named>(things: readonly T[], typed: string): T[] {
  const pieces = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = things.filter(({ name, otherWords = '' }) =>
    pieces.every((piece) => startsWord(`${name} ${otherWords}`, piece)),
  )
  const first = pieces[0] ?? ''
  const begins = ({ name }: T) => name.toLowerCase().startsWith(first)
  return [...fits.filter(begins), ...fits.filter((thing) => !begins(thing))]
}
