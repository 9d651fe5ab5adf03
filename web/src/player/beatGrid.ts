import type { player } from '@dubplate/contract'

export type Beat = { at_seconds: number; isDownbeat: boolean }

export const BEATS_PER_BAR = 4

/** A part of constant tempo: beat `beat` is at `at_seconds`. */
type SteadyPart = { beat: number; at_seconds: number; bpm: number }

/** Parts of constant tempo, the first of which also reaches back to the start of the song. */
export const steadyParts = ({
  tempo_changes,
  first_beat_seconds,
  bpm,
}: player.BeatGrid): [SteadyPart, ...SteadyPart[]] => {
  const [first, ...others] = tempo_changes
  return first ? [first, ...others] : [{ beat: 0, at_seconds: first_beat_seconds, bpm }]
}

/** Which beat of each bar is its first, of beats counted as in the tempo changes. */
export function downbeatOf(grid: player.BeatGrid, parts: SteadyPart[]): number | undefined {
  const at = grid.first_downbeat_seconds
  if (at === null) return undefined
  const part = parts.findLast(({ at_seconds }) => at_seconds <= at + 0.05) ?? parts[0]!
  return part.beat + Math.round(((at - part.at_seconds) * part.bpm) / 60)
}

/** The beats from one moment to another, in order. */
export function beatsBetween(grid: player.BeatGrid, from_seconds: number, to_seconds: number): Beat[] {
  const parts = steadyParts(grid)
  const downbeat = downbeatOf(grid, parts)
  return parts.flatMap((part, i) => {
    const start = i === 0 ? from_seconds : Math.max(from_seconds, part.at_seconds)
    const end = Math.min(to_seconds, parts[i + 1]?.at_seconds ?? to_seconds)
    const first = Math.ceil(((start - part.at_seconds) * part.bpm) / 60 - 1e-6)
    const beats: Beat[] = []
    for (let n = first; ; n++) {
      const at_seconds = part.at_seconds + (n * 60) / part.bpm
      if (at_seconds >= end - 1e-6) return beats
      const isDownbeat = downbeat !== undefined && (part.beat + n - downbeat) % BEATS_PER_BAR === 0
      if (at_seconds >= 0) beats.push({ at_seconds, isDownbeat })
    }
  })
}

/** The section that is playing at a moment. */
export const sectionAt = ({ sections }: player.BeatGrid, seconds: number) =>
  sections.findLast(({ start_seconds }) => start_seconds <= seconds)
