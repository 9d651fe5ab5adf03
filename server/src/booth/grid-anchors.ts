import type { player } from '@dubplate/contract'
import type { CueKind } from '@dubplate/contract/song-structure'
import type { GridAnchor, KitCue } from './kit-track.ts'

const BEATS_PER_BAR = 4
/** A tempo change may be this much after the downbeat that belongs to it. */
const ROUNDING_SECONDS = 0.05

const beatOfBar = (beatsAfterDownbeat: number) =>
  ((((beatsAfterDownbeat % BEATS_PER_BAR) + BEATS_PER_BAR) % BEATS_PER_BAR) + 1) as GridAnchor['beat']

/**
 * The grid of a version as DJ programs store it: from the first bar of the file on, because they do not draw beats before
 * their first anchor. Without known bars, the first beat of the file counts as a downbeat. `delay` is added to all times.
 */
export function gridAnchors(grid: player.BeatGrid, delay: number): GridAnchor[] {
  const { bpm, first_beat_seconds, first_downbeat_seconds, tempo_changes } = grid
  const [first, ...others] = tempo_changes
  if (!first) {
    const barSeconds = (BEATS_PER_BAR * 60) / bpm
    const start = first_downbeat_seconds === null ? first_beat_seconds : first_downbeat_seconds % barSeconds
    return [{ seconds: start + delay, bpm, beat: 1 }]
  }
  const downbeat = downbeatNumber(grid)
  const beatsBefore = Math.floor((first.at_seconds * first.bpm) / 60 + 1e-6)
  const start = {
    ...first,
    beat: first.beat - beatsBefore,
    at_seconds: first.at_seconds - (beatsBefore * 60) / first.bpm,
  }
  return [start, ...others].map(({ beat, at_seconds, bpm }) => ({
    seconds: Math.max(0, at_seconds) + delay,
    bpm,
    beat: beatOfBar(beat - downbeat),
  }))
}

/** Which beat of each bar is its first, of beats counted as in the tempo changes. */
function downbeatNumber({ first_downbeat_seconds: at, tempo_changes: parts }: player.BeatGrid): number {
  const [first] = parts
  if (at === null || !first) return first?.beat ?? 0
  const part = parts.findLast(({ at_seconds }) => at_seconds <= at + ROUNDING_SECONDS) ?? first
  return part.beat + Math.round(((at - part.at_seconds) * part.bpm) / 60)
}

/** Colours that rekordbox, Serato and the web player can tell apart. */
const CUES: Record<CueKind, { name: string; colour: string }> = {
  first_beat: { name: 'First beat', colour: '#28E214' },
  mix_in: { name: 'Mix in', colour: '#00E0FF' },
  intro_end: { name: 'End of intro', colour: '#305AFF' },
  drop: { name: 'Drop', colour: '#E62828' },
  break: { name: 'Break', colour: '#B432FF' },
  second_drop: { name: 'Second drop', colour: '#E0641B' },
  outro: { name: 'Outro', colour: '#FFB400' },
}

const MAX_HOT_CUES = 8

/** The cue points of a version as hot cues A to H, in order of time. */
export const hotCues = ({ cues }: player.BeatGrid, delay: number): KitCue[] =>
  [...cues]
    .sort((a, b) => a.at_seconds - b.at_seconds)
    .slice(0, MAX_HOT_CUES)
    .map(({ kind, at_seconds }, number) => ({ kind, number, seconds: at_seconds + delay, ...CUES[kind] }))
