import { type DemoVersion, type Recipe, SAMPLE_RATE } from './recipe.ts'

export type Layer = 'kick' | 'snare' | 'hat' | 'open' | 'perc' | 'bass' | 'chord' | 'arp' | 'verse' | 'hook'

export type SectionName = 'beat' | 'groove' | 'verse' | 'build' | 'drop' | 'break' | 'second' | 'voice'

/** What plays in each section of four bars. */
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

/** The body of a song by its number of sections, from 2 up. */
const BODIES: readonly (readonly SectionName[])[] = [
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

/** Frames round the body, its shortest length in sections, and the whole's usual length in seconds. */
const PLANS: Record<
  DemoVersion,
  { lead: readonly SectionName[]; tail: readonly SectionName[]; least: number; seconds: number }
> = {
  Original: { lead: [], tail: [], least: 5, seconds: 60 },
  Clean: { lead: [], tail: [], least: 5, seconds: 60 },
  Dirty: { lead: [], tail: [], least: 5, seconds: 60 },
  Instrumental: { lead: [], tail: [], least: 5, seconds: 60 },
  Acapella: { lead: [], tail: [], least: 5, seconds: 60 },
  'Intro Clean': { lead: DRUM_INTRO, tail: [], least: 3, seconds: 64 },
  'Intro Dirty': { lead: DRUM_INTRO, tail: [], least: 3, seconds: 64 },
  'Acapella Intro': { lead: ['voice', 'voice'], tail: ['groove'], least: 3, seconds: 60 },
  Extended: { lead: ['beat', 'groove'], tail: ['groove', 'beat'], least: 4, seconds: 78 },
  'Quick Hit': { lead: ['groove'], tail: [], least: 2, seconds: 30 },
  Transition: { lead: [], tail: [], least: 5, seconds: 60 },
}

export type Bar = {
  index: number
  section: SectionName
  /** 0..3 within its section. */
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

/** Transition: two sections at the old tempo, a break that glides bar by bar, the rest at the new one. */
function transitionSections(sections: number): SectionName[] {
  const arrivals = Array.from({ length: sections - 3 }, () => 'drop' as const)
  return ['verse', 'drop', 'break', ...arrivals]
}

function sectionsOf(recipe: Recipe): SectionName[] {
  const plan = PLANS[recipe.version]
  const sectionSeconds = (SECTION_BARS * 240) / recipe.bpm
  const wished = Math.round((recipe.seconds ?? plan.seconds) / sectionSeconds)
  if (recipe.version === 'Transition') return transitionSections(Math.max(plan.least, wished))
  const body = Math.max(plan.least, wished - plan.lead.length - plan.tail.length)
  return [...plan.lead, ...BODIES[Math.min(body, BODIES.length + 1) - 2]!, ...plan.tail]
}

/** Where a Transition arrives when its recipe does not say. */
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
    return Array.from({ length: SECTION_BARS }, (_, place) => {
      const index = s * SECTION_BARS + place
      const samples = (240 * SAMPLE_RATE) / bpmOfBar(recipe, index)
      const start = Math.round(exact)
      exact += samples
      return { index, section, place, start, length: Math.round(exact) - start, step: samples / 16, layers }
    })
  })
}
