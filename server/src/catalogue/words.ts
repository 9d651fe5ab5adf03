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

/** The rows of the table below, reused because matching a library compares a million texts. */
let rows = [new Int32Array(64), new Int32Array(64), new Int32Array(64)] as const

/**
 * Optimal string alignment distance: insertions, deletions, substitutions and transpositions of neighbours. Stops above
 * `limit`, and then returns a number above it. Damerau, "A technique for computer detection and correction of spelling
 * errors", CACM 7(3), 1964.
 */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  if (a === b) return 0
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  if (b.length >= rows[0].length) {
    const length = b.length * 2
    rows = [new Int32Array(length), new Int32Array(length), new Int32Array(length)]
  }
  let [beforeLast, last, row] = rows
  for (let j = 0; j <= b.length; j++) last[j] = j
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    let leastOfRow = i
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same)
      const swapped =
        i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      if (swapped) least = Math.min(least, beforeLast[j - 2]! + 1)
      row[j] = least
      leastOfRow = Math.min(leastOfRow, least)
    }
    if (leastOfRow > limit) return limit + 1
    ;[beforeLast, last, row] = [last, row, beforeLast]
  }
  return last[b.length]!
}

/** What all versions of a song share: artist, title and remix as consecutive plain words. */
export const identityOf = (song: { artist: string; title: string; remixer?: string }): string =>
  [song.artist, song.title, song.remixer ?? ''].map(normalizePhrase).join('|')
