import { editDistance, normalizePhrase } from '../catalogue/words.ts'

/** Letters that have no accent to remove, and that people without them on their keyboard write differently. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  $: 's',
  '&': ' and ',
  '+': ' and ',
}

/** The form in which artists and titles are compared: plain words, as in search, with the letters above replaced. */
export const comparedText = (text: string): string =>
  normalizePhrase(text.toLowerCase().replace(/[ßøæœłđðþı$&+]/g, (letter) => LETTERS[letter]!))

/** The share of letters that may differ at most. Texts that differ more are not similar at all. */
const MAX_DIFFERENCE = 0.45

/** 1 for equal texts, 0 for those with too many differences. */
export function similarity(a: string, b: string, maxDifference = MAX_DIFFERENCE): number {
  if (a === b) return a === '' ? 0 : 1
  const length = Math.max(a.length, b.length)
  const limit = Math.ceil(length * maxDifference)
  const distance = editDistance(a, b, limit)
  return distance > limit ? 0 : 1 - distance / length
}

/** Typing errors that a word of this length may have. */
const typosOf = (length: number): number => (length >= 7 ? 2 : length >= 3 ? 1 : 0)

export function isSameWord(a: string, b: string): boolean {
  const typos = typosOf(Math.max(a.length, b.length))
  return a === b || (typos > 0 && editDistance(a, b, typos) <= typos)
}

/** The words of each text that the other one does not have; the larger of the two counts. */
export function countForeignWords(a: string, b: string): number {
  if (a.replaceAll(' ', '') === b.replaceAll(' ', '')) return 0
  const [words, others] = [a.split(' '), b.split(' ')]
  const count = (from: string[], to: string[]) =>
    from.filter((word) => word.length > 1 && !to.some((other) => isSameWord(word, other))).length
  return Math.max(count(words, others), count(others, words))
}

/** The numbers of a text, also Roman ones: 'Part 2' and 'Part II' are not 'Part 1'. */
export const numbersOf = (text: string): string =>
  (text.match(/\b(?:\d+|i{2,3}|iv|vi{0,3}|ix)\b/g) ?? []).map((number) => ROMAN[number] ?? number).join(' ')

const ROMAN: Record<string, string> = {
  ii: '2',
  iii: '3',
  iv: '4',
  v: '5',
  vi: '6',
  vii: '7',
  viii: '8',
  ix: '9',
}
