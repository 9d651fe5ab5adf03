import {
  IconBasket,
  IconBookmark,
  IconChartBar,
  IconDeviceLaptop,
  IconHeart,
  IconHistory,
  IconHome,
  IconPlaylist,
  IconSearch,
  IconSparkles,
  IconSpeakerphone,
  IconStack2,
  IconUser,
  IconVinyl,
  IconWaveSine,
  type TablerIcon,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import * as texts from './texts.ts'

export type Section = { to: LinkProps['to']; params?: LinkProps['params']; text: string; icon: TablerIcon }

/** The group of the member's own lists. */
export const YOUR_LIBRARY = texts.yourLibrary

/** The group that also links to the store and the back office. */
export const MORE = texts.more

/** The navigation, in groups. */
export const GROUPS: { title?: string; sections: Section[] }[] = [
  {
    sections: [
      { to: '/', text: texts.home, icon: IconHome },
      { to: '/charts', text: texts.charts, icon: IconChartBar },
      { to: '/newRelease', text: texts.newReleases, icon: IconSparkles },
      { to: '/genres/index', text: texts.genres, icon: IconWaveSine },
      { to: '/spotlight/index', text: texts.spotlights, icon: IconStack2 },
      { to: '/playlist', text: texts.playlists, icon: IconPlaylist },
    ],
  },
  {
    title: YOUR_LIBRARY,
    sections: [
      { to: '/library', text: texts.library, icon: IconVinyl },
      { to: '/crate', text: texts.crate, icon: IconBasket },
      { to: '/favourite-songs', text: texts.favourites, icon: IconHeart },
      { to: '/recentPlayed', text: texts.recentlyPlayed, icon: IconHistory },
      { to: '/dj-library', text: texts.djLibrary, icon: IconDeviceLaptop },
      { to: '/searches', text: texts.savedSearches, icon: IconBookmark },
    ],
  },
  {
    title: MORE,
    sections: [{ to: '/news', text: texts.whatsNews, icon: IconSpeakerphone }],
  },
]

/** A tab at the bottom of a phone, with the paths it also stands for. */
type Tab = Section & { paths: RegExp }

export const TABS: Tab[] = [
  { to: '/', text: texts.home, icon: IconHome, paths: /^\/(charts|newRelease|genres|spotlight|top20|song|news)/ },
  {
    to: '/search/result/{-$term}',
    // Without the reset, the term of the current search would be kept.
    params: { term: undefined },
    text: texts.search,
    icon: IconSearch,
    paths: /^\/search\//,
  },
  { to: '/crate', text: texts.crate, icon: IconBasket, paths: /^\/crate/ },
  {
    to: '/library',
    text: texts.library,
    icon: IconVinyl,
    paths: /^\/(library|playlist|favourite-songs|recentPlayed|searches|dj-library|uploads|download-rescue)/,
  },
  { to: '/account', text: texts.account, icon: IconUser, paths: /^\/(account|notices|subscription|support|ticket)/ },
]

/** The pages that can have announcements, by their names in the API. */
export const ANNOUNCED_PAGES: Record<string, { to: '/' | '/charts' | '/newRelease'; text: string }> = {
  mp3_home: { to: '/', text: texts.home },
  mp3_chart: { to: '/charts', text: texts.charts },
  mp3_latest: { to: '/newRelease', text: texts.newReleases },
}
