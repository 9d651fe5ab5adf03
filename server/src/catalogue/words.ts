/** The words of a text in order: without punctuation and case, apostrophes and dots removed, in any script. */
const plainWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’`´.]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const MAX_WORD_LENGTH = 60
const cut = (word: string): string =>
  word.length > MAX_WORD_LENGTH ? [...word].slice(0, MAX_WORD_LENGTH).join('') : word

/** Distinct words of a text as stored for search, each of at most 60 letters. */
export const wordsOf = (text: string): string[] => [...new Set(plainWords(text).map(cut))]

/** A text as consecutive plain words, uncut: the form of artist, title and remix in `song.song_identity`. */
export const normalizePhrase = (text: string): string => plainWords(text).join(' ')

/** A word and its variants without one letter: two words one typo apart share one of these. */
export function deletionsOf(word: string): string[] {
  const characters = [...word]
  const shorter = characters.map((_, n) => characters.filter((_, other) => other !== n).join(''))
  return [...new Set([word, ...shorter])]
}

/**
 * Optimal string alignment distance: insertions, deletions, substitutions and transpositions of neighbours. Damerau, "A
 * technique for computer detection and correction of spelling errors", CACM 7(3), 1964.
 */
export function editDistance(a: string, b: string): number {
  const row = (length: number) => new Array<number>(length + 1).fill(0)
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    row(b.length).map((_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number) => table[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) least = Math.min(least, at(i - 2, j - 2) + 1)
      const line = table[i]
      if (line) line[j] = least
    }
  }
  return at(a.length, b.length)
}

/** What all versions of a song share: artist, title and remix as consecutive plain words. */
export const identityOf = (song: { artist: string; title: string; remixer?: string }): string =>
  [song.artist, song.title, song.remixer ?? ''].map(normalizePhrase).join('|')
