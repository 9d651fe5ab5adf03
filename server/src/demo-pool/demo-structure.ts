import type { SectionKind } from '@dubplate/contract/song-structure'
import { type Recipe, SAMPLE_RATE } from '@dubplate/demo/song'
import { arrange, type Bar } from '@dubplate/demo/sound/arrangement'
import { cuePointsOf } from '../analysis/structure/cue-points.ts'
import type { PlacedSection, SongStructure } from '../analysis/structure/song-structure.ts'

const BEATS_PER_BAR = 4
const ENERGY_BY_GENRE: Partial<Record<Recipe['genre'], number>> = {
  rnb: 4,
  hiphop: 5,
  reggaeton: 6,
  afro: 6,
  dnb: 9,
  techno: 8,
}
const USUAL_ENERGY = 7

const startSeconds = ({ start }: Bar) => start / SAMPLE_RATE
const tempoOf = ({ length }: Bar) => Math.round(((BEATS_PER_BAR * 60 * SAMPLE_RATE) / length) * 100) / 100

/** What the parts of an arrangement are to a DJ; drums alone are an intro before everything else, and an outro after. */
function kindOf(bars: readonly Bar[], first: number): SectionKind {
  const isDrums = ({ section }: Bar) => section === 'beat' || section === 'groove'
  const { section } = bars[first]!
  if (section === 'drop' || section === 'build' || section === 'break') return section
  if (bars.slice(0, first + 1).every(isDrums)) return 'intro'
  return bars.slice(first).every(isDrums) ? 'outro' : 'main'
}

function sectionsOf(bars: readonly Bar[]): PlacedSection[] {
  const starts = bars.filter(({ section }, i) => section !== bars[i - 1]?.section)
  return starts.map((bar, i) => ({
    ...{ bar: bar.index, bars: (starts[i + 1]?.index ?? bars.length) - bar.index, kind: kindOf(bars, bar.index) },
    ...{ level: 1, has_kick: bar.layers.has('kick'), start_seconds: startSeconds(bar) },
  }))
}

/** The tempo of each run of bars; empty when all have the same one. */
function tempoChanges(bars: readonly Bar[]): SongStructure['grid']['tempo_changes'] {
  const changes = bars.filter((bar, i) => i === 0 || Math.abs(tempoOf(bar) - tempoOf(bars[i - 1]!)) > 0.05)
  if (changes.length === 1) return []
  return changes.map((bar) => ({ beat: bar.index * BEATS_PER_BAR, at_seconds: startSeconds(bar), bpm: tempoOf(bar) }))
}

/** The structure of a demo song, known from its arrangement instead of measured. */
export function demoStructure(recipe: Recipe): { structure: SongStructure; energy: number } {
  const bars = arrange(recipe)
  const sections = sectionsOf(bars)
  return {
    structure: {
      grid: {
        ...{ bpm: recipe.bpm, first_downbeat_seconds: 0, beat_confidence: 1, downbeat_confidence: 1 },
        tempo_changes: tempoChanges(bars),
      },
      sections,
      cues: cuePointsOf(sections).map((cue) => ({ ...cue, at_seconds: startSeconds(bars[cue.bar]!) })),
    },
    energy: ENERGY_BY_GENRE[recipe.genre] ?? USUAL_ENERGY,
  }
}
