import type { catalogue } from '@dubplate/contract'
import { downloadVersion } from '../downloads/download.ts'
import { toggleCrate, toggleFavourite } from '../library/library.ts'
import { preferredVersion } from '../library/preferredVersion.ts'
import type { VisibleList } from './rowSelection.ts'
import { orderOf, selectAll, selectTo, toggleRow } from './rowSelectionChanges.ts'

type Key = { key: string; isShift: boolean; isCombined: boolean; isRepeat: boolean }

const STEPS: Record<string, 1 | -1> = { j: 1, arrowdown: 1, k: -1, arrowup: -1 }

/** What a letter does with the song of the focused row. */
const SONG_KEYS: Record<string, (song: catalogue.Song, visibleList: VisibleList) => void> = {
  x: ({ entity_id }, visibleList) => toggleRow(visibleList, entity_id),
  c: (song) => void toggleCrate(song),
  l: ({ entity_id, title }) => void toggleFavourite(entity_id, title),
  d: (song) => {
    const version = preferredVersion(song)
    if (version)
      void downloadVersion(version.song_version_id, { title: song.title, version: version.version_label, song })
  },
}

/** Runs a key on the row that has the focus. */
export function pressKey(visibleList: VisibleList, { key, isShift, isCombined, isRepeat }: Key) {
  const row = document.activeElement?.closest<HTMLElement>('[data-song]')
  if (!row) return
  if (isCombined) return selectAll(visibleList)
  const step = STEPS[key.toLowerCase()]
  if (step) return isShift ? extendSelection(visibleList, row, step) : focusRow(row, step)
  if (key === 'Enter') return buttonOf(row)?.click()
  const song = visibleList.songs.find(({ entity_id }) => entity_id === idOf(row))
  if (song && !isRepeat) SONG_KEYS[key.toLowerCase()]?.(song, visibleList)
}

const idOf = (row: HTMLElement) => Number(row.dataset.song)
const buttonOf = (row: Element | undefined) => row?.querySelector<HTMLElement>('[data-row-play]')

function extendSelection(visibleList: VisibleList, row: HTMLElement, step: 1 | -1) {
  const order = orderOf(visibleList)
  const next = order[order.indexOf(idOf(row)) + step]
  if (next === undefined) return
  selectTo(visibleList, next, idOf(row))
  focusRow(row, step)
}

function focusRow(row: HTMLElement, step: 1 | -1) {
  const rows = [...(row.parentElement?.querySelectorAll<HTMLElement>('[data-song]') ?? [])]
  const next = rows[rows.indexOf(row) + step]
  // The row itself if it has nothing to play.
  next?.focus({ preventScroll: true })
  buttonOf(next)?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}
