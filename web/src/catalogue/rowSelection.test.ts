import type { catalogue } from '@dubplate/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { clearSelection, NO_SELECTION, songsOf, useRowSelection, type VisibleList } from './rowSelection.ts'
import {
  only,
  pruneSelection,
  selectAll,
  selectAllRows,
  selectOnly,
  selectRange,
  selectTo,
  toggleRow,
  toggleSelection,
  trackList,
} from './rowSelectionChanges.ts'

const ORDER = [11, 12, 13, 14, 15]
const idsOf = ({ ids }: { ids: ReadonlySet<number> }) => [...ids].sort((a, b) => a - b)

describe('selection', () => {
  test('toggles rows, and is empty after the last one is removed', () => {
    const two = toggleSelection(only(11), 14)
    expect(idsOf(two)).toEqual([11, 14])
    expect(idsOf(toggleSelection(two, 11))).toEqual([14])
    expect(toggleSelection(only(11), 11)).toEqual(NO_SELECTION)
  })

  test('extends from its anchor to a row, up or down, and can change direction', () => {
    const down = selectRange(only(13), ORDER, 15)
    expect(idsOf(down)).toEqual([13, 14, 15])
    expect(idsOf(selectRange(down, ORDER, 12))).toEqual([12, 13])
  })

  test('starts a range at the row that was toggled last', () => {
    expect(idsOf(selectRange(toggleSelection(only(11), 13), ORDER, 14))).toEqual([13, 14])
  })

  test('selects only the row itself when the anchor has disappeared', () => {
    expect(idsOf(selectRange(only(99), ORDER, 14))).toEqual([14])
  })

  test('selects nothing when everything in an empty list is selected', () => {
    expect(selectAllRows([])).toEqual(NO_SELECTION)
    expect(idsOf(selectAllRows(ORDER))).toEqual(ORDER)
  })

  test('keeps rows that are still on screen', () => {
    const three = { ids: new Set([11, 12, 15]), anchor: 11 }
    expect(idsOf(pruneSelection(three, [12, 15, 16]))).toEqual([12, 15])
    expect(pruneSelection(three, [12, 15, 16]).anchor).toBe(12)
    expect(pruneSelection(three, [21, 22])).toEqual(NO_SELECTION)
  })
})

describe('selected rows', () => {
  const listOf = (id: string, ids: number[]): VisibleList => ({
    id,
    songs: ids.map((entity_id) => ({ entity_id }) as catalogue.Song),
  })
  const first = listOf('first', ORDER)
  const selected = () => songsOf(useRowSelection.getState()).map(({ entity_id }) => entity_id)

  beforeEach(clearSelection)

  test('belong to one list at a time', () => {
    selectOnly(first, 12)
    toggleRow(listOf('second', [12, 21]), 12)
    expect(useRowSelection.getState().list?.id).toBe('second')
    toggleRow(first, 13)
    expect(selected()).toEqual([13])
  })

  test('are returned in list order, whatever order they were selected in', () => {
    for (const id of [15, 11, 13]) toggleRow(first, id)
    expect(selected()).toEqual([11, 13, 15])
  })

  test('start a range at the focused row when nothing is selected', () => {
    selectTo(first, 13, 12)
    expect(selected()).toEqual([12, 13])
  })

  test('are cleared when the list changes its page, and kept when the page is refetched', () => {
    selectAll(first)
    trackList(listOf('first', [12, 13]))
    expect(selected()).toEqual([12, 13])
    trackList(listOf('first', [31, 32]))
    expect(selected()).toEqual([])
    expect(useRowSelection.getState().list).toBeUndefined()
  })

  test('do not change when another list does', () => {
    selectAll(first)
    trackList(listOf('second', []))
    expect(selected()).toEqual(ORDER)
  })
})
