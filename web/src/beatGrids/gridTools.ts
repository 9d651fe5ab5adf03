import { MAX_BPM, MIN_BPM } from '@dubplate/contract/schemas/beat-grids'
import type { CueKind } from '@dubplate/contract/song-structure'

/** A grid of one tempo, as it is corrected by ear. */
export type SteadyGrid = { bpm: number; first_downbeat_seconds: number }
export type Cue = { kind: CueKind; at_seconds: number }

const BEATS_PER_BAR = 4

const beatSeconds = ({ bpm }: SteadyGrid) => 60 / bpm
const modulo = (value: number, length: number) => ((value % length) + length) % length
const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000
const toHundredths = (bpm: number) => Math.round(bpm * 100) / 100

/** Whether the values of a form are a grid: its tempo may be missing or invalid. */
export const isSteadyGrid = (grid: { [Field in keyof SteadyGrid]: number | null }): grid is SteadyGrid =>
  grid.bpm !== null && grid.bpm >= MIN_BPM && grid.bpm <= MAX_BPM && (grid.first_downbeat_seconds ?? -1) >= 0

/** Moves the downbeat to a time; one before the start of the file is moved a bar later. */
const withDownbeatAt = (grid: SteadyGrid, seconds: number): SteadyGrid => ({
  ...grid,
  // A little before the start is the start: the time is rounded to milliseconds.
  first_downbeat_seconds: toMilliseconds(
    seconds < -0.0005 ? seconds + BEATS_PER_BAR * beatSeconds(grid) : Math.max(0, seconds),
  ),
})

/** Moves all beats later, or earlier by a negative time. */
export const nudge = (grid: SteadyGrid, milliseconds: number): SteadyGrid =>
  withDownbeatAt(grid, grid.first_downbeat_seconds + milliseconds / 1000)

/** Half the tempo; the same grid if that is too slow. */
export const halve = (grid: SteadyGrid): SteadyGrid => withTempo(grid, grid.bpm / 2)
/** Double the tempo; the same grid if that is too fast. */
export const double = (grid: SteadyGrid): SteadyGrid => withTempo(grid, grid.bpm * 2)

const withTempo = (grid: SteadyGrid, bpm: number): SteadyGrid =>
  bpm < MIN_BPM || bpm > MAX_BPM ? grid : { ...grid, bpm: toHundredths(bpm) }

/** The beat nearest to a time, not before the start of the file. */
export function snapToBeat(grid: SteadyGrid, seconds: number): number {
  const beat = beatSeconds(grid)
  const first = modulo(grid.first_downbeat_seconds, beat)
  return toMilliseconds(first + Math.max(0, Math.round((seconds - first) / beat)) * beat)
}

/** Makes the beat nearest to a time the first of its bar. The first downbeat moves by two beats at most. */
export function setOne(grid: SteadyGrid, seconds: number): SteadyGrid {
  const beat = beatSeconds(grid)
  const beats = modulo(Math.round((seconds - grid.first_downbeat_seconds) / beat), BEATS_PER_BAR)
  return withDownbeatAt(grid, grid.first_downbeat_seconds + (beats === 3 ? -1 : beats) * beat)
}

export const MIN_TAPS = 8
/** After a longer pause, taps start again. */
const TAP_PAUSE_SECONDS = 2

/** Adds the time of a tap, in seconds of the song. */
export const addTap = (taps: readonly number[], seconds: number): number[] => {
  const last = taps.at(-1)
  const isContinued = last !== undefined && seconds > last && seconds - last <= TAP_PAUSE_SECONDS
  return isContinued ? [...taps, seconds] : [seconds]
}

/** A line through points (n, seconds), by least squares. */
function fitLine(points: readonly { n: number; seconds: number }[]) {
  const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const n = meanOf(points.map((point) => point.n))
  const seconds = meanOf(points.map((point) => point.seconds))
  const covariance = points.reduce((sum, point) => sum + (point.n - n) * (point.seconds - seconds), 0)
  const variance = points.reduce((sum, point) => sum + (point.n - n) ** 2, 0)
  return { slope: covariance / variance, n, seconds }
}

const SAME_TEMPO = 0.01

/**
 * The grid of eight or more taps, by least squares; a missed beat is allowed. The first tap is on the one, unless the
 * tempo is that of the grid before: then its bars stay. Undefined if there are too few taps, or their tempo is invalid.
 */
export function fitTaps(taps: readonly number[], before?: SteadyGrid): SteadyGrid | undefined {
  if (taps.length < MIN_TAPS) return undefined
  const gaps = taps.slice(1).map((seconds, i) => seconds - taps[i]!)
  const median = gaps.toSorted((a, b) => a - b)[gaps.length >> 1]!
  let n = 0
  const points = taps.map((seconds, i) => {
    if (i > 0) n += Math.max(1, Math.round(gaps[i - 1]! / median))
    return { n, seconds }
  })
  const line = fitLine(points)
  const bpm = toHundredths(60 / line.slope)
  if (!(bpm >= MIN_BPM && bpm <= MAX_BPM)) return undefined
  // With the rounded tempo, from the middle of the taps.
  const firstTap = line.seconds - (line.n * 60) / bpm
  const isSame = before && Math.abs(before.bpm / bpm - 1) <= SAME_TEMPO
  const one = isSame
    ? nearestTo(firstTap, 60 / bpm, nearestTo(before.first_downbeat_seconds, barSeconds(before), firstTap))
    : firstTap
  const bar = (BEATS_PER_BAR * 60) / bpm
  return withDownbeatAt({ bpm, first_downbeat_seconds: 0 }, modulo(one, bar) > bar - 0.0005 ? 0 : modulo(one, bar))
}

const barSeconds = (grid: SteadyGrid) => BEATS_PER_BAR * beatSeconds(grid)

/** The member of a series `start + n × step` that is nearest to a time. */
const nearestTo = (start: number, step: number, seconds: number) => start + Math.round((seconds - start) / step) * step

/** Time as '1:05.250'. */
export function formatExactTime(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000)
  const rest = milliseconds % 60_000
  return `${Math.floor(milliseconds / 60_000)}:${String(Math.floor(rest / 1000)).padStart(2, '0')}.${String(rest % 1000).padStart(3, '0')}`
}

/** Seconds of '1:05.250', '65.25' or '65'; undefined if it is not a time. */
export function parseExactTime(text: string): number | undefined {
  const [, minutes, seconds] = /^(?:(\d{1,3}):)?(\d{1,5}(?:[.,]\d{1,3})?)$/.exec(text.trim()) ?? []
  if (seconds === undefined) return undefined
  const value = Number(seconds.replace(',', '.'))
  return minutes !== undefined && value >= 60 ? undefined : Number(minutes ?? 0) * 60 + value
}

/** A BPM of '124', '124.37' or '124,37'; undefined if it is not a number. */
export function parseBpm(text: string): number | undefined {
  return /^\d{1,3}([.,]\d{1,2})?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : undefined
}
