/**
 * The display order of characters of both directions in a line: a subset of the Unicode Bidirectional Algorithm (UAX
 * #9) for lines without embeddings and direction marks, which are removed before.
 */

type CharacterClass = 'left' | 'right' | 'number' | 'neutral'

type Side = 'left' | 'right'
const isLetter = (one: CharacterClass): one is Side => one === 'left' || one === 'right'

const RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

function classify(character: string): CharacterClass {
  if (/\p{Nd}/u.test(character)) return 'number'
  if (RIGHT.test(character)) return 'right'
  return /\p{L}/u.test(character) ? 'left' : 'neutral'
}

export const isRightToLeft = (text: string): boolean => RIGHT.test(text)

/** Returns the level of each character: even levels are read from the left, odd ones from the right. */
export function computeLevels(characters: readonly string[]): number[] {
  const joinedClasses = joinNumbers(characters, characters.map(classify))
  const base = joinedClasses.find(isLetter) === 'right' ? 'right' : 'left'
  const classes = pairBrackets(characters, joinedClasses, base)
  const sides = resolveSides(classes, base)
  return classes.map((one, n) => {
    if (sides[n] === 'left') return base === 'right' ? 2 : 0
    return one === 'number' ? 2 : 1
  })
}

/** A mark has the class of its base character, and a separator between two digits that of the digits (W1, W4). */
function joinNumbers(characters: readonly string[], classes: readonly CharacterClass[]): CharacterClass[] {
  const joinedClasses: CharacterClass[] = []
  for (const [n, character] of characters.entries()) {
    const isMark = n > 0 && /\p{M}/u.test(character)
    const isInNumber = /[.,:/-]/.test(character) && classes[n - 1] === 'number' && classes[n + 1] === 'number'
    joinedClasses.push(isMark ? (joinedClasses[n - 1] ?? 'neutral') : isInNumber ? 'number' : (classes[n] ?? 'neutral'))
  }
  return joinedClasses
}

const PAIRS = ['()', '[]', '{}', '<>', '«»', '‹›']
const MIRRORED = new Map(PAIRS.flatMap(([open = '', close = '']) => [[open, close] as const, [close, open] as const]))
const OPENING = new Set(PAIRS.map((bracketPair) => bracketPair[0]))

/** Both brackets of a pair have the same side (N0). */
function pairBrackets(characters: readonly string[], classes: readonly CharacterClass[], base: Side): CharacterClass[] {
  const paired = [...classes]
  const open: number[] = []
  for (const [n, character] of characters.entries()) {
    if (OPENING.has(character)) open.push(n)
    const from = open.findLastIndex((at) => characters[at] === MIRRORED.get(character))
    if (from < 0 || OPENING.has(character)) continue
    const [at = 0] = open.splice(from)
    const side = resolvePairSide(paired.slice(0, at), paired.slice(at + 1, n), base)
    if (side) paired[at] = paired[n] = side
  }
  return paired
}

/**
 * Returns the side of the line if anything between the brackets has it; otherwise the side of what is between them, if
 * it continues the text before.
 */
function resolvePairSide(
  before: readonly CharacterClass[],
  between: readonly CharacterClass[],
  base: Side,
): Side | undefined {
  const sides = between.map((one) => (one === 'number' ? 'right' : one)).filter(isLetter)
  if (sides.length === 0 || sides.includes(base)) return sides.length === 0 ? undefined : base
  return before.findLast(isLetter) === sides[0] ? sides[0] : base
}

/**
 * Numbers have the side of the letter before them (W7); neutral characters have that of both neighbours, or else of the
 * line (N1, N2).
 */
function resolveSides(classes: readonly CharacterClass[], base: Side): Side[] {
  const resolvedSides: (Side | undefined)[] = []
  let last = base
  for (const one of classes) {
    if (isLetter(one)) last = one
    resolvedSides.push(one === 'neutral' ? undefined : last)
  }
  let before: Side = base
  return resolvedSides.map((side, n) => {
    if (side) before = side
    return side ?? (before === (resolvedSides.slice(n).find(Boolean) ?? base) ? before : base)
  })
}

/** Returns the parts of a line in display order, from the left (L2). */
export function reorder<T extends { level: number }>(parts: readonly T[]): T[] {
  const reordered = [...parts]
  const highest = Math.max(0, ...reordered.map(({ level }) => level))
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < reordered.length; from++) {
      let to = from
      while ((reordered[to]?.level ?? -1) >= level) to++
      reordered.splice(from, to - from, ...reordered.slice(from, to).reverse())
      from = Math.max(from, to)
    }
  }
  return reordered
}

/** Mirrors brackets in right-to-left text (L4). */
export const mirror = (text: string): string =>
  [...text].map((character) => MIRRORED.get(character) ?? character).join('')
