import type { catalogue } from '@dubplate/contract'
import { create } from 'zustand'
import type { ListOwner } from './listOwner.ts'

/** A list of songs on screen. */
export type VisibleList = { id: string; songs: catalogue.Song[]; owner?: ListOwner | undefined }

/** Which rows are selected, as ids, and the one a range is counted from. */
export type Selection = { ids: ReadonlySet<number>; anchor: number | undefined }

export const NO_SELECTION: Selection = { ids: new Set(), anchor: undefined }

export const only = (id: number): Selection => ({ ids: new Set([id]), anchor: id })

export function toggleSelection({ ids }: Selection, id: number): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next.size ? { ids: next, anchor: id } : NO_SELECTION
}

/** From the anchor to this row, whatever was selected before; without an anchor in the list, this row alone. */
export function selectRange({ anchor }: Selection, order: readonly number[], id: number): Selection {
  const [from, to] = [order.indexOf(anchor ?? id), order.indexOf(id)]
  if (from < 0 || to < 0) return only(id)
  return { ids: new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1)), anchor: order[from] }
}

export const selectAllRows = (order: readonly number[]): Selection =>
  order.length ? { ids: new Set(order), anchor: order[0] } : NO_SELECTION

/** What is left of a selection when the list shows other songs: what is not on screen is not selected. */
export function pruneSelection({ ids, anchor }: Selection, order: readonly number[]): Selection {
  const storedColumns = order.filter((id) => ids.has(id))
  if (storedColumns.length === 0) return NO_SELECTION
  return { ids: new Set(storedColumns), anchor: anchor && order.includes(anchor) ? anchor : storedColumns[0] }
}

/** The rows that are selected now: in one list at a time. */
export const useRowSelection = create<Selection & { list: VisibleList | undefined }>(() => ({
  ...NO_SELECTION,
  list: undefined,
}))

const { getState: now, setState } = useRowSelection

const isIn = (list: string) => now().list?.id === list

export const isSelectedIn = (list: string, id: number) => (state: ReturnType<typeof now>) =>
  state.list?.id === list && state.ids.has(id)

export const isSelecting = (list: string) => isIn(list) && now().ids.size > 0

/** The selected songs of a list, in its order. */
export const songsOf = ({ ids, list }: ReturnType<typeof now>): catalogue.Song[] =>
  list?.songs.filter(({ entity_id }) => ids.has(entity_id)) ?? []

export const orderOf = ({ songs }: VisibleList): number[] => songs.map(({ entity_id }) => entity_id)

/** Selects in a list; what was selected in another one is let go. */
function change(list: VisibleList, update: (before: Selection) => Selection) {
  const next = update(isIn(list.id) ? now() : NO_SELECTION)
  setState({ ...next, list: next.ids.size ? list : undefined })
}

export const selectOnly = (list: VisibleList, id: number) => change(list, () => only(id))
export const toggleRow = (list: VisibleList, id: number) => change(list, (before) => toggleSelection(before, id))
export const selectAll = (list: VisibleList) => change(list, () => selectAllRows(orderOf(list)))

/** Selects from the anchor, or else from `start`, to a row. */
export const selectTo = (list: VisibleList, id: number, start = id) =>
  change(list, (before) => selectRange({ ...before, anchor: before.anchor ?? start }, orderOf(list), id))

export const clearSelection = () => setState({ ...NO_SELECTION, list: undefined })

/** The list shows other songs now, or none any more. */
export function trackList(list: VisibleList) {
  if (isIn(list.id)) change(list, (before) => pruneSelection(before, orderOf(list)))
}
