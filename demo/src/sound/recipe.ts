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

/** Everything needed to render one version of a demo song. The same recipe always gives the same samples. */
export type Recipe = {
  /** Identifies the song: its versions share it. */
  seed: number
  genre: DemoGenre
  /** Pitch class of the tonic, 0 (C) to 11 (B). */
  tonic: number
  mode: 'major' | 'minor'
  bpm: number
  version: DemoVersion
  /** Target tempo of a Transition; a third faster by default. Other versions ignore it. */
  bpm_to?: number
  /** Requested length; the song ends at the next multiple of four bars. */
  seconds?: number
}
