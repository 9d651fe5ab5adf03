import type { CueKind } from '@dubplate/contract/song-structure'
import type { RhythmSeries } from './beat-envelopes.ts'
import { type BarLines, type BeatGrid, beatGridOf } from './beat-grid.ts'
import { cuePointsOf } from './cue-points.ts'
import type { OnsetTimeline } from './onset-timeline.ts'
import { type Section, sectionsOf } from './sections.ts'

/** A section with its place in the file; `bar` counts from the first downbeat, which is bar 0. */
export type PlacedSection = Section & { start_seconds: number }

type PlacedCue = { bar: number; kind: CueKind; at_seconds: number }

/** The beats, bars and sections of a file. */
export type SongStructure = { grid: BeatGrid; sections: PlacedSection[]; cues: PlacedCue[] }

/** A file with more bars is a mix, whose sections are other songs. */
const MOST_BARS = 1024
const LEAST_BARS = 8

/**
 * Finds the grid of a file from its approximate tempo and, on it, its sections and cue points. Undefined when the file
 * has too few beats. The bar lines, in seconds, are for the key.
 */
export function songStructureOf(
  series: RhythmSeries,
  bpm: number,
  timeline: OnsetTimeline,
): (SongStructure & { bars: number[] }) | undefined {
  const lines = beatGridOf(series, bpm, timeline)
  if (!lines) return undefined
  const bars = lines.bars.length - 1
  const sections = bars >= LEAST_BARS && bars <= MOST_BARS ? sectionsAt(series, lines, timeline) : []
  return { grid: lines.grid, sections, cues: cuesAt(lines, sections), bars: lines.bars }
}

/** The bar line that is bar 0. A bar before it is cut by the beginning of the file. */
const firstBar = ({ grid, bars }: BarLines) =>
  Math.max(
    0,
    bars.findIndex((at) => Math.max(0, at) === grid.first_downbeat_seconds),
  )

function sectionsAt(series: RhythmSeries, lines: BarLines, timeline: OnsetTimeline): PlacedSection[] {
  const { bars } = lines
  const frames = bars.map((at) => timeline.frameOf(at))
  const offset = firstBar(lines)
  return sectionsOf(series, frames).map((section) => ({
    ...section,
    bar: section.bar - offset,
    start_seconds: Math.max(0, bars[section.bar]!),
  }))
}

function cuesAt(lines: BarLines, sections: PlacedSection[]): PlacedCue[] {
  const offset = firstBar(lines)
  return cuePointsOf(sections).map(({ bar, kind }) => ({
    bar,
    kind,
    at_seconds: Math.max(0, lines.bars[bar + offset]!),
  }))
}
