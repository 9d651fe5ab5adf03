import {
  IconBasket,
  IconCompass,
  IconHeart,
  IconSearch,
  IconSparkles,
  IconWaveSine,
  type TablerIcon,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'

export type Section = { to: LinkProps['to']; text: string; icon: TablerIcon }

/** The navigation, in groups. */
export const GROUPS: { title?: string; sections: Section[] }[] = [
  {
    sections: [
      { to: '/', text: 'Explore', icon: IconCompass },
      { to: '/newRelease', text: 'New releases', icon: IconSparkles },
      { to: '/genres/index', text: 'Genres', icon: IconWaveSine },
    ],
  },
  {
    title: 'Your library',
    sections: [
      { to: '/crate', text: 'Crate', icon: IconBasket },
      { to: '/favourite-songs', text: 'Favourites', icon: IconHeart },
    ],
  },
]

/** What the thumb reaches on a phone. */
export const TABS: Section[] = [
  { to: '/', text: 'Explore', icon: IconCompass },
  { to: '/newRelease', text: 'New', icon: IconSparkles },
  { to: '/search/result/{-$term}', text: 'Search', icon: IconSearch },
  { to: '/crate', text: 'Crate', icon: IconBasket },
  { to: '/favourite-songs', text: 'Favourites', icon: IconHeart },
]
