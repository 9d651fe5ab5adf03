import type { catalogue } from '@dubplate/contract'
import type { ComponentType, ReactNode } from 'react'

/** One more thing that can be done with songs where they are shown. */
export type OwnAction = { text: string; icon: ReactNode; run: (songs: catalogue.Song[]) => void }

/** Whose songs a list shows, where that changes what its rows can do: a playlist. It must stay the same object. */
export type ListOwner = {
  /** What is played from here counts for this playlist. */
  playlist_id: number
  /** Stands before the number of a row: the handle to move it by. */
  Handle?: ComponentType<{ song: catalogue.Song }> | undefined
  /** More for the menu of one row. */
  songActions?: readonly OwnAction[] | undefined
  /** More for the bar of the selection. */
  selectionActions?: readonly OwnAction[] | undefined
}
