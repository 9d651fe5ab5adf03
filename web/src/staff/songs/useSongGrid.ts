import { useNavigate } from '@tanstack/react-router'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { usePreferences } from '../../platform/preferences.ts'
import { cellKey, dropCell, saveChoice, saveField, useCells } from './cellStates.ts'
import { COLUMNS, type Column } from './columns.ts'
import { isWriting, placeAfter } from './gridKeys.ts'
import { clearSelection, select, selectRow, useSelection } from './selection.ts'
import type { Song } from './songDeeds.ts'
import { displayValue, isTextField } from './songFields.ts'

export type Editing = { column: Column; text: string; isMarked: boolean }
/** Where the focus moves after a cell is saved, as in a spreadsheet. */
export type Onwards = 'down' | 'up' | 'next' | 'before' | 'stay'

type At = { cell: HTMLElement; entity_id: number; column: Column; col: number }

/** The cell of an event's target. */
function cellOf(target: EventTarget | null): At | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td[data-column]') : null
  const row = cell?.closest<HTMLElement>('tr[data-song]')
  if (!cell || !row) return undefined
  const column = cell.dataset.column as Column
  return { cell, entity_id: Number(row.dataset.song), column, col: COLUMNS.indexOf(column) }
}

const OWN_PRESS = 'input:not([type=checkbox]), a, select'

/**
 * Handles keys and clicks of the song table: which cell Tab reaches, which one is being edited, and which row is open.
 */
export function useSongGrid(songs: readonly Song[], table: RefObject<HTMLTableElement | null>) {
  const [active, setActive] = useState<{ entity_id: number; col: number }>()
  const [editing, setEditing] = useState<{ entity_id: number; editing: Editing }>()
  const [open, setOpen] = useState<number>()
  const [genresOf, setGenresOf] = useState<Song>()
  const notation = usePreferences((preferences) => preferences.notation)
  const navigate = useNavigate()
  const songOf = (at: At | undefined) => songs.find(({ entity_id }) => entity_id === at?.entity_id)

  const focusAt = (row: number, col: number) => {
    const rows = table.current?.querySelectorAll<HTMLElement>('tr[data-song]') ?? []
    const cell = rows[Math.max(0, Math.min(row, rows.length - 1))]?.querySelectorAll<HTMLElement>('td')[col]
    cell?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  const edit = (song: Song, column: Column, typed?: string) => {
    if (!isTextField(column)) return
    const state = useCells.getState().cells[cellKey(song.entity_id, column)]
    const kept = state && state.state !== 'saved' ? state.typed : displayValue(song, column, notation)
    const text = typed ?? kept
    setEditing({ entity_id: song.entity_id, editing: { column, text, isMarked: typed === undefined } })
  }

  /** The action of Enter on a cell. */
  const begin = (song: Song, column: Column) => {
    const { entity_id, song_section_id } = song
    if (column === 'versions') setOpen(open === entity_id ? undefined : entity_id)
    else if (column === 'genres') setGenresOf(song)
    else if (column === 'song_section_id')
      void saveChoice(song, column, { song_section_id: song_section_id === 1 ? 2 : 1 })
    else if (column === 'select') selectRow(songs, entity_id, { isRange: false })
    else if (isTextField(column)) edit(song, column)
    else void navigate({ to: '/staff/songs/$entityId', params: { entityId: entity_id } })
  }

  /** Shows the edited cell again. */
  const endEditing = ({ entity_id }: Song, column: Column) => {
    flushSync(() => setEditing(undefined))
    return table.current?.querySelector<HTMLElement>(`tr[data-song="${entity_id}"] td[data-column="${column}"]`)
  }

  const send = (song: Song, column: Column, text: string) => {
    if (!isTextField(column)) return
    if (text.trim() === displayValue(song, column, notation)) dropCell(cellKey(song.entity_id, column))
    else void saveField(song, column, text)
  }

  const save = (song: Song, column: Column, text: string, by: Onwards) => {
    const cell = endEditing(song, column)
    const isElsewhere = by === 'stay' && document.activeElement !== document.body
    if (!isElsewhere) cell?.focus({ preventScroll: true })
    const row = songs.findIndex(({ entity_id }) => entity_id === song.entity_id)
    const col = COLUMNS.indexOf(column)
    if (by === 'down' || by === 'up') focusAt(row + (by === 'down' ? 1 : -1), col)
    if (by === 'next' || by === 'before') focusAt(row, by === 'next' ? col + 1 : col - 1)
    send(song, column, text)
  }

  const cancel = (song: Song, column: Column) => {
    endEditing(song, column)?.focus({ preventScroll: true })
    dropCell(cellKey(song.entity_id, column))
  }

  const giveUp = (song: Song, column: Column) => {
    const key = cellKey(song.entity_id, column)
    if (useCells.getState().cells[key]?.state === 'refused') dropCell(key)
    else if (open === song.entity_id) setOpen(undefined)
    else clearSelection()
  }

  /** Shift and an arrow: also selects the next row. */
  const extend = (song: Song, row: number, col: number) => {
    if (useSelection.getState().anchor === undefined) selectRow(songs, song.entity_id, { isRange: false })
    const to = songs[row]
    if (!to) return
    selectRow(songs, to.entity_id, { isRange: true })
    focusAt(row, col)
  }

  /** Returns true when the key did something. */
  const answer = (event: KeyboardEvent, song: Song, { column, col }: At): boolean => {
    const row = songs.indexOf(song)
    const { key, shiftKey } = event
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (shiftKey && step !== undefined) {
      extend(song, row + step, col)
      return true
    }
    const place = placeAfter({ row, col }, event, { rows: songs.length, cols: COLUMNS.length })
    if (place) focusAt(place.row, place.col)
    else if (key === 'Enter' || key === 'F2') begin(song, column)
    else if (key === ' ') {
      selectRow(songs, song.entity_id, { isRange: shiftKey })
      focusAt(row, col)
    } else if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'a') select(songs, true)
    else if (key === 'Escape') giveUp(song, column)
    else if ((key === 'Delete' || key === 'Backspace') && isTextField(column)) send(song, column, '')
    else if (isWriting(event) && isTextField(column)) edit(song, column, key)
    else return false
    return true
  }

  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    const at = cellOf(event.target)
    const song = songOf(at)
    if (!at || !song || event.target !== at.cell || event.altKey || !answer(event, song, at)) return
    // The player's shortcuts with the same keys are disabled while a cell has the focus.
    event.preventDefault()
    event.stopPropagation()
  }

  const focused = (event: FocusEvent) => {
    const at = cellOf(event.target)
    if (at && event.target === at.cell) setActive({ entity_id: at.entity_id, col: at.col })
  }

  /** Selects a range without selecting the text of the table. */
  const pressRow = (event: MouseEvent) => {
    if (event.shiftKey && cellOf(event.target)) event.preventDefault()
  }

  const click = (event: MouseEvent) => {
    const at = cellOf(event.target)
    const song = songOf(at)
    const isItsOwn = event.target instanceof Element && event.target.closest(OWN_PRESS) !== null
    if (!at || !song || isItsOwn) return
    at.cell.focus({ preventScroll: true })
    if (at.column === 'select' || event.shiftKey || event.ctrlKey || event.metaKey)
      selectRow(songs, song.entity_id, { isRange: event.shiftKey })
    else if (at.column === 'versions') begin(song, at.column)
  }

  const doubleClick = (event: MouseEvent) => {
    const at = cellOf(event.target)
    const song = songOf(at)
    if (at && song && (isTextField(at.column) || at.column === 'genres')) begin(song, at.column)
  }

  return {
    ...{ active, editing, open, genresOf, closeGenres: () => setGenresOf(undefined) },
    ...{ onSave: useStable(save), onCancel: useStable(cancel) },
    handlers: {
      ...{ onKeyDown: press, onFocus: focused, onMouseDown: pressRow, onClick: click, onDoubleClick: doubleClick },
    },
  }
}

/**
 * Returns a function with a stable identity that calls the newest version of `does`, so that unchanged rows do not
 * render again.
 */
function useStable<Args extends unknown[]>(does: (...args: Args) => void): (...args: Args) => void {
  const newest = useRef(does)
  useLayoutEffect(() => {
    newest.current = does
  })
  return useCallback((...args: Args) => newest.current(...args), [])
}
