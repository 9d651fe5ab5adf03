import { create } from 'zustand'
import * as texts from './texts.ts'

/**
 * The columns that can be chosen, in the order they are drawn: their width, and the list width from which they are
 * shown when nothing was chosen. Those without that width are shown only when chosen.
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

export const KEYS = { chosen: 'dubplate.list-columns', density: 'dubplate.density' }

/** The columns that were switched on or off; the others depend on the width of the list. */
export type ChosenColumns = Partial<Record<Column, boolean>>
export type ListView = { chosen: ChosenColumns; density: Density }

/** Off is written with a hyphen: `genre -date`. */
export const columnsToText = (chosen: ChosenColumns): string =>
  Object.entries(chosen)
    .map(([name, isOn]) => (isOn ? name : `-${name}`))
    .join(' ')

function readColumns(text: string): ChosenColumns {
  const words = text.split(' ')
  const chosen: ChosenColumns = {}
  for (const { name } of COLUMNS) {
    if (words.includes(name)) chosen[name] = true
    else if (words.includes(`-${name}`)) chosen[name] = false
  }
  return chosen
}

function readView(): ListView {
  try {
    return {
      chosen: readColumns(localStorage.getItem(KEYS.chosen) ?? ''),
      density: localStorage.getItem(KEYS.density) === 'compact' ? 'compact' : 'comfortable',
    }
  } catch {
    return { chosen: {}, density: 'comfortable' }
  }
}

/** How song lists look in this browser: their columns and the height of their rows. */
export const useListView = create<ListView>(readView)

/** Whether a list of this width is to show a column, if there is room for it. */
export const isColumnOn = ({ name, from }: (typeof COLUMNS)[number], chosen: ChosenColumns, width: number): boolean =>
  chosen[name] ?? (from !== undefined && width >= from)

// A choice made in one tab applies in the others.
addEventListener('storage', ({ key }) => {
  if (key === KEYS.chosen || key === KEYS.density) useListView.setState(readView())
})
