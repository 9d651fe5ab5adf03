import type { catalogue } from '@dubplate/contract'
import { create } from 'zustand'
import type { Point } from '../ui/Menu.tsx'

type OpenMenu = { song: catalogue.Song; at: Point; opener: HTMLElement }

/** The one menu of songs: whose it is and where it stands, while it is open. */
export const useSongMenu = create<{ open: OpenMenu | null }>(() => ({ open: null }))

/** Opens the menu of a song: at a point that was right-clicked, or under its button, which also closes it again. */
export function openSongMenu(song: catalogue.Song, opener: HTMLElement, point?: Point) {
  if (!point && useSongMenu.getState().open?.opener === opener) return closeSongMenu()
  const { left, bottom } = opener.getBoundingClientRect()
  useSongMenu.setState({ open: { song, opener, at: point ?? { x: left, y: bottom } } })
}

export const closeSongMenu = () => useSongMenu.setState({ open: null })
