/**
 * The order in which characters of both directions stand in a line: the Unicode Bidirectional Algorithm (UAX #9) in
 * short, for a line without embeddings and marks of direction, which are left out before.
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

/** The level of each character: even ones are read from the left, odd ones from the right. */
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

/** A mark goes with what it is on, and a sign between two digits with them (W1, W4). */
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

/** Both brackets of a pair are on one side (N0). */
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
 * That of the line, where anything between them is on it; else what is between them decides, if it goes on from before.
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
 * Numbers are on the side of the letter before them (W7); what is neutral, on that of both its neighbours, else the
 * line's (N1, N2).
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

/** Parts of a line with their levels, in the order they stand from the left (L2). */
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

/** Brackets turn with what they enclose (L4). */
export const mirror = (text: string): string =>
  [...text].map((character) => MIRRORED.get(character) ?? character).join('')
