import type { catalogue } from '@dubplate/contract'
import { create } from 'zustand'
import type { ListOwner } from './listOwner.ts'

/** A list of songs on screen. */
export type VisibleList = { id: string; songs: catalogue.Song[]; owner?: ListOwner | undefined }

/** The ids of the selected rows, and the anchor of a range. */
export type Selection = { ids: ReadonlySet<number>; anchor: number | undefined }

export const NO_SELECTION: Selection = { ids: new Set(), anchor: undefined }

/** The selected rows: in one list at a time. How they change is in rowSelectionChanges.ts. */
export const useRowSelection = create<Selection & { list: VisibleList | undefined }>(() => ({
  ...NO_SELECTION,
  list: undefined,
}))

const { getState: now, setState } = useRowSelection

export const isSelectedIn = (list: string, id: number) => (state: ReturnType<typeof now>) =>
  state.list?.id === list && state.ids.has(id)

export const isSelecting = (list: string) => now().list?.id === list && now().ids.size > 0

/** The selected songs in list order. */
export const songsOf = ({ ids, list }: ReturnType<typeof now>): catalogue.Song[] =>
  list?.songs.filter(({ entity_id }) => ids.has(entity_id)) ?? []

export const clearSelection = () => setState({ ...NO_SELECTION, list: undefined })
