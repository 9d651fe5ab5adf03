import {
  IconBasket,
  IconBookmark,
  IconChartBar,
  IconCompass,
  IconHeart,
  IconHistory,
  IconPlaylist,
  IconSearch,
  IconSparkles,
  IconSpeakerphone,
  IconStack2,
  IconWaveSine,
  type TablerIcon,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import * as texts from './texts.ts'

export type Section = { to: LinkProps['to']; params?: LinkProps['params']; text: string; icon: TablerIcon }

/** The group of the member's own lists. */
export const YOUR_LIBRARY = texts.yourLibrary

/** The navigation, in groups. */
export const GROUPS: { title?: string; sections: Section[] }[] = [
  {
    sections: [
      { to: '/', text: 'Explore', icon: IconCompass },
      { to: '/charts', text: 'Charts', icon: IconChartBar },
      { to: '/newRelease', text: texts.newReleases, icon: IconSparkles },
      { to: '/genres/index', text: 'Genres', icon: IconWaveSine },
      { to: '/spotlight/index', text: texts.curatedSpotlights, icon: IconStack2 },
      { to: '/playlist', text: 'Playlists', icon: IconPlaylist },
    ],
  },
  {
    title: YOUR_LIBRARY,
    sections: [
      { to: '/recentPlayed', text: texts.recentlyPlayed, icon: IconHistory },
      { to: '/favourite-songs', text: texts.favouriteSongs, icon: IconHeart },
      { to: '/searches', text: texts.savedSearches, icon: IconBookmark },
      { to: '/crate', text: texts.yourCrate, icon: IconBasket },
    ],
  },
  {
    title: 'Others',
    sections: [{ to: '/news', text: texts.whatsNews, icon: IconSpeakerphone }],
  },
]

/** The tabs at the bottom of a phone. */
export const TABS: Section[] = [
  { to: '/', text: 'Explore', icon: IconCompass },
  { to: '/charts', text: 'Charts', icon: IconChartBar },
  // Without the reset, the term of the current search would be kept.
  { to: '/search/result/{-$term}', params: { term: undefined }, text: 'Search', icon: IconSearch },
  { to: '/crate', text: 'Crate', icon: IconBasket },
  { to: '/favourite-songs', text: 'Favourites', icon: IconHeart },
]
