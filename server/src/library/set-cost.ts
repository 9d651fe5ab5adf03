import {
  catalogue,
  KEYS,
  type KeyRelation,
  keyRelation,
  library,
  type MixingTempo,
  parseKey,
  tempoChange,
} from '@dubplate/contract'

/** A song to arrange: the tempo and key it is mixed with, and its energy from 1 to 10, if known. */
export type SetSong = MixingTempo & { entity_id: number; energy: number | null }

/** What a key relation costs. An unknown key costs less than a clash, so that such a song goes between two that clash. */
const KEY_COSTS: Record<KeyRelation, number> = {
  ...{ same: 0, relative: 0.15, step_up: 0.15, step_down: 0.2 },
  ...{ semitone_up: 1, two_steps_up: 1, two_steps_down: 1.1, clash: 3 },
}
const UNKNOWN_KEY_COST = 0.9

/** What a tempo change costs: up to 1 within the range of the pitch fader, then as much as a clash of keys and more. */
const MULTIPLE_COST = 0.6
const TEMPO_CLASH_COST = 3
const UNKNOWN_TEMPO_COST = 0.9
const FAR_TEMPO_RATIO = 0.5

/** What it costs to be as far from the energy curve as possible. The cost grows with the square of the distance. */
const CURVE_COST = 8
/** How much the tempo counts in a song's place on the curve; the rest is its energy. */
const TEMPO_SHARE = 0.25
/** The place of a song on the curve of which neither energy nor tempo is known. */
const UNKNOWN_LEVEL = 0.5

/** The tempos between which an unknown energy is estimated, from 1 to 10: those of energyOf in analysis/structure. */
const ESTIMATE_BPM = [80, 160] as const

export type MeasuredSet = {
  size: number
  /**
   * The cost of the transition from each song to each other, in rows of size + 1: the number after the last song stands
   * for the beginning and the end of the set, and transitions from and to it cost nothing.
   */
  transitions: Float32Array
  /** The place of each song on the curve, 0 to 1. */
  levels: Float32Array
  /** The level of the curve at each position. */
  targets: Float32Array
  /** What each song costs at each position, apart from its transitions, in rows of size. */
  curveCosts: Float64Array
}

/** Measures every transition between songs and their places on a curve. */
export function measureSet(songs: readonly SetSong[], curve: library.EnergyCurve): MeasuredSet {
  const size = songs.length
  const keys = songs.map(({ song_key }) => KEYS.indexOf(parseKey(song_key ?? '')!))
  const keyCosts = KEYS.map((from) => KEYS.map((to) => KEY_COSTS[keyRelation(from, to)]))
  const transitions = new Float32Array((size + 1) ** 2)
  for (let from = 0; from < size; from++) {
    const end = songs[from]!.bpm_to ?? songs[from]!.bpm
    const fromKey = keyCosts[keys[from]!] ?? []
    for (let to = 0; to < size; to++) {
      const keyCost = fromKey[keys[to]!] ?? UNKNOWN_KEY_COST
      transitions[from * (size + 1) + to] = keyCost + tempoCost(end, songs[to]!.bpm)
    }
  }
  const targets = Float32Array.from({ length: size }, (_, at) => levelAt(curve, at / Math.max(1, size - 1)))
  const levels = levelsOf(songs)
  const curveCosts = new Float64Array(size * size)
  for (let song = 0; song < size; song++)
    for (let at = 0; at < size; at++) curveCosts[song * size + at] = CURVE_COST * (levels[song]! - targets[at]!) ** 2
  return { size, transitions, levels, targets, curveCosts }
}

function tempoCost(end: number | null, start: number | null): number {
  if (!end || !start) return UNKNOWN_TEMPO_COST
  const { multiple, percent, is_clash } = tempoChange(end, start)
  const ratio = Math.abs(percent) / 100
  const changeCost = is_clash
    ? TEMPO_CLASH_COST + Math.min(1, ratio / FAR_TEMPO_RATIO)
    : Math.min(1, ratio / catalogue.MIXABLE_TEMPO_RATIO)
  return changeCost + (multiple === 'same' ? 0 : MULTIPLE_COST)
}

function levelAt(curve: library.EnergyCurve, at: number): number {
  const points = library.CURVE_POINTS[curve]
  const next = Math.max(
    1,
    points.findIndex(([end]) => at <= end),
  )
  const [[from, low], [to, high]] = [points[next - 1]!, points[next]!]
  return low + ((at - from) / (to - from)) * (high - low)
}

/**
 * The place of each song on the curve: its rank by energy and, less, by tempo, so that the calmest song of the crate is
 * at the bottom of the curve, however energetic it is.
 */
function levelsOf(songs: readonly SetSong[]): Float32Array {
  const energies = ranksOf(songs.map(({ energy, bpm }) => energy ?? estimateEnergy(bpm)))
  const tempos = ranksOf(songs.map(({ bpm }) => bpm))
  return Float32Array.from(energies, (energy, n) => {
    const tempo = tempos[n] ?? energy
    return energy === null || tempo === null ? UNKNOWN_LEVEL : energy * (1 - TEMPO_SHARE) + tempo * TEMPO_SHARE
  })
}

function estimateEnergy(bpm: number | null): number | null {
  if (bpm === null) return null
  const [low, high] = ESTIMATE_BPM
  return Math.round(1 + 9 * Math.max(0, Math.min(1, (bpm - low) / (high - low))))
}

/** The ranks of values from 0 to 1; equal ones share their mean rank. */
function ranksOf(values: readonly (number | null)[]): (number | null)[] {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b)
  const ranks = new Map<number, number>()
  for (let first = 0; first < sorted.length; ) {
    const value = sorted[first]!
    const last = sorted.lastIndexOf(value)
    ranks.set(value, (first + last) / 2 / Math.max(1, sorted.length - 1))
    first = last + 1
  }
  return values.map((value) => (value === null ? null : ranks.get(value)!))
}

/** What a song costs at a position, apart from its transitions. */
export const curveCost = (song: number, at: number, { size, curveCosts }: MeasuredSet): number =>
  curveCosts[song * size + at]!

/** The cost of the transition from a song to another; 0 from and to `size`. */
export const transitionCost = (from: number, to: number, { size, transitions }: MeasuredSet): number =>
  transitions[from * (size + 1) + to]!

/** The song at a position; `size` before the first and after the last one. */
export const songAt = (order: Int32Array, at: number): number => order[at] ?? order.length

/** The cost of the positions from `first` to `last` and of the transitions into, between and out of them. */
export function rangeCost(order: Int32Array, first: number, last: number, set: MeasuredSet): number {
  let cost = transitionCost(songAt(order, last), songAt(order, last + 1), set)
  for (let at = first; at <= last; at++)
    cost += curveCost(order[at]!, at, set) + transitionCost(songAt(order, at - 1), order[at]!, set)
  return cost
}

/** What an order of songs costs, for comparisons. */
export function setCost(songs: readonly SetSong[], curve: library.EnergyCurve): number {
  return rangeCost(Int32Array.from(songs.keys()), 0, songs.length - 1, measureSet(songs, curve))
}
