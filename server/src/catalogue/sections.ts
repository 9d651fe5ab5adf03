import { catalogue } from '@dubplate/contract'

const { ALL_SECTIONS, SECTIONS } = catalogue

/** The sections a request covers: songs and kuts for `ALL_SECTIONS`. */
export const sectionsOf = (section: number): number[] =>
  section === ALL_SECTIONS ? Object.values(SECTIONS) : [section]
