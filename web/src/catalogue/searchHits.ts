import {
  IconDisc,
  IconMicrophone,
  IconPlaylist,
  IconSparkles,
  IconWaveSine,
  type TablerIcon,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import { usePlaylistSearch } from '../library/usePlaylistSearch.ts'
import { closenessOf } from '../ui/paletteMatches.ts'
import { artistLink, labelLink } from './addresses.ts'
import * as texts from './texts.ts'
import { sameSection } from './useSection.ts'
import type { Suggested } from './useSuggested.ts'

/** Something other than a song that a search may mean: it leads to a screen of its own. */
export type SearchHit = { id: string; name: string; note: string; icon: TablerIcon; link: LinkProps }

/** The page of an artist or a label. */
export const nameLink = (kind: 'artist' | 'label', name: string): LinkProps => ({
  ...(kind === 'artist' ? artistLink(name) : labelLink(name)),
  search: sameSection(),
})

export const genreLink = (genreId: number): LinkProps => ({
  to: '/genres/view/$genreId',
  params: { genreId },
  search: sameSection(),
})

const nameHit = (kind: 'artist' | 'label', name: string): SearchHit => ({
  id: `${kind} ${name}`,
  name,
  note: kind === 'artist' ? texts.artist : texts.label,
  icon: kind === 'artist' ? IconMicrophone : IconDisc,
  link: nameLink(kind, name),
})

/** Genres, artists, labels and spotlights: those that begin with the words first, otherwise in this order. */
export function hitsOf({ genres, artists, labels, spotlights }: Suggested, words: string): SearchHit[] {
  return sortByCloseness(
    [
      ...genres.map(({ genre_id, name, song_count }) => ({
        id: `genre ${genre_id}`,
        name,
        note: format(texts.genreWithSongs, { count: song_count }),
        icon: IconWaveSine,
        link: genreLink(genre_id),
      })),
      ...artists.map((name) => nameHit('artist', name)),
      ...labels.map((name) => nameHit('label', name)),
      ...spotlights.map(({ curated_list_id, title }) => ({
        id: `spotlight ${curated_list_id}`,
        name: title,
        note: texts.spotlight,
        icon: IconSparkles,
        link: { to: '/spotlight/view/$listId', params: { listId: curated_list_id } } satisfies LinkProps,
      })),
    ],
    words,
  )
}

/** In the order of their kinds, those whose name equals the words or begins with them first. */
export const sortByCloseness = <T extends { name: string }>(named: readonly T[], words: string): T[] =>
  [...named].sort((a, b) => closenessOf(a.name, words) - closenessOf(b.name, words))

const MAX_PLAYLISTS = 3

/** The member's playlists and the public ones with these words, and whether the first ones are still to come. */
export function usePlaylistHits(words: string): { hits: SearchHit[]; isPending: boolean } {
  const { found, isPending } = usePlaylistSearch(words, MAX_PLAYLISTS)
  const hits = found.map(({ playlist_id, title, song_count }) => ({
    id: `playlist ${playlist_id}`,
    name: title,
    note: format(texts.playlistWithSongs, { count: song_count }),
    icon: IconPlaylist,
    link: { to: '/playlist/$playlistId', params: { playlistId: playlist_id } } satisfies LinkProps,
  }))
  return { hits: sortByCloseness(hits, words).slice(0, MAX_PLAYLISTS), isPending }
}
