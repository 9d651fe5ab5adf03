export const SAMPLE_RATE = 44_100

export type DemoGenre =
  | 'house'
  | 'techhouse'
  | 'techno'
  | 'trance'
  | 'dnb'
  | 'dubstep'
  | 'trap'
  | 'hiphop'
  | 'rnb'
  | 'reggaeton'
  | 'afro'
  | 'disco'
  | 'garage'
  | 'pop'

export const DEMO_VERSIONS = [
  'Original',
  'Clean',
  'Dirty',
  'Intro Clean',
  'Intro Dirty',
  'Instrumental',
  'Acapella',
  'Acapella Intro',
  'Extended',
  'Quick Hit',
  'Transition',
] as const
export type DemoVersion = (typeof DEMO_VERSIONS)[number]

/** All that is needed to render one version of a demo song. The same recipe always gives the same samples. */
export type Recipe = {
  /** The song's identity: its versions share it. */
  seed: number
  genre: DemoGenre
  /** Pitch class of the tonic, 0 (C) to 11 (B). */
  tonic: number
  mode: 'major' | 'minor'
  bpm: number
  version: DemoVersion
  /** Where a Transition arrives; without it a third faster. Other versions ignore it. */
  bpm_to?: number
  /** Wished length; the song ends at the next whole four bars. */
  seconds?: number
}
