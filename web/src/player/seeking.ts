import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react'
import { soundDuration, soundPosition, soundRange } from './audio.ts'
import { playerActions } from './store.ts'

const STEP_SECONDS = 5
const PAGE_SECONDS = 30
/** The End key leaves this much to hear, instead of skipping to the next version. */
const END_MARGIN_SECONDS = 1
/** The interval between seeks during a drag: each seek may cost a request. */
const DRAG_MS = 80

/** Event handlers that make an element the position slider: click, drag and the keys of a slider. */
export const useSeeking = (slider: RefObject<HTMLElement | null>) => {
  const lastSeek = useRef({ at_ms: 0, clientX: 0 })
  const seekTo = ({ clientX, timeStamp }: PointerEvent) => {
    lastSeek.current = { at_ms: timeStamp, clientX }
    const box = slider.current?.getBoundingClientRect()
    if (box?.width) playerActions.seekAudible(((clientX - box.left) / box.width) * soundDuration())
  }
  const isDragged = ({ pointerId }: PointerEvent) => slider.current?.hasPointerCapture(pointerId) ?? false
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      slider.current?.setPointerCapture(event.pointerId)
      seekTo(event)
    },
    onPointerMove: (event: PointerEvent) => {
      if (isDragged(event) && event.timeStamp - lastSeek.current.at_ms >= DRAG_MS) seekTo(event)
    },
    onPointerUp: (event: PointerEvent) => {
      if (isDragged(event) && event.clientX !== lastSeek.current.clientX) seekTo(event)
    },
    onKeyDown: (event: KeyboardEvent) => {
      const seconds = seekTarget(event)
      if (seconds === undefined) return
      event.preventDefault()
      playerActions.seek(seconds)
    },
  }
}

const seekTarget = ({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): number | undefined => {
  if (altKey || ctrlKey || metaKey || shiftKey) return
  const now = soundPosition()
  if (key === 'ArrowRight' || key === 'ArrowUp') return now + STEP_SECONDS
  if (key === 'ArrowLeft' || key === 'ArrowDown') return now - STEP_SECONDS
  if (key === 'PageUp') return now + PAGE_SECONDS
  if (key === 'PageDown') return now - PAGE_SECONDS
  if (key === 'Home') return 0
  if (key === 'End') return soundRange().to - END_MARGIN_SECONDS
}
