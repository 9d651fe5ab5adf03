import type { catalogue } from '@dubplate/contract'
import { create } from 'zustand'
import type { Point } from '../ui/Menu.tsx'
import type { ListOwner } from './listOwner.ts'

type PlayVersion = (version: catalogue.Version) => void

type MenuOptions = {
  point?: Point | undefined
  owner?: ListOwner | undefined
  /** Plays a version with the rest of its list after it. */
  onPlay?: PlayVersion
  /** Selects the row of the song. */
  onSelect?: () => void
}

export type OpenMenu = { song: catalogue.Song; at: Point; opener: HTMLElement } & Omit<MenuOptions, 'point'>
export type OpenVersions = Pick<OpenMenu, 'song' | 'at' | 'opener' | 'onPlay'>

/** Loads the menu's code. Hovering a row preloads it. */
export const loadSongMenu = () => import('./SongMenuItems.tsx')

/** The open song menu or list of versions (only one at a time): its song and its position. */
export const useSongMenu = create<{ open: OpenMenu | null; versions: OpenVersions | null }>(() => ({
  open: null,
  versions: null,
}))

const below = (opener: HTMLElement): Point => {
  const { left, bottom } = opener.getBoundingClientRect()
  return { x: left, y: bottom + 4 }
}

/** Opens the menu of a song: at a right-clicked point, or under its button, which also closes it. */
export function openSongMenu(song: catalogue.Song, opener: HTMLElement, { point, ...options }: MenuOptions = {}) {
  if (!point && useSongMenu.getState().open?.opener === opener) return closeSongMenu()
  useSongMenu.setState({ open: { song, opener, ...options, at: point ?? below(opener) }, versions: null })
}

/** Opens the list of all versions of a song under a button, which also closes it. */
export function openVersions(song: catalogue.Song, opener: HTMLElement, onPlay: PlayVersion | undefined) {
  if (useSongMenu.getState().versions?.opener === opener) return closeSongMenu()
  useSongMenu.setState({ open: null, versions: { song, opener, at: below(opener), ...(onPlay && { onPlay }) } })
}

export const closeSongMenu = () => useSongMenu.setState({ open: null, versions: null })
