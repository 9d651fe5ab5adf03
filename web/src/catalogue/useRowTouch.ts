import { type PointerEvent, useRef } from 'react'

/** The time after which a press counts as a long press. */
const LONG_PRESS_MS = 450
/** Further than this, a touch counts as scrolling. */
const MAX_PRESS_MOVE_PX = 10
/** A swipe this far to the right adds the song to the crate. */
const SWIPE_PX = 72
const MAX_SWIPE_PX = 96

type Press = {
  kind: string
  /** The click that ends this press has been handled: it was a long press or a swipe. */
  isHandled: boolean
  isSwipe: boolean
  row: HTMLElement | null
  x: number
  y: number
  timer?: ReturnType<typeof setTimeout>
}

type Actions = { onLongPress: (row: HTMLElement) => void; onSwipe: (row: HTMLElement) => void; canSwipe: () => boolean }

const rowOf = (target: EventTarget) => (target as Element).closest<HTMLElement>('[data-song]')

/** The finger that opened something under itself must not also click it when it is lifted. */
function swallowClickOfThisTouch() {
  const nextTouch = new AbortController()
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', swallow, { capture: true, signal: nextTouch.signal })
  addEventListener('pointerdown', () => nextTouch.abort(), { capture: true, once: true })
}

/** Long presses on rows, and swipes to the right, on touch screens. */
export function useRowTouch({ onLongPress, onSwipe, canSwipe }: Actions) {
  const press = useRef<Press>({ kind: '', isHandled: false, isSwipe: false, row: null, x: 0, y: 0 })
  const end = () => {
    const { timer, row } = press.current
    clearTimeout(timer)
    row?.style.removeProperty('--swipe')
    delete row?.dataset.swipe
    press.current.isSwipe = false
  }
  return {
    isTouch: () => press.current.kind === 'touch',
    isHandled: () => press.current.isHandled,
    forget: () => {
      press.current.kind = ''
    },
    onPointerDown: ({ pointerType, target, clientX: x, clientY: y }: PointerEvent) => {
      end()
      const row = pointerType === 'touch' ? rowOf(target) : null
      Object.assign(press.current, { kind: pointerType, isHandled: false, row, x, y })
      if (!row) return
      press.current.timer = setTimeout(() => {
        press.current.isHandled = true
        navigator.vibrate?.(10)
        swallowClickOfThisTouch()
        onLongPress(row)
      }, LONG_PRESS_MS)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { row, x, y, isHandled, isSwipe } = press.current
      const [right, down] = [clientX - x, Math.abs(clientY - y)]
      if (Math.hypot(right, down) > MAX_PRESS_MOVE_PX) clearTimeout(press.current.timer)
      if (!row || (isHandled && !isSwipe)) return
      if (!isSwipe && (right < MAX_PRESS_MOVE_PX || right < down * 2 || !canSwipe())) return
      Object.assign(press.current, { isHandled: true, isSwipe: true })
      row.style.setProperty('--swipe', `${Math.max(0, Math.min(right, MAX_SWIPE_PX))}px`)
      row.dataset.swipe = right >= SWIPE_PX ? 'ready' : ''
    },
    onPointerUp: () => {
      const { row } = press.current
      const isReady = row?.dataset.swipe === 'ready'
      end()
      if (row && isReady) onSwipe(row)
    },
    onPointerCancel: end,
  }
}
