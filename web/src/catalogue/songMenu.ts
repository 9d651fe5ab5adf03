import type { catalogue } from '@dubplate/contract'
import { create } from 'zustand'
import type { Point } from '../ui/Menu.tsx'
import type { ListOwner } from './listOwner.ts'

export type OpenMenu = { song: catalogue.Song; at: Point; opener: HTMLElement; owner?: ListOwner | undefined }

/** The menu's code. A row that is pointed at fetches it, so that it is there when the menu is asked for. */
export const loadSongMenu = () => import('./SongMenuItems.tsx')

/** The one menu of songs: whose it is and where it stands, while it is open. */
export const useSongMenu = create<{ open: OpenMenu | null }>(() => ({ open: null }))

type MenuPlacement = { point?: Point | undefined; owner?: ListOwner | undefined }

/** Opens the menu of a song: at a point that was right-clicked, or under its button, which also closes it again. */
export function openSongMenu(song: catalogue.Song, opener: HTMLElement, { point, owner }: MenuPlacement = {}) {
  if (!point && useSongMenu.getState().open?.opener === opener) return closeSongMenu()
  const { left, bottom } = opener.getBoundingClientRect()
  useSongMenu.setState({ open: { song, opener, owner, at: point ?? { x: left, y: bottom } } })
}

export const closeSongMenu = () => useSongMenu.setState({ open: null })
