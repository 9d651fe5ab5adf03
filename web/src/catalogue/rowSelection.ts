import type { catalogue } from '@dubplate/contract'
import { create } from 'zustand'
import type { ListOwner } from './listOwner.ts'

/** A list of songs on screen. */
export type ShownList = { id: string; songs: catalogue.Song[]; owner?: ListOwner | undefined }

/** Which rows are selected, as ids, and the one a range is counted from. */
export type Selection = { ids: ReadonlySet<number>; anchor: number | undefined }

export const NOTHING: Selection = { ids: new Set(), anchor: undefined }

export const only = (id: number): Selection => ({ ids: new Set([id]), anchor: id })

export function toggled({ ids }: Selection, id: number): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next.size ? { ids: next, anchor: id } : NOTHING
}

/** From the anchor to this row, whatever was selected before; without an anchor in the list, this row alone. */
export function rangeTo({ anchor }: Selection, order: readonly number[], id: number): Selection {
  const [from, to] = [order.indexOf(anchor ?? id), order.indexOf(id)]
  if (from < 0 || to < 0) return only(id)
  return { ids: new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1)), anchor: order[from] }
}

export const everyRow = (order: readonly number[]): Selection =>
  order.length ? { ids: new Set(order), anchor: order[0] } : NOTHING

/** What is left of a selection when the list shows other songs: what is not on screen is not selected. */
export function keptOf({ ids, anchor }: Selection, order: readonly number[]): Selection {
  const kept = order.filter((id) => ids.has(id))
  if (kept.length === 0) return NOTHING
  return { ids: new Set(kept), anchor: anchor && order.includes(anchor) ? anchor : kept[0] }
}

/** The rows that are selected now: in one list at a time. */
export const useRowSelection = create<Selection & { list: ShownList | undefined }>(() => ({
  ...NOTHING,
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

export const orderOf = ({ songs }: ShownList): number[] => songs.map(({ entity_id }) => entity_id)

/** Selects in a list; what was selected in another one is let go. */
function change(list: ShownList, how: (before: Selection) => Selection) {
  const next = how(isIn(list.id) ? now() : NOTHING)
  setState({ ...next, list: next.ids.size ? list : undefined })
}

export const selectOnly = (list: ShownList, id: number) => change(list, () => only(id))
export const toggleRow = (list: ShownList, id: number) => change(list, (before) => toggled(before, id))
export const selectAll = (list: ShownList) => change(list, () => everyRow(orderOf(list)))

/** Selects from the anchor, or else from `start`, to a row. */
export const selectTo = (list: ShownList, id: number, start = id) =>
  change(list, (before) => rangeTo({ ...before, anchor: before.anchor ?? start }, orderOf(list), id))

export const clearSelection = () => setState({ ...NOTHING, list: undefined })

/** The list shows other songs now, or none any more. */
export function followList(list: ShownList) {
  if (isIn(list.id)) change(list, (before) => keptOf(before, orderOf(list)))
}
