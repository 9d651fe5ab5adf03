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

/** The group that also links to the store and the back office. */
export const OTHERS = texts.others

/** The navigation, in groups. */
export const GROUPS: { title?: string; sections: Section[] }[] = [
  {
    sections: [
      { to: '/', text: texts.explore, icon: IconCompass },
      { to: '/charts', text: texts.charts, icon: IconChartBar },
      { to: '/newRelease', text: texts.newReleases, icon: IconSparkles },
      { to: '/genres/index', text: texts.genres, icon: IconWaveSine },
      { to: '/spotlight/index', text: texts.curatedSpotlights, icon: IconStack2 },
      { to: '/playlist', text: texts.playlists, icon: IconPlaylist },
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
    title: OTHERS,
    sections: [{ to: '/news', text: texts.whatsNews, icon: IconSpeakerphone }],
  },
]

/** The tabs at the bottom of a phone. */
export const TABS: Section[] = [
  { to: '/', text: texts.explore, icon: IconCompass },
  { to: '/charts', text: texts.charts, icon: IconChartBar },
  // Without the reset, the term of the current search would be kept.
  { to: '/search/result/{-$term}', params: { term: undefined }, text: texts.search, icon: IconSearch },
  { to: '/crate', text: texts.crate, icon: IconBasket },
  { to: '/favourite-songs', text: texts.favourites, icon: IconHeart },
]

/** The pages that can have announcements, by their names in the API. */
export const ANNOUNCED_PAGES: Record<string, { to: '/' | '/charts' | '/newRelease'; text: string }> = {
  mp3_home: { to: '/', text: texts.explore },
  mp3_chart: { to: '/charts', text: texts.charts },
  mp3_latest: { to: '/newRelease', text: texts.newReleases },
}
