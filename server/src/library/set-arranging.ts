import type { library } from '@dubplate/contract'
import { curveCost, type MeasuredSet, measureSet, rangeCost, type SetSong, songAt, transitionCost } from './set-cost.ts'

/** How many positions away a song is moved or swapped, and how long a run is reversed. */
const REACH = 60
/** How many positions before a change are looked at again. */
const UNSETTLED = 8
const MAX_ROUNDS = 20
/** Smaller gains are rounding errors. */
const LEAST_GAIN = 1e-4
/** How many random exchanges are tried: fewer in a large set, in which each takes longer and matters less. */
const MAX_EXCHANGES = 400
const EXCHANGES_BY_SIZE = 20_000

type ArrangeOptions = {
  curve: library.EnergyCurve
  /** The first song stays first. */
  isFirstFixed?: boolean
}

/**
 * Returns the songs in the order that costs least: small tempo changes, compatible keys, and energies near the curve.
 * The same songs in the same order always have the same result.
 */
export function arrangeSet<Song extends SetSong>(
  songs: readonly Song[],
  { curve, isFirstFixed }: ArrangeOptions,
): Song[] {
  const set = measureSet(songs, curve)
  const fixed = isFirstFixed ? 1 : 0
  const order = orderByCurve(set, fixed)
  if (set.size > fixed + 1) {
    improve(order, set, fixed, new Uint8Array(set.size))
    improveFurther(order, set, fixed)
  }
  return Array.from(order, (index) => songs[index]!)
}

/** The songs in the order of the curve: the lowest position gets the song with the lowest energy. */
function orderByCurve({ size, levels, targets }: MeasuredSet, fixed: number): Int32Array {
  const free = Array.from({ length: size - fixed }, (_, n) => n + fixed)
  const songs = free.toSorted((a, b) => levels[a]! - levels[b]! || a - b)
  const positions = free.toSorted((a, b) => targets[a]! - targets[b]! || a - b)
  const order = Int32Array.from({ length: size }, (_, n) => n)
  positions.forEach((position, n) => {
    order[position] = songs[n]!
  })
  return order
}

/**
 * Makes the order cheaper by changes of nearby positions, until there is none left that does. Settled positions are left
 * out until something near them changes.
 */
function improve(order: Int32Array, set: MeasuredSet, fixed: number, isSettled: Uint8Array) {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let isImproved = false
    for (let first = fixed; first < set.size - 1; first++) {
      if (isSettled[first]) continue
      isSettled[first] = 1
      const last = improveFrom(first, order, set)
      if (last === undefined) continue
      isImproved = true
      for (const at of [first, last]) unsettle(isSettled, at)
    }
    if (!isImproved) return
  }
}

const unsettle = (isSettled: Uint8Array, at: number) => isSettled.fill(0, Math.max(0, at - UNSETTLED), at + 2)

/** Exchanges neighbouring runs at random and improves the order again, because single changes end in a local optimum. */
function improveFurther(order: Int32Array, set: MeasuredSet, fixed: number) {
  const random = randomNumbers()
  const below = (limit: number) => Math.floor(random() * limit)
  const isSettled = new Uint8Array(set.size)
  let best = order.slice()
  let bestCost = rangeCost(order, 0, set.size - 1, set)
  const exchanges = Math.min(MAX_EXCHANGES, EXCHANGES_BY_SIZE / set.size)
  for (let n = 0; n < exchanges; n++) {
    const first = fixed + below(set.size - fixed)
    const last = Math.min(set.size, first + 2 + below(REACH))
    const middle = first + below(last - first)
    const run = order.slice(first, last)
    order.set(run.subarray(middle - first), first)
    order.set(run.subarray(0, middle - first), first + last - middle)
    isSettled.fill(1)
    for (const at of [first, first + last - middle, last]) unsettle(isSettled, at)
    improve(order, set, fixed, isSettled)
    const cost = rangeCost(order, 0, set.size - 1, set)
    if (cost < bestCost) [best, bestCost] = [order.slice(), cost]
    else order.set(best)
  }
  order.set(best)
}

/** The same pseudorandom numbers from 0 to 1 each time (a linear congruential generator, Numerical Recipes). */
function randomNumbers(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * Applies the first change of a run that begins at a position and makes the order cheaper, and returns where the run
 * ends: its first song moves to its end or its last one to its beginning, both are swapped, or the run is reversed.
 */
function improveFrom(first: number, order: Int32Array, set: MeasuredSet): number | undefined {
  const [before, start, second] = [songAt(order, first - 1), order[first]!, order[first + 1]!]
  const into = transitionCost(before, start, set)
  const afterStart = transitionCost(start, second, set)
  const withoutStart = transitionCost(before, second, set)
  const startCost = curveCost(start, first, set)
  const end = Math.min(set.size, first + REACH)
  let [earlier, later] = [0, 0]
  let next = second
  for (let last = first + 1, song = start; last < end; last++) {
    const previous = song
    song = next
    next = songAt(order, last + 1)
    const songCost = curveCost(song, last, set)
    // What it changes on the curve when the other songs of the run move up or down by one.
    earlier += curveCost(song, last - 1, set) - songCost
    later += curveCost(previous, last, set) - curveCost(previous, last - 1, set)
    const out = transitionCost(song, next, set)
    const beforeEnd = transitionCost(previous, song, set)
    const startMoves = curveCost(start, last, set) - startCost
    const endMoves = curveCost(song, first, set) - songCost
    const newOut = transitionCost(start, next, set)
    const newInto = transitionCost(before, song, set)
    const endToStart = transitionCost(song, start, set)

    if (earlier + startMoves + withoutStart + endToStart + newOut < into + afterStart + out - LEAST_GAIN)
      return apply(order, first, last, moveFirstToEnd)
    const withoutEnd = transitionCost(previous, next, set)
    if (later + endMoves + newInto + endToStart + withoutEnd < into + beforeEnd + out - LEAST_GAIN)
      return apply(order, first, last, moveLastToBeginning)
    if (last === first + 1) continue
    const inside = transitionCost(song, second, set) + transitionCost(previous, start, set)
    if (startMoves + endMoves + newInto + inside + newOut < into + afterStart + beforeEnd + out - LEAST_GAIN)
      return apply(order, first, last, swapEnds)
    if (newInto + newOut < into + out && isReversedBetter(order, first, last, set))
      return apply(order, first, last, reverse)
  }
}

function isReversedBetter(order: Int32Array, first: number, last: number, set: MeasuredSet): boolean {
  const run = order.subarray(first, last + 1)
  const before = rangeCost(order, first, last, set)
  run.reverse()
  const after = rangeCost(order, first, last, set)
  run.reverse()
  return after < before - LEAST_GAIN
}

type Change = (run: Int32Array) => void

function apply(order: Int32Array, first: number, last: number, change: Change): number {
  change(order.subarray(first, last + 1))
  return last
}

const reverse: Change = (run) => void run.reverse()

const swapEnds: Change = (run) => {
  ;[run[0], run[run.length - 1]] = [run.at(-1)!, run[0]!]
}

const moveFirstToEnd: Change = (run) => {
  const song = run[0]!
  run.copyWithin(0, 1)
  run[run.length - 1] = song
}

const moveLastToBeginning: Change = (run) => {
  const song = run.at(-1)!
  run.copyWithin(1, 0)
  run[0] = song
}
