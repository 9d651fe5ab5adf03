import { type DemoVersion, type Recipe, SAMPLE_RATE } from './recipe.ts'

export type Layer = 'kick' | 'snare' | 'hat' | 'open' | 'perc' | 'bass' | 'chord' | 'arp' | 'verse' | 'hook'

export type SectionName = 'beat' | 'groove' | 'verse' | 'build' | 'drop' | 'break' | 'second' | 'voice'

/** Layers that play in each section of four bars. */
const LAYERS: Record<SectionName, readonly Layer[]> = {
  beat: ['kick', 'hat', 'perc'],
  groove: ['kick', 'snare', 'hat', 'open', 'perc'],
  verse: ['kick', 'snare', 'hat', 'bass', 'chord', 'verse'],
  build: ['snare', 'hat', 'chord', 'arp', 'verse'],
  drop: ['kick', 'snare', 'hat', 'open', 'perc', 'bass', 'chord', 'arp', 'hook'],
  break: ['chord', 'arp', 'hook'],
  second: ['kick', 'snare', 'hat', 'open', 'perc', 'bass', 'chord', 'verse'],
  voice: ['hook'],
}

/** The sections of a song's body, by their number, from 2 up. */
const BODY_SECTIONS: readonly (readonly SectionName[])[] = [
  ['verse', 'drop'],
  ['verse', 'build', 'drop'],
  ['verse', 'build', 'drop', 'drop'],
  ['verse', 'build', 'drop', 'break', 'drop'],
  ['verse', 'build', 'drop', 'break', 'second', 'drop'],
  ['verse', 'build', 'drop', 'drop', 'break', 'second', 'drop'],
  ['verse', 'build', 'drop', 'drop', 'break', 'build', 'drop', 'drop'],
  ['verse', 'second', 'build', 'drop', 'drop', 'break', 'build', 'drop', 'drop'],
  ['verse', 'second', 'build', 'drop', 'drop', 'break', 'second', 'build', 'drop', 'drop'],
  ['verse', 'second', 'build', 'drop', 'drop', 'break', 'verse', 'second', 'build', 'drop', 'drop'],
]

const SECTION_BARS = 4
const DRUM_INTRO: readonly SectionName[] = ['beat', 'beat', 'groove', 'groove']

/** Sections before and after the body, its minimum length in sections, and the usual length of the whole in seconds. */
const SECTION_PLANS: Record<
  DemoVersion,
  { intro: readonly SectionName[]; outro: readonly SectionName[]; minSeconds: number; seconds: number }
> = {
  Original: { intro: [], outro: [], minSeconds: 5, seconds: 60 },
  Clean: { intro: [], outro: [], minSeconds: 5, seconds: 60 },
  Dirty: { intro: [], outro: [], minSeconds: 5, seconds: 60 },
  Instrumental: { intro: [], outro: [], minSeconds: 5, seconds: 60 },
  Acapella: { intro: [], outro: [], minSeconds: 5, seconds: 60 },
  'Intro Clean': { intro: DRUM_INTRO, outro: [], minSeconds: 3, seconds: 64 },
  'Intro Dirty': { intro: DRUM_INTRO, outro: [], minSeconds: 3, seconds: 64 },
  'Acapella Intro': { intro: ['voice', 'voice'], outro: ['groove'], minSeconds: 3, seconds: 60 },
  Extended: { intro: ['beat', 'groove'], outro: ['groove', 'beat'], minSeconds: 4, seconds: 78 },
  'Quick Hit': { intro: ['groove'], outro: [], minSeconds: 2, seconds: 30 },
  Transition: { intro: [], outro: [], minSeconds: 5, seconds: 60 },
}

export type Bar = {
  index: number
  section: SectionName
  /** 0 to 3 within its section. */
  place: number
  /** First sample of the bar in the song, and its length. */
  start: number
  length: number
  /** Length of a sixteenth in samples; not a whole number. */
  step: number
  layers: ReadonlySet<Layer>
}

const VOICES: readonly Layer[] = ['verse', 'hook']

function layersOf(section: SectionName, version: DemoVersion): ReadonlySet<Layer> {
  const layers = LAYERS[section]
  if (version === 'Acapella') return new Set(layers.filter((layer) => VOICES.includes(layer)))
  if (version === 'Instrumental') return new Set(layers.filter((layer) => !VOICES.includes(layer)))
  return new Set(layers)
}

/**
 * Transition: two sections at the old tempo, a break in which the tempo changes bar by bar, the rest at the new one.
 */
function transitionSections(sections: number): SectionName[] {
  const arrivals = Array.from({ length: sections - 3 }, () => 'drop' as const)
  return ['verse', 'drop', 'break', ...arrivals]
}

function sectionsOf(recipe: Recipe): SectionName[] {
  const plan = SECTION_PLANS[recipe.version]
  const sectionSeconds = (SECTION_BARS * 240) / recipe.bpm
  const wished = Math.round((recipe.seconds ?? plan.seconds) / sectionSeconds)
  if (recipe.version === 'Transition') return transitionSections(Math.max(plan.minSeconds, wished))
  const body = Math.max(plan.minSeconds, wished - plan.intro.length - plan.outro.length)
  return [...plan.intro, ...BODY_SECTIONS[Math.min(body, BODY_SECTIONS.length + 1) - 2]!, ...plan.outro]
}

/** Target tempo of a Transition whose recipe does not give one. */
export function arrivalBpm(recipe: Recipe): number {
  return recipe.bpm_to ?? Math.round((recipe.bpm * 4) / 3)
}

function bpmOfBar(recipe: Recipe, index: number): number {
  if (recipe.version !== 'Transition') return recipe.bpm
  const glide = Math.min(1, Math.max(0, (index - 2 * SECTION_BARS + 1) / (SECTION_BARS + 1)))
  return recipe.bpm + (arrivalBpm(recipe) - recipe.bpm) * glide
}

/** The song's bars. Each start is rounded from the exact time, so rounding never adds up. */
export function arrange(recipe: Recipe): Bar[] {
  let exact = 0
  return sectionsOf(recipe).flatMap((section, s) => {
    const layers = layersOf(section, recipe.version)
    return Array.from({ length: SECTION_BARS }, (_, positionInSection) => {
      const index = s * SECTION_BARS + positionInSection
      const samples = (240 * SAMPLE_RATE) / bpmOfBar(recipe, index)
      const start = Math.round(exact)
      exact += samples
      return {
        index,
        section,
        place: positionInSection,
        start,
        length: Math.round(exact) - start,
        step: samples / 16,
        layers,
      }
    })
  })
}
