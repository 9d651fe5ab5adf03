/**
 * The order in which characters of both directions stand in a line: the Unicode Bidirectional Algorithm (UAX #9) in short,
 * for a line without embeddings and marks of direction, which are left out before.
 */

type Class = 'left' | 'right' | 'number' | 'neutral'

type Side = 'left' | 'right'
const isLetter = (one: Class): one is Side => one === 'left' || one === 'right'

const RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

function classOf(character: string): Class {
  if (/\p{Nd}/u.test(character)) return 'number'
  if (RIGHT.test(character)) return 'right'
  return /\p{L}/u.test(character) ? 'left' : 'neutral'
}

export const isRightToLeft = (text: string): boolean => RIGHT.test(text)

/** The level of each character: even ones are read from the left, odd ones from the right. */
export function levelsOf(characters: readonly string[]): number[] {
  const joined = joinNumbers(characters, characters.map(classOf))
  const base = joined.find(isLetter) === 'right' ? 'right' : 'left'
  const classes = pairBrackets(characters, joined, base)
  const sides = sidesOf(classes, base)
  return classes.map((one, n) => {
    if (sides[n] === 'left') return base === 'right' ? 2 : 0
    return one === 'number' ? 2 : 1
  })
}

/** A mark goes with what it is on, and a sign between two digits with them (W1, W4). */
function joinNumbers(characters: readonly string[], classes: readonly Class[]): Class[] {
  const joined: Class[] = []
  for (const [n, character] of characters.entries()) {
    const isMark = n > 0 && /\p{M}/u.test(character)
    const isInNumber = /[.,:/-]/.test(character) && classes[n - 1] === 'number' && classes[n + 1] === 'number'
    joined.push(isMark ? (joined[n - 1] ?? 'neutral') : isInNumber ? 'number' : (classes[n] ?? 'neutral'))
  }
  return joined
}

const PAIRS = ['()', '[]', '{}', '<>', '«»', '‹›']
const MIRRORED = new Map(PAIRS.flatMap(([open = '', close = '']) => [[open, close] as const, [close, open] as const]))
const OPENING = new Set(PAIRS.map((pair) => pair[0]))

/** Both brackets of a pair are on one side (N0). */
function pairBrackets(characters: readonly string[], classes: readonly Class[], base: Side): Class[] {
  const paired = [...classes]
  const open: number[] = []
  for (const [n, character] of characters.entries()) {
    if (OPENING.has(character)) open.push(n)
    const from = open.findLastIndex((at) => characters[at] === MIRRORED.get(character))
    if (from < 0 || OPENING.has(character)) continue
    const [at = 0] = open.splice(from)
    const side = sideOfPair(paired.slice(0, at), paired.slice(at + 1, n), base)
    if (side) paired[at] = paired[n] = side
  }
  return paired
}

/** That of the line, where anything between them is on it; else what is between them decides, if it goes on from before. */
function sideOfPair(before: readonly Class[], between: readonly Class[], base: Side): Side | undefined {
  const sides = between.map((one) => (one === 'number' ? 'right' : one)).filter(isLetter)
  if (sides.length === 0 || sides.includes(base)) return sides.length === 0 ? undefined : base
  return before.findLast(isLetter) === sides[0] ? sides[0] : base
}

/** Numbers are on the side of the letter before them (W7); what is neutral, on that of both its neighbours, else the line's (N1, N2). */
function sidesOf(classes: readonly Class[], base: Side): Side[] {
  const letters: (Side | undefined)[] = []
  let last = base
  for (const one of classes) {
    if (isLetter(one)) last = one
    letters.push(one === 'neutral' ? undefined : last)
  }
  let before: Side = base
  return letters.map((side, n) => {
    if (side) before = side
    return side ?? (before === (letters.slice(n).find(Boolean) ?? base) ? before : base)
  })
}

/** Parts of a line with their levels, in the order they stand from the left (L2). */
export function reorder<T extends { level: number }>(parts: readonly T[]): T[] {
  const order = [...parts]
  const highest = Math.max(0, ...order.map(({ level }) => level))
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from
      while ((order[to]?.level ?? -1) >= level) to++
      order.splice(from, to - from, ...order.slice(from, to).reverse())
      from = Math.max(from, to)
    }
  }
  return order
}

/** Brackets turn with what they enclose (L4). */
export const mirror = (text: string): string =>
  [...text].map((character) => MIRRORED.get(character) ?? character).join('')
