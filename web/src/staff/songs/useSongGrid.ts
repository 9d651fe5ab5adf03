import { useNavigate } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import type { GridCell, TableGrid } from '../../admin/useTableGrid.ts'
import { cancelEditing, cellKey, dropCell, finishEditing, saveChoice, startEditing, useCells } from './cellStates.ts'
import { SongCell } from './SongCell.tsx'
import { clearSelection, select, selectRow, useSelection } from './selection.ts'
import type { Song } from './songActions.ts'
import { isTextField, type TextField } from './songFields.ts'

/** Whether a key types a character: it starts editing the cell with it. */
const isCharacter = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey

type Options = {
  songs: readonly Song[]
  /** Opens the side panel of a song. */
  onOpen: (song: Song) => void
  /** Closes the side panel; undefined if none is open. */
  onClose: (() => void) | undefined
  onEditGenres: (song: Song) => void
}

/**
 * The songs table as a spreadsheet: Enter, F2 or typing edits a cell, Escape cancels; Space, and Shift with an arrow,
 * select rows.
 */
export function useSongGrid({ songs, onOpen, onClose, onEditGenres }: Options): TableGrid<Song> {
  const navigate = useNavigate()

  /** What Enter does. */
  const begin = (song: Song, column: string) => {
    if (isTextField(column)) startEditing(song, column)
    else if (column === 'genres') onEditGenres(song)
    else if (column === 'song_section_id')
      void saveChoice(song, column, { song_section_id: song.song_section_id === 1 ? 2 : 1 })
    else if (column === 'select') selectRow(songs, song.entity_id, { isRange: false })
    else if (column === 'status' || column === 'open')
      void navigate({ to: '/staff/songs/$entityId', params: { entityId: song.entity_id } })
    else onOpen(song)
  }

  const cancel = (song: Song, column: string) => {
    const key = cellKey(song.entity_id, column)
    if (useCells.getState().cells[key]?.state === 'refused') dropCell(key)
    else if (onClose) onClose()
    else clearSelection()
  }

  /** Shift and an arrow: also selects the next row. */
  const extendSelection = ({ row: song, move }: GridCell<Song>, step: number) => {
    if (useSelection.getState().anchor === undefined) selectRow(songs, song.entity_id, { isRange: false })
    const next = songs[songs.indexOf(song) + step]
    if (next) selectRow(songs, next.entity_id, { isRange: true })
    move(step, 0)
  }

  const handleKey = (event: KeyboardEvent, cell: GridCell<Song>): boolean => {
    const { key, shiftKey } = event
    const { row: song, column, move } = cell
    const isCommand = event.ctrlKey || event.metaKey
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (shiftKey && step) extendSelection(cell, step)
    else if (key === 'Enter' && isCommand) onOpen(song)
    else if (key === 'Enter' || key === 'F2') begin(song, column)
    else if (key === ' ') {
      selectRow(songs, song.entity_id, { isRange: shiftKey })
      move(0, 0)
    } else if (isCommand && key.toLowerCase() === 'a') select(songs, true)
    else if (key === 'Escape') cancel(song, column)
    else if ((key === 'Delete' || key === 'Backspace') && isTextField(column)) finishEditing(song, column, '')
    else if (isCharacter(event) && isTextField(column)) startEditing(song, column, key)
    else return false
    return true
  }

  return {
    Cell: SongCell,
    onKey: (event, cell) => {
      const { row, column, element } = cell
      if (event.target === element) return handleKey(event, cell)
      return event.target instanceof HTMLInputElement && isTextField(column)
        ? handleEditorKey(event, { ...cell, column, text: event.target.value, row })
        : false
    },
    onClick: (event, { row, column }) => {
      const { target, shiftKey, ctrlKey, metaKey } = event
      const isModified = shiftKey || ctrlKey || metaKey
      if (target instanceof HTMLInputElement) return
      if ((target as Element).closest('a')) {
        if (isModified) return
        event.preventDefault()
        begin(row, column)
      } else if (column === 'select' || isModified) selectRow(songs, row.entity_id, { isRange: shiftKey })
      else if ((target as Element).closest('button')) onOpen(row)
    },
    onDoubleClick: (_, { row, column }) => {
      if (isTextField(column) || column === 'genres') begin(row, column)
    },
  }
}

type Editor = GridCell<Song> & { column: TextField; text: string }

/** Keys in the input of a cell: Enter and Tab save and move on, as in a spreadsheet. */
function handleEditorKey({ key, shiftKey, nativeEvent }: KeyboardEvent, { row, column, text, move }: Editor): boolean {
  if (nativeEvent.isComposing) return false
  const step = shiftKey ? -1 : 1
  if (key === 'Escape') cancelEditing(row, column)
  else if (key === 'Enter' || key === 'Tab') finishEditing(row, column, text)
  else return false
  move(key === 'Enter' ? step : 0, key === 'Tab' ? step : 0)
  return true
}
