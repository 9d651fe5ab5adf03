import { create } from 'zustand'
import * as texts from './texts.ts'

/**
 * The columns that can be chosen, in the order they are drawn: their width, and the list width from which they are
 * shown unless switched off. Those without that width are shown only when chosen.
 */
export const COLUMNS = [
  { name: 'wave', width: 120, from: 1280 },
  { name: 'genre', width: 92, from: 1040 },
  { name: 'label', width: 112, from: undefined },
  { name: 'length', width: 40, from: undefined },
  { name: 'plays', width: 52, from: undefined },
  { name: 'date', width: 52, from: 960 },
] as const
export type Column = (typeof COLUMNS)[number]['name']

export const COLUMN_NAMES: Record<Column, string> = {
  wave: texts.waveform,
  genre: texts.genre,
  label: texts.label,
  length: texts.length,
  plays: texts.plays,
  date: texts.columnAdded,
}

type Density = 'comfortable' | 'compact'

export const KEYS = { toggled: 'dubplate.columns', density: 'dubplate.density' }

export type ListView = { /** Columns that differ from the default. */ toggled: Column[]; density: Density }

function readView(): ListView {
  try {
    const toggled = localStorage.getItem(KEYS.toggled)?.split(' ') ?? []
    return {
      toggled: COLUMNS.map(({ name }) => name).filter((name) => toggled.includes(name)),
      density: localStorage.getItem(KEYS.density) === 'compact' ? 'compact' : 'comfortable',
    }
  } catch {
    return { toggled: [], density: 'comfortable' }
  }
}

/** How song lists look in this browser: their columns and the height of their rows. */
export const useListView = create<ListView>(readView)

/** Whether a column is switched on, although the list may be too narrow for it. */
export const isChosen = ({ name, from }: (typeof COLUMNS)[number], toggled: readonly Column[]) =>
  (from !== undefined) !== toggled.includes(name)

// A choice made in one tab applies in the others.
addEventListener('storage', ({ key }) => {
  if (key === KEYS.toggled || key === KEYS.density) useListView.setState(readView())
})
