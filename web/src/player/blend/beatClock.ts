import type { player } from '@dubplate/contract'
import { BEATS_PER_BAR, downbeatOf, steadyParts } from '../beatGrid.ts'

/** Converts between beats of a song, counted as in its tempo changes, and seconds. Between beats, both are fractions. */
export type BeatClock = {
  secondsOf: (beat: number) => number
  beatAt: (seconds: number) => number
  bpmAt: (beat: number) => number
  /** The first beat of a bar. Where the bars are uncertain, the first beat that is known. */
  downbeat: number
  /** The bar line nearest to a moment, as a beat. */
  barLineAt: (seconds: number) => number
}

export function createBeatClock(grid: player.BeatGrid): BeatClock {
  const parts = steadyParts(grid)
  const partOf = (beat: number) => parts.findLast((part) => part.beat <= beat) ?? parts[0]
  const beatAt = (seconds: number) => {
    const part = parts.findLast(({ at_seconds }) => at_seconds <= seconds) ?? parts[0]
    return part.beat + ((seconds - part.at_seconds) * part.bpm) / 60
  }
  const downbeat = downbeatOf(grid, parts) ?? Math.round(beatAt(grid.first_beat_seconds))
  return {
    secondsOf: (beat) => {
      const part = partOf(beat)
      return part.at_seconds + ((beat - part.beat) * 60) / part.bpm
    },
    beatAt,
    bpmAt: (beat) => partOf(beat).bpm,
    downbeat,
    barLineAt: (seconds) => downbeat + BEATS_PER_BAR * Math.round((beatAt(seconds) - downbeat) / BEATS_PER_BAR),
  }
}
