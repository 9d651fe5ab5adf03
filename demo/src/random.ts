export type Random = () => number

/** Repeatable random numbers in [0, 1) from a 32-bit seed. Source: mulberry32 by Tommy Ettinger, public domain. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Derives a seed for a named part, so that a part can be made without making those before it. FNV-1a over the name. */
export function seedOf(seed: number, part: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < part.length; i++) hash = Math.imul(hash ^ part.charCodeAt(i), 0x01000193) >>> 0
  return hash
}

export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)]!
}

/** Returns a shuffled copy. Source: Fisher and Yates, in Durstenfeld's form. */
export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const deck = [...items]
  for (let last = deck.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const swapped = deck[last]!
    deck[last] = deck[other]!
    deck[other] = swapped
  }
  return deck
}

/** A whole number from `low` to `high`, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1))
}
