import type { catalogue } from '@dubplate/contract'
import * as texts from './texts.ts'

/** A song in a list; how it was found stands with it where the list answers a search. */
export type ListedSong = catalogue.Song & { found?: catalogue.FoundSong['found'] }

/** The song is in the list for a tempo twice or half as fast as the one asked for. */
export const TEMPO_MARKS = {
  half: { sign: '½×', meaning: texts.halfTheTempoYouSearched },
  double: { sign: '2×', meaning: texts.doubleTheTempoYouSearched },
} as const

type Closeness = 'exact' | 'tempo' | 'similar' | 'partial'

const CLOSENESS_HEADINGS: Record<Closeness, string> = {
  exact: texts.exactMatches,
  tempo: texts.halfOrDoubleTempo,
  similar: texts.closeMatches,
  partial: texts.partialMatches,
}

const TAGS: Partial<Record<Closeness, string>> = { similar: 'Similar', partial: 'Partial' }

function closenessOf({ found: searchReply }: ListedSong): Closeness {
  if (!searchReply) return 'exact'
  if (searchReply.words !== 'exact') return searchReply.words
  return searchReply.tempo === 'same' ? 'exact' : 'tempo'
}

/** The lines between songs found in different ways, by the song each stands above. The songs as typed need none. */
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

/** A word beside the title of a song that was not found as typed: for a list whose order mixes them. */
export const closenessTag = (song: ListedSong) => TAGS[closenessOf(song)]

/** A word beside the title of a song that came after a moment and was found as typed: what a saved search counts as new. */
export const newBadge = (song: ListedSong, since: string | undefined) =>
  since !== undefined && song.created_at > since && closenessOf(song) === 'exact' ? 'New' : undefined
