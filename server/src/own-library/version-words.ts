import { artistsOf } from '../catalogue/artist-credit.ts'
import { parseVersionInfo } from '../imports/version-parser.ts'
import { comparedText } from './compared-text.ts'

/** What a label says about a version: 'Intro Clean', 'Solara Remix', 'Live'. */
export type VersionMeaning = {
  words: ReadonlySet<string>
  /** Words for the usual version, which are not among `words`: 'Original'. */
  usual: ReadonlySet<string>
  /** In the form of {@link comparedText}. */
  remixers: ReadonlySet<string>
  /** Words of another recording: 'live'. */
  recordings: ReadonlySet<string>
}

/** These say that a version is the usual one, so it may be any that has the same length. */
const NEUTRAL_WORDS = new Set(['Original', 'Main', 'Album Version', 'Single Version', 'Remastered'])
const RECORDING_WORDS: Record<string, string> = { Live: 'live', Acoustic: 'acoustic' }

/** What a version is called at one service and not at another. */
const EQUIVALENT_WORDS: Record<string, string> = {
  'Radio Edit': 'Clean',
  'Super Clean': 'Clean',
  'Club Mix': 'Extended',
  'Quick Hit': 'Short Edit',
  'Super Short Edit': 'Short Edit',
  Snip: 'Short Edit',
}

/** A label that is not understood is a word of its own: no other version has it. */
export function readVersionLabel(label: string): VersionMeaning {
  const info = parseVersionInfo(label)
  const text = info ? '' : comparedText(label)
  const words = info ? info.label.map(({ word }) => word) : text ? [text] : []
  return {
    words: new Set(words.filter((word) => !NEUTRAL_WORDS.has(word) && !RECORDING_WORDS[word])),
    usual: new Set(words.filter((word) => NEUTRAL_WORDS.has(word))),
    remixers: new Set(namesOf(info?.remix?.by ?? '')),
    recordings: new Set(words.flatMap((word) => RECORDING_WORDS[word] ?? [])),
  }
}

/** 'Radio Edit' → 'Clean'. */
export const equivalentWords = (words: ReadonlySet<string>): Set<string> =>
  new Set([...words].map((word) => EQUIVALENT_WORDS[word] ?? word))

/** The names of a credit, in the form in which they are compared. */
export const namesOf = (artist: string): string[] => [
  ...new Set(
    artistsOf(artist)
      .map(({ name }) => comparedText(name))
      .filter(Boolean),
  ),
]
