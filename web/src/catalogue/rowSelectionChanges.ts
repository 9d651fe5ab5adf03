import { NO_SELECTION, type Selection, useRowSelection, type VisibleList } from './rowSelection.ts'

export const only = (id: number): Selection => ({ ids: new Set([id]), anchor: id })

export function toggleSelection({ ids }: Selection, id: number): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next.size ? { ids: next, anchor: id } : NO_SELECTION
}

/**
 * Selects from the anchor to this row and replaces the previous selection; without an anchor in the list, only this
 * row.
 */
export function selectRange({ anchor }: Selection, order: readonly number[], id: number): Selection {
  const [from, to] = [order.indexOf(anchor ?? id), order.indexOf(id)]
  if (from < 0 || to < 0) return only(id)
  return { ids: new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1)), anchor: order[from] }
}

export const selectAllRows = (order: readonly number[]): Selection =>
  order.length ? { ids: new Set(order), anchor: order[0] } : NO_SELECTION

/** Removes songs from the selection that the list no longer shows. */
export function pruneSelection({ ids, anchor }: Selection, order: readonly number[]): Selection {
  const remainingIds = order.filter((id) => ids.has(id))
  if (remainingIds.length === 0) return NO_SELECTION
  return { ids: new Set(remainingIds), anchor: anchor && order.includes(anchor) ? anchor : remainingIds[0] }
}

const { getState: now, setState } = useRowSelection

const isIn = (list: string) => now().list?.id === list

export const orderOf = ({ songs }: VisibleList): number[] => songs.map(({ entity_id }) => entity_id)

/** Changes the selection of a list; a selection in another list is cleared. */
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

/** Updates the selection when a list shows other songs or none. */
export function trackList(list: VisibleList) {
  if (isIn(list.id)) change(list, (before) => pruneSelection(before, orderOf(list)))
}
