import type { catalogue } from '@dubplate/contract'
import type { ComponentType, ReactNode } from 'react'

/** An additional action for the songs of a list. */
type OwnAction = { text: string; icon: ReactNode; run: (songs: catalogue.Song[]) => void }

/** The owner of a list whose rows have additional actions: a playlist. Must keep its object identity. */
export type ListOwner = {
  /** Plays started from this list count for this playlist. */
  playlist_id: number
  /** Shown before the number of a row: its drag handle. */
  Handle?: ComponentType<{ song: catalogue.Song; tabIndex: number }> | undefined
  /** Additional actions in the menu of a row. */
  songActions?: readonly OwnAction[] | undefined
  /** Additional actions in the selection bar. */
  selectionActions?: readonly OwnAction[] | undefined
}
