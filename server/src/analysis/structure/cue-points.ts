import type { CueKind, SectionKind } from '@dubplate/contract/song-structure'
import type { Section } from './sections.ts'

/** A place to jump to; `bar` is the index of its bar line. */
export type CuePoint = { bar: number; kind: CueKind }

const MOST_CUES = 8
const LEAST_DISTANCE_BARS = 4
/** A mix begins this many bars before the drop, or half as many where the drop comes early. */
const MIX_IN_BARS = 16

/**
 * Cue points by rule, most useful first: first beat; first drop; end of the intro; first break after the drop; the drop
 * after that; outro; and where to mix in, sixteen (or eight) bars before the first drop. At most eight, at least four
 * bars apart. In the order of the song.
 */
export function cuePointsOf(sections: readonly Section[]): CuePoint[] {
  const cues: CuePoint[] = []
  const add = (kind: CueKind, bar: number | undefined): void => {
    if (bar === undefined || bar < 0 || cues.length === MOST_CUES) return
    if (cues.every((cue) => Math.abs(cue.bar - bar) >= LEAST_DISTANCE_BARS)) cues.push({ bar, kind })
  }
  const find = (kind: SectionKind, from = 0) => sections.find((section) => section.kind === kind && section.bar >= from)
  const drop = find('drop')
  const intro = sections.findLast(({ kind }) => kind === 'intro')
  const pause = find('break', drop?.bar)
  add('first_beat', 0)
  add('drop', drop?.bar)
  add('intro_end', intro && intro.bar + intro.bars)
  add('break', pause?.bar)
  add('second_drop', pause && find('drop', pause.bar)?.bar)
  add('outro', find('outro')?.bar)
  add('mix_in', drop && drop.bar - (drop.bar >= MIX_IN_BARS ? MIX_IN_BARS : MIX_IN_BARS / 2))
  return cues.sort((a, b) => a.bar - b.bar)
}
