import type { catalogue } from '@dubplate/contract'
import { create } from 'zustand'
import type { Point } from '../ui/Menu.tsx'
import type { ListOwner } from './listOwner.ts'

export type OpenMenu = { song: catalogue.Song; at: Point; opener: HTMLElement; owner?: ListOwner | undefined }

/** Loads the menu's code. Hovering a row preloads it. */
export const loadSongMenu = () => import('./SongMenuItems.tsx')

/** The open song menu (only one at a time): its song and its position. */
export const useSongMenu = create<{ open: OpenMenu | null }>(() => ({ open: null }))

type MenuPlacement = { point?: Point | undefined; owner?: ListOwner | undefined }

/** Opens the menu of a song: at a right-clicked point, or under its button, which also closes it. */
export function openSongMenu(song: catalogue.Song, opener: HTMLElement, { point, owner }: MenuPlacement = {}) {
  if (!point && useSongMenu.getState().open?.opener === opener) return closeSongMenu()
  const { left, bottom } = opener.getBoundingClientRect()
  useSongMenu.setState({ open: { song, opener, owner, at: point ?? { x: left, y: bottom } } })
}

export const closeSongMenu = () => useSongMenu.setState({ open: null })
