import type { beatGrids, player } from '@dubplate/contract'
import type { CueKind } from '@dubplate/contract/song-structure'
import { type Cue, isSteadyGrid, type SteadyGrid } from './gridTools.ts'
import * as texts from './texts.ts'

/** Numbers are null while their field has no valid number. */
export type GridValues = {
  bpm: number | null
  first_downbeat_seconds: number | null
  cues: { kind: CueKind; at_seconds: number | null }[]
}

/** What the editor starts with: the correction, otherwise what was measured. */
export function valuesOf({ correction, measured }: beatGrids.EditableGrid): GridValues {
  const { bpm, first_downbeat_seconds, cues } = correction ??
    measured ?? { bpm: null, first_downbeat_seconds: 0, cues: [] }
  return { bpm, first_downbeat_seconds, cues: cues.map(({ kind, at_seconds }) => ({ kind, at_seconds })) }
}

export const steadyGridOf = ({ bpm, first_downbeat_seconds }: GridValues): SteadyGrid | undefined => {
  const grid = { bpm, first_downbeat_seconds }
  return isSteadyGrid(grid) ? grid : undefined
}

/** The cue points that have a time. */
export const placedCues = ({ cues }: GridValues): (Cue & { index: number })[] =>
  cues.flatMap(({ kind, at_seconds }, index) => (at_seconds === null ? [] : [{ kind, at_seconds, index }]))

/** The grid as the player draws it. */
export const drawnGrid = ({ bpm, first_downbeat_seconds }: SteadyGrid): player.BeatGrid => ({
  ...{ bpm, first_downbeat_seconds, tempo_changes: [], sections: [], cues: [], energy: null },
  first_beat_seconds: first_downbeat_seconds % (60 / bpm),
})

export const CUE_NAMES: Record<CueKind, string> = {
  first_beat: texts.firstBeat,
  mix_in: texts.mixIn,
  intro_end: texts.introEnd,
  drop: texts.drop,
  break: texts.breakStart,
  second_drop: texts.secondDrop,
  outro: texts.outro,
}
