import type { catalogue } from '@dubplate/contract'
import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useRef,
} from 'react'
import { downloadVersion } from '../downloads/download.ts'
import { toggleFavourite } from '../library/library.ts'
import { preferredVersion } from '../library/preferredVersion.ts'
import { useLatest } from '../ui/useLatest.ts'
import { startRowDrag } from './rowDrag.ts'
import {
  clearSelection,
  isSelecting,
  orderOf,
  selectAll,
  selectOnly,
  selectTo,
  songsOf,
  toggleRow,
  trackList,
  useRowSelection,
  type VisibleList,
} from './rowSelection.ts'
import { addSongToCrate, toggleSongInCrate } from './songCrate.ts'
import { useRowTouch } from './useRowTouch.ts'

/** A phone's list: a tap on a row plays it. As in SongList.module.css. */
const NARROW_LIST_PX = 640
/** After `g`, for so long a `c` is part of the shortcut “go to current song”. */
const CHORD_MS = 1_000

const rowOf = (target: EventTarget) => (target as Element).closest<HTMLElement>('[data-song]')
const idOf = (target: EventTarget) => Number(rowOf(target)?.dataset.song)
const isOnControl = (target: EventTarget) => !!(target as Element).closest('button, a, input')
const isOnCheckbox = (target: EventTarget) => !!(target as Element).closest('[data-select]')

/**
 * Event handlers for the rows of a list: a click selects, Ctrl or ⌘ toggles, Shift selects a range; x, Shift with an
 * arrow, and Ctrl + A do the same by keyboard, j, k and the arrows move, and letters act on the focused song. On touch
 * screens a long press opens the menu, from which a row is selected; taps select more. On a phone a tap plays, and a
 * swipe to the right adds to the crate. Rows need a `data-song` attribute.
 */
export function useRowGestures(
  visibleList: VisibleList,
  openMenu: (song: catalogue.Song, opener: HTMLElement) => void,
  list: RefObject<HTMLElement | null>,
) {
  const latest = useLatest(visibleList)
  useEffect(() => trackList(visibleList), [visibleList])
  useEffect(() => () => trackList({ ...latest.current, songs: [] }), [latest])
  const isNarrow = () => (list.current?.clientWidth ?? 0) < NARROW_LIST_PX
  const songOf = (row: HTMLElement) => latest.current.songs.find(({ entity_id }) => entity_id === idOf(row))
  const touch = useRowTouch({
    onLongPress: (row) => {
      const song = songOf(row)
      if (song) openMenu(song, row)
    },
    onSwipe: (row) => {
      const song = songOf(row)
      if (song) void addSongToCrate(song)
    },
    canSwipe: isNarrow,
  })
  const chordUntil = useRef(0)

  const stopEvent = (event: SyntheticEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    onPointerDown: touch.onPointerDown,
    onPointerMove: touch.onPointerMove,
    onPointerUp: touch.onPointerUp,
    onPointerCancel: touch.onPointerCancel,
    onContextMenuCapture: (event: MouseEvent) => {
      if (touch.isTouch()) stopEvent(event)
    },
    onClickCapture: (event: MouseEvent) => {
      const row = rowOf(event.target)
      if (!touch.isTouch() || !row) return
      if (touch.isHandled()) return stopEvent(event)
      if (isSelecting(latest.current.id)) {
        stopEvent(event)
        return toggleRow(latest.current, idOf(event.target))
      }
      if (!isNarrow() || (event.target as Element).closest('button, input')) return
      stopEvent(event)
      buttonOf(row)?.click()
    },
    onMouseDown: (event: MouseEvent) => {
      // Prevents Shift from selecting the text between two clicks.
      if (event.shiftKey && !isOnControl(event.target)) event.preventDefault()
    },
    onClick: (event: MouseEvent) => {
      if (!touch.isTouch()) clickRow(latest.current, event)
    },
    onDoubleClick: ({ target }: MouseEvent) => {
      // A double click plays, so the selection made by its first click is undone.
      const { list, ids } = useRowSelection.getState()
      if (list?.id === latest.current.id && ids.size === 1 && !isOnControl(target)) clearSelection()
    },
    onKeyDown: (event: KeyboardEvent) => {
      touch.forget()
      // The “c” of “g c” is not meant for this row.
      const isChord = event.timeStamp < chordUntil.current
      chordUntil.current = event.key === 'g' ? event.timeStamp + CHORD_MS : 0
      if (!isChord && !event.defaultPrevented && pressKey(latest.current, event)) event.preventDefault()
    },
    onDragStart: (event: DragEvent) => {
      if (touch.isTouch()) return event.preventDefault()
      const song = latest.current.songs.find(({ entity_id }) => entity_id === idOf(event.target))
      if (song) startRowDrag(event.dataTransfer, draggedSongs(latest.current, song.entity_id))
    },
  }
}

/** The whole selection if it contains the row, otherwise only the row. */
function draggedSongs(visibleList: VisibleList, id: number) {
  const selection = useRowSelection.getState()
  if (selection.list?.id === visibleList.id && selection.ids.has(id)) return songsOf(selection)
  return visibleList.songs.filter(({ entity_id }) => entity_id === id)
}

function clickRow(visibleList: VisibleList, { target, shiftKey, ctrlKey, metaKey }: MouseEvent) {
  const row = rowOf(target)
  if (!row || (isOnControl(target) && !isOnCheckbox(target))) return
  const id = idOf(row)
  if (shiftKey) selectTo(visibleList, id)
  else if (ctrlKey || metaKey || isOnCheckbox(target)) toggleRow(visibleList, id)
  else selectOnly(visibleList, id)
  // Keyboard shortcuts continue from here. Focuses the row, not its button, so that Space still pauses playback.
  if (!isOnCheckbox(target)) row.focus({ preventScroll: true })
}

/** Returns true when the key was handled. */
function pressKey(visibleList: VisibleList, event: KeyboardEvent): boolean {
  const { key, shiftKey, altKey, target } = event
  const combined = event.ctrlKey || event.metaKey
  const row = rowOf(target)
  if (altKey || !row) return false
  if (combined) {
    if (key.toLowerCase() !== 'a' || shiftKey) return false
    selectAll(visibleList)
    return true
  }
  const step = STEPS[key] ?? STEPS[key.toLowerCase()]
  if (shiftKey) return key.startsWith('Arrow') && step !== undefined && extendSelection(visibleList, row, step)
  if (step !== undefined && !(target as Element).closest('[data-handle]')) return focusRow(row, step)
  if (key === 'Enter' && target === row) {
    buttonOf(row)?.click()
    return true
  }
  const song = visibleList.songs.find(({ entity_id }) => entity_id === idOf(row))
  const act = song && !event.repeat && SONG_KEYS[key.toLowerCase()]
  if (!act) return false
  act(song, visibleList)
  return true
}

const STEPS: Record<string, 1 | -1> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/** What a letter does with the song of the focused row. */
const SONG_KEYS: Record<string, (song: catalogue.Song, visibleList: VisibleList) => void> = {
  x: ({ entity_id }, visibleList) => toggleRow(visibleList, entity_id),
  c: (song) => void toggleSongInCrate(song),
  l: ({ entity_id }) => void toggleFavourite(entity_id),
  d: (song) => {
    const version = preferredVersion(song)
    if (version) void downloadVersion(version.song_version_id)
  },
}

function focusRow(row: HTMLElement, step: 1 | -1): true {
  const rows = [...(row.parentElement?.querySelectorAll<HTMLElement>('[data-song]') ?? [])]
  const next = rows[rows.indexOf(row) + step]
  // The row itself if it has nothing to play.
  next?.focus({ preventScroll: true })
  buttonOf(next)?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
  return true
}

const buttonOf = (row: Element | null | undefined) => row?.querySelector<HTMLElement>('[data-row-play]')

function extendSelection(visibleList: VisibleList, row: HTMLElement, step: 1 | -1): boolean {
  const order = orderOf(visibleList)
  const next = order[order.indexOf(idOf(row)) + step]
  if (next === undefined) return true
  selectTo(visibleList, next, idOf(row))
  return focusRow(row, step)
}
