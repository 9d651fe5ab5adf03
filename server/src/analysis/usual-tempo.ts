import { usualTempoRange } from './genre-tempo.ts'

/** A range in BPM that is under an octave, as a hint between half and double tempo. */
export type TempoRange = [low: number, high: number]

/** A tempo and its surroundings in which neither its half nor its double lies. */
const AROUND = 1.35
/** Fewer tempos do not show what is usual. */
const LEAST_TEMPOS = 4
/** Tempos from a tenth to nine tenths of a list must be within this factor, otherwise nothing is usual. */
const LARGEST_SPREAD = 1.6
const LEAST_SHARE = 0.1

/** What is known about a file before its analysis. */
export type TempoHints = {
  /** From its tags or its name. */
  bpm?: number | undefined
  genres: readonly string[]
  /** Tempos of other songs that are likely to have a similar one, the closest relatives first. */
  relatives?: readonly (readonly number[])[]
}

const around = (bpm: number): TempoRange => [bpm / AROUND, bpm * AROUND]

/** The usual tempo of some songs; undefined when they are few or differ. */
export function usualTempoOf(tempos: readonly number[]): TempoRange | undefined {
  if (tempos.length < LEAST_TEMPOS) return undefined
  const sorted = [...tempos].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!
  return at(1 - LEAST_SHARE) / at(LEAST_SHARE) > LARGEST_SPREAD ? undefined : around(at(0.5))
}

/**
 * The range in which a file's tempo is expected: around the tempo it is labelled with, otherwise its genre's, otherwise
 * that of its relatives. Undefined when nothing tells.
 */
export function expectedTempo({ bpm, genres, relatives = [] }: TempoHints): TempoRange | undefined {
  if (bpm !== undefined) return around(bpm)
  for (const genre of genres) {
    const range = usualTempoRange(genre)
    if (range) return range
  }
  for (const tempos of relatives) {
    const range = usualTempoOf(tempos)
    if (range) return range
  }
  return undefined
}
