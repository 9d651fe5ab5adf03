import type { corrections } from '@dubplate/contract'
import { create } from 'zustand'
import { ApiError } from '../../platform/api.ts'
import { editSong, readAgain, type Song } from './songDeeds.ts'
import { changeOf, FIELD_NAMES, type TypedField } from './songFields.ts'
import * as texts from './texts.ts'

/** How the last save of a value stands; what was typed stays until it is saved or given up. */
export type CellState =
  | { state: 'saving'; typed: string }
  | { state: 'saved' }
  | { state: 'refused'; typed: string; message: string }

type Store = {
  /** By `12.title`. */
  cells: Record<string, CellState>
  /** The last value that was saved one by one, for the line that takes it back. */
  last: { entity_id: number; title: string; what: string; song_edit_id: number } | undefined
}

export const useCells = create<Store>(() => ({ cells: {}, last: undefined }))

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

/** Somebody changed the song: what they wrote is shown, what was typed here stays and can be saved on top. */
const MEANWHILE = texts.someoneElseChangedThisSong

type Save = {
  song: Pick<Song, 'entity_id' | 'title'>
  /** The name of the value within its song: `title`, `version.12.name`. */
  what: string
  /** What it is called in the line that says so. */
  name: string
  typed: string
  wish: Parameters<typeof editSong>[1]
}

/** Saves one value at once; its state is seen where it stands. Answers whether it is saved. */
export async function saveCell({ song, what, name, typed, wish }: Save): Promise<boolean> {
  const key = cellKey(song.entity_id, what)
  setCell(key, { state: 'saving', typed })
  try {
    const { song_edit_id, song: now } = await editSong(song.entity_id, wish)
    showSaved(key)
    if (song_edit_id !== null)
      useCells.setState({ last: { entity_id: song.entity_id, title: now.title, what: name, song_edit_id } })
    return true
  } catch (error) {
    const isStale = error instanceof ApiError && error.code === 'conflict'
    if (isStale) await readAgain(song.entity_id)
    const message = isStale ? MEANWHILE : error instanceof Error ? error.message : texts.couldntSaveYourChangesTry
    setCell(key, { state: 'refused', typed, message })
    return false
  }
}

/** Saves what was typed into a field of a song. */
export const saveField = (song: Song, field: TypedField, typed: string): Promise<boolean> =>
  saveCell({ song, what: field, name: FIELD_NAMES[field], typed, wish: { change: changeOf(field, typed) } })

/** Saves a choice: the section or the genres of a song. */
export const saveChoice = (
  song: Song,
  field: 'song_section_id' | 'genres',
  change: corrections.SongChange,
): Promise<boolean> => saveCell({ song, what: field, name: FIELD_NAMES[field], typed: '', wish: { change } })
