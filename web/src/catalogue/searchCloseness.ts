import type { catalogue } from '@dubplate/contract'
import * as texts from './texts.ts'

/** A song in a list: in search results with how it matched, in a history with when it was played. */
export type ListedSong = catalogue.Song & { found?: catalogue.FoundSong['found']; played_at?: string }

/** Marks for songs at double or half the requested tempo. */
const TEMPO_MARKS = {
  half: { sign: '½×', meaning: texts.halfTheTempoYouSearched },
  double: { sign: '2×', meaning: texts.doubleTheTempoYouSearched },
} as const

export type TempoMark = (typeof TEMPO_MARKS)[keyof typeof TEMPO_MARKS]

/** The mark of a song whose tempo is double or half of the one searched for. */
const tempoMark = ({ found }: ListedSong): TempoMark | undefined =>
  found && found.tempo !== 'same' ? TEMPO_MARKS[found.tempo] : undefined

type Closeness = 'exact' | 'tempo' | 'similar' | 'partial'

const CLOSENESS_HEADINGS: Record<Closeness, string> = {
  exact: texts.exactMatches,
  tempo: texts.halfOrDoubleTempo,
  similar: texts.closeMatches,
  partial: texts.partialMatches,
}

const TAGS: Partial<Record<Closeness, string>> = { similar: texts.similar, partial: texts.partial }

function closenessOf({ found: searchReply }: ListedSong): Closeness {
  if (!searchReply) return 'exact'
  if (searchReply.words !== 'exact') return searchReply.words
  return searchReply.tempo === 'same' ? 'exact' : 'tempo'
}

/** The dividers between exact and similar matches, by the id of the song below each. Exact matches have none. */
export function dividersOf(songs: ListedSong[]): ReadonlyMap<number, string> {
  const headings = new Map<number, string>()
  let before: Closeness = 'exact'
  for (const song of songs) {
    const closeness = closenessOf(song)
    if (closeness !== before) headings.set(song.entity_id, CLOSENESS_HEADINGS[closeness])
    before = closeness
  }
  return headings
}

/** A tag for songs that are not exact matches, in lists whose order mixes them. */
export const closenessTag = (song: ListedSong) => TAGS[closenessOf(song)]

/** A tag for exact matches added after a time: what a saved search counts as new. */
export const newBadge = (song: ListedSong, since: string | undefined) =>
  since !== undefined && song.created_at > since && closenessOf(song) === 'exact' ? texts.newBadge : undefined

/** How songs are marked in search results; other lists load none of this. */
export const searchMarks = { dividersOf, closenessTag, newBadge, tempoMark }
export type SearchMarks = typeof searchMarks
