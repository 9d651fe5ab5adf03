import type { corrections } from '@dubplate/contract'
import { create } from 'zustand'
import { ApiError } from '../../platform/api.ts'
import { usePreferences } from '../../platform/preferences.ts'
import { editSong, reloadSong, type Song } from './songActions.ts'
import { displayValue, FIELD_NAMES, type TextField, textChange } from './songFields.ts'
import * as texts from './texts.ts'

/** State of the last save of a value; what was typed is kept until it is saved or discarded. */
export type CellState =
  | { state: 'saving'; typed: string }
  | { state: 'saved' }
  | { state: 'refused'; typed: string; message: string }

/** The cell that is being edited, and the text its input starts with. */
export type Editing = {
  entity_id: number
  column: TextField
  text: string
  /** The text is the first typed character, and not the value. */
  isReplacing: boolean
}

type Store = {
  editing: Editing | undefined
  /** Keyed by `12.title`. */
  cells: Record<string, CellState>
  /** The last value that was saved on its own, for the undo line. */
  last: { entity_id: number; title: string; what: string; song_edit_id: number } | undefined
}

export const useCells = create<Store>(() => ({ editing: undefined, cells: {}, last: undefined }))

export const cellKey = (entityId: number, what: string): string => `${entityId}.${what}`

const SAVED_SHOWN_MS = 2500

function setCell(key: string, state: CellState | undefined) {
  useCells.setState(({ cells: { [key]: _, ...cells } }) => ({ cells: state ? { ...cells, [key]: state } : cells }))
}

export const dropCell = (key: string) => setCell(key, undefined)

function showSaved(key: string) {
  const saved: CellState = { state: 'saved' }
  setCell(key, saved)
  setTimeout(() => useCells.getState().cells[key] === saved && dropCell(key), SAVED_SHOWN_MS)
}

type Save = {
  song: Pick<Song, 'entity_id' | 'title'>
  /** The key of the value within its song: `title`, `version.12.name`. */
  what: string
  /** Its name in messages. */
  name: string
  typed: string
  change: Parameters<typeof editSong>[1]
}

/** Saves one value at once and shows the state at the value. Resolves to whether it was saved. */
export async function saveCell({ song, what, name, typed, change }: Save): Promise<boolean> {
  const key = cellKey(song.entity_id, what)
  setCell(key, { state: 'saving', typed })
  try {
    const { song_edit_id, song: now } = await editSong(song.entity_id, change)
    showSaved(key)
    if (song_edit_id !== null)
      useCells.setState({ last: { entity_id: song.entity_id, title: now.title, what: name, song_edit_id } })
    return true
  } catch (error) {
    const isStale = error instanceof ApiError && error.code === 'conflict'
    if (isStale) await reloadSong(song.entity_id)
    const message = isStale
      ? texts.someoneElseChangedThisSong
      : error instanceof Error
        ? error.message
        : texts.couldntSaveYourChangesTry
    setCell(key, { state: 'refused', typed, message })
    return false
  }
}

/** Saves a text field of a song. */
const saveField = (song: Song, field: TextField, typed: string): Promise<boolean> =>
  saveCell({ song, what: field, name: FIELD_NAMES[field], typed, change: { change: textChange(field, typed) } })

/** Saves the section or the genres of a song. */
export const saveChoice = (
  song: Song,
  field: 'song_section_id' | 'genres',
  change: corrections.SongChange,
): Promise<boolean> => saveCell({ song, what: field, name: FIELD_NAMES[field], typed: '', change: { change } })

/** The stored value of a field, as it is typed. */
const storedText = (song: Song, field: TextField) => displayValue(song, field, usePreferences.getState().notation)

/** Opens the input over a cell: with what was typed and refused before, or else with its value. */
export function startEditing(song: Song, column: TextField, firstCharacter?: string): void {
  const state = useCells.getState().cells[cellKey(song.entity_id, column)]
  const kept = state && state.state !== 'saved' ? state.typed : storedText(song, column)
  const text = firstCharacter ?? kept
  useCells.setState({ editing: { entity_id: song.entity_id, column, text, isReplacing: firstCharacter !== undefined } })
}

/** Closes the input and saves its text, if it is not the stored value. */
export function finishEditing(song: Song, column: TextField, text: string): void {
  useCells.setState({ editing: undefined })
  if (text.trim() === storedText(song, column)) dropCell(cellKey(song.entity_id, column))
  else void saveField(song, column, text)
}

export function cancelEditing({ entity_id }: Song, column: TextField): void {
  useCells.setState({ editing: undefined })
  dropCell(cellKey(entity_id, column))
}
