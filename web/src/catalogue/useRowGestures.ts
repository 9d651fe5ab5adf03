import type { catalogue } from '@dubplate/contract'
import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useRef,
} from 'react'
import { useLatest } from '../ui/useLatest.ts'
import { clearSelection, isSelecting, songsOf, useRowSelection, type VisibleList } from './rowSelection.ts'
import type { TouchTracker } from './rowTouch.ts'
import { addSongToCrate } from './songCrate.ts'

/** A phone's list: a tap on a row plays it. As in SongRow.module.css. */
const NARROW_LIST_PX = 640
/** After `g`, for so long a `c` is part of the shortcut “go to current song”. */
const CHORD_MS = 1_000

type SelectionChanges = typeof import('./rowSelectionChanges.ts')

/**
 * Runs tasks with code that the first screen does not load, in their order: each call of `import` may resolve before an
 * earlier one. Without the code (offline) nothing happens, and the next task tries to load it again.
 */
function createCodeRunner<Code>(load: () => Promise<Code>) {
  let loading: Promise<Code> | undefined
  return (task: (code: Code) => void) => {
    loading ??= load()
    loading.then(task, () => {
      loading = undefined
    })
  }
}

/** Changes the selection. */
export const withSelection = createCodeRunner<SelectionChanges>(() => import('./rowSelectionChanges.ts'))

const withRowKeys = createCodeRunner<typeof import('./rowKeys.ts')>(() => import('./rowKeys.ts'))

/** Touch screens have no hover, and a draggable row could not be scrolled by touch. */
export const CAN_DRAG = matchMedia('(hover: hover) and (pointer: fine)').matches

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
  useEffect(() => {
    if (isSelecting(visibleList.id)) withSelection(({ trackList }) => trackList(visibleList))
  }, [visibleList])
  useEffect(
    () => () => {
      if (isSelecting(latest.current.id)) clearSelection()
    },
    [latest],
  )
  const isNarrow = () => (list.current?.clientWidth ?? 0) < NARROW_LIST_PX
  const songOf = (row: HTMLElement) => latest.current.songs.find(({ entity_id }) => entity_id === idOf(row))
  const touchActions = {
    onLongPress: (row: HTMLElement) => {
      const song = songOf(row)
      if (song) openMenu(song, row)
    },
    onSwipe: (row: HTMLElement) => {
      const song = songOf(row)
      if (song) void addSongToCrate(song)
    },
    canSwipe: isNarrow,
  }
  const press = useRef<{ kind: string; isOver?: boolean; tracker?: TouchTracker }>({ kind: '' })
  const isTouch = () => press.current.kind === 'touch'
  const endPress = (isLifted: boolean) => {
    press.current.isOver = true
    press.current.tracker?.end(isLifted)
  }
  const chordUntil = useRef(0)
  // A drag has to be set up at once, so its code is loaded before.
  const rowDrag = useRef<typeof import('./rowDrag.ts')>(undefined)
  useEffect(() => {
    const keep = (code: typeof import('./rowDrag.ts')) => {
      rowDrag.current = code
    }
    if (CAN_DRAG) import('./rowDrag.ts').then(keep, () => undefined)
  }, [])

  const stopEvent = (event: SyntheticEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    onPointerDown: ({ pointerType: kind, target, clientX, clientY }: PointerEvent) => {
      endPress(false)
      const now: typeof press.current = { kind }
      press.current = now
      const row = rowOf(target)
      if (kind !== 'touch' || !row) return
      import('./rowTouch.ts').then(
        ({ trackTouch }) => {
          if (!now.isOver) now.tracker = trackTouch(row, { clientX, clientY }, touchActions)
        },
        // Without that code (offline) taps still work.
        () => undefined,
      )
    },
    onPointerMove: (event: PointerEvent) => press.current.tracker?.move(event),
    onPointerUp: () => endPress(true),
    onPointerCancel: () => endPress(false),
    onContextMenuCapture: (event: MouseEvent) => {
      if (isTouch()) stopEvent(event)
    },
    onClickCapture: (event: MouseEvent) => {
      const row = rowOf(event.target)
      if (!isTouch() || !row) return
      if (press.current.tracker?.isHandled()) return stopEvent(event)
      if (isSelecting(latest.current.id)) {
        stopEvent(event)
        return withSelection(({ toggleRow }) => toggleRow(latest.current, idOf(row)))
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
      if (!isTouch()) clickRow(latest.current, event)
    },
    onDoubleClick: ({ target }: MouseEvent) => {
      // A double click plays, so the selection made by its first click is undone.
      if (isOnControl(target)) return
      withSelection(() => {
        if (isSelecting(latest.current.id) && useRowSelection.getState().ids.size === 1) clearSelection()
      })
    },
    onKeyDown: (event: KeyboardEvent) => {
      press.current.kind = ''
      // The “c” of “g c” is not meant for this row.
      const isChord = event.timeStamp < chordUntil.current
      chordUntil.current = event.key === 'g' ? event.timeStamp + CHORD_MS : 0
      if (isChord || event.defaultPrevented || !isRowKey(event)) return
      event.preventDefault()
      const { key, shiftKey, ctrlKey, metaKey, repeat } = event
      withRowKeys(({ pressKey }) =>
        pressKey(latest.current, { key, isShift: shiftKey, isCombined: ctrlKey || metaKey, isRepeat: repeat }),
      )
    },
    onDragStart: (event: DragEvent) => {
      const { startRowDrag } = rowDrag.current ?? {}
      if (isTouch() || !startRowDrag) return event.preventDefault()
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
  withSelection(({ selectOnly, selectTo, toggleRow }) => {
    if (shiftKey) selectTo(visibleList, id)
    else if (ctrlKey || metaKey || isOnCheckbox(target)) toggleRow(visibleList, id)
    else selectOnly(visibleList, id)
  })
  // Keyboard shortcuts continue from here. Focuses the row, not its button, so that Space still pauses playback.
  if (!isOnCheckbox(target)) row.focus({ preventScroll: true })
}

/** Whether a key is meant for the focused row. */
function isRowKey(event: KeyboardEvent): boolean {
  const { key, shiftKey, target } = event
  const row = rowOf(target)
  if (event.altKey || !row || (target as Element).closest('[data-handle]')) return false
  if (event.ctrlKey || event.metaKey) return key.toLowerCase() === 'a' && !shiftKey
  if (shiftKey) return key === 'ArrowDown' || key === 'ArrowUp'
  if (key === 'Enter') return target === row
  return /^([jkxcld]|ArrowDown|ArrowUp)$/i.test(key)
}

const buttonOf = (row: Element | null | undefined) => row?.querySelector<HTMLElement>('[data-row-play]')
