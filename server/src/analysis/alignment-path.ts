import { differingBits } from './alignment.ts'
import { CODE_RATE, SILENT } from './fingerprint.ts'

/** How far the beginning and edits may shift one version from the other: 30 seconds. */
const REACH = Math.round(30 * CODE_RATE)
/**
 * What a change of the offset costs in differing bits, and in addition for each code it is shifted by. Matching another
 * repetition of a loop, to explain one changed word, costs more than the word.
 */
const SWITCH_BITS = 160
const SHIFT_BITS = 4

/**
 * Finds by how many codes each code of `one` comes later in `other`, where cuts and insertions shift the rest of the song:
 * the path of offsets with the fewest differing bits (A. Viterbi, "Error bounds for convolutional codes", 1967). Offsets
 * near 0 are preferred, since songs repeat themselves.
 */
export function findAlignmentPath(one: Int32Array, other: Int32Array): Int32Array {
  const states = 2 * REACH + 1
  let cost = Float64Array.from({ length: states }, (_, state) => switchCost(state - REACH))
  const previous = new Uint16Array(one.length * states)
  for (let i = 0; i < one.length; i++) {
    const { reached, from } = cheapestShifts(cost)
    const next = new Float64Array(states)
    for (let state = 0; state < states; state++) {
      const switched = reached[state]! + SWITCH_BITS
      const isSwitched = switched < cost[state]!
      previous[i * states + state] = isSwitched ? from[state]! : state
      const bits = differingBits(one[i]!, other[i + state - REACH] ?? SILENT)
      next[state] = (isSwitched ? switched : cost[state]!) + bits
    }
    cost = next
  }
  const path = new Int32Array(one.length)
  let state = cost.indexOf(Math.min(...cost))
  for (let i = one.length - 1; i >= 0; i--) {
    path[i] = state - REACH
    state = previous[i * states + state]!
  }
  return path
}

const switchCost = (shift: number) => (shift === 0 ? 0 : SWITCH_BITS + SHIFT_BITS * Math.abs(shift))

/** For each state, the lowest cost of another one with the shift from there, and that state: one pass in each direction. */
function cheapestShifts(cost: Float64Array): { reached: Float64Array; from: Uint16Array } {
  const reached = cost.slice()
  const from = Uint16Array.from(cost, (_, state) => state)
  const relax = (state: number, neighbour: number) => {
    const shifted = reached[neighbour]! + SHIFT_BITS
    if (shifted >= reached[state]!) return
    reached[state] = shifted
    from[state] = from[neighbour]!
  }
  for (let state = 1; state < cost.length; state++) relax(state, state - 1)
  for (let state = cost.length - 2; state >= 0; state--) relax(state, state + 1)
  return { reached, from }
}
