import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type SyntheticEvent,
  useEffect,
  useRef,
} from 'react'
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

/** The time after which a press counts as a long press. */
const LONG_PRESS_MS = 450
/** Further than this, a touch counts as scrolling. */
const MAX_PRESS_MOVE_PX = 10

const rowOf = (target: EventTarget) => (target as Element).closest<HTMLElement>('[data-song]')
const idOf = (target: EventTarget) => Number(rowOf(target)?.dataset.song)
const isOnControl = (target: EventTarget) => !!(target as Element).closest('button, a, input')
const isOnCheckbox = (target: EventTarget) => !!(target as Element).closest('[data-select]')

/**
 * Event handlers for the rows of a list: a click selects, Ctrl or ⌘ toggles, Shift selects a range; x, Shift with an
 * arrow, and Ctrl + A do the same by keyboard. On touch screens a long press selects, and taps after that. Rows need a
 * `data-song` attribute.
 */
export function useRowGestures(visibleList: VisibleList) {
  const latest = useLatest(visibleList)
  useEffect(() => trackList(visibleList), [visibleList])
  useEffect(() => () => trackList({ ...latest.current, songs: [] }), [latest])
  const touch = useLongPress((id) => toggleRow(latest.current, id))

  const stopEvent = (event: SyntheticEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    onPointerDown: touch.onPointerDown,
    onPointerMove: touch.onPointerMove,
    onPointerUp: touch.onPointerEnd,
    onPointerCancel: touch.onPointerEnd,
    onContextMenuCapture: (event: MouseEvent) => {
      if (touch.isTouch()) stopEvent(event)
    },
    onClickCapture: (event: MouseEvent) => {
      if (!touch.isTouch() || !rowOf(event.target)) return
      if (touch.wasLong()) return stopEvent(event)
      if (!isSelecting(latest.current.id)) return
      stopEvent(event)
      toggleRow(latest.current, idOf(event.target))
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
      if (!event.defaultPrevented && pressKey(latest.current, event)) event.preventDefault()
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
  if (key.toLowerCase() === 'x' && !shiftKey) {
    toggleRow(visibleList, idOf(row))
    return true
  }
  if (key === 'Enter' && target === row) {
    buttonOf(row)?.click()
    return true
  }
  return (
    shiftKey &&
    (key === 'ArrowDown' || key === 'ArrowUp') &&
    extendSelection(visibleList, row, key === 'ArrowDown' ? 1 : -1)
  )
}

const buttonOf = (row: Element | null | undefined) => row?.querySelector<HTMLElement>('[data-row-play]')

function extendSelection(visibleList: VisibleList, row: HTMLElement, step: 1 | -1): boolean {
  const order = orderOf(visibleList)
  const next = order[order.indexOf(idOf(row)) + step]
  const nextRow = row.parentElement?.querySelector(`[data-song="${next}"]`)
  if (next === undefined || !nextRow) return true
  selectTo(visibleList, next, idOf(row))
  buttonOf(nextRow)?.focus({ preventScroll: true })
  nextRow.scrollIntoView({ block: 'nearest' })
  return true
}

function useLongPress(onLongPress: (id: number) => void) {
  const press = useRef({ kind: '', long: false, x: 0, y: 0, timer: 0 as unknown as ReturnType<typeof setTimeout> })
  const end = () => clearTimeout(press.current.timer)
  return {
    isTouch: () => press.current.kind === 'touch',
    wasLong: () => press.current.long,
    forget: () => {
      press.current.kind = ''
    },
    onPointerDown: ({ pointerType, target, clientX, clientY }: PointerEvent) => {
      end()
      Object.assign(press.current, { kind: pointerType, long: false, x: clientX, y: clientY })
      if (pointerType !== 'touch' || !rowOf(target)) return
      press.current.timer = setTimeout(() => {
        press.current.long = true
        navigator.vibrate?.(10)
        onLongPress(idOf(target))
      }, LONG_PRESS_MS)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - press.current.x, clientY - press.current.y) > MAX_PRESS_MOVE_PX) end()
    },
    onPointerEnd: end,
  }
}
