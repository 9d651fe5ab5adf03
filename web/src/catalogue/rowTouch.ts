/** The time after which a press counts as a long press. */
const LONG_PRESS_MS = 450
/** Further than this, a touch counts as scrolling. */
const MAX_PRESS_MOVE_PX = 10
/** A swipe this far to the right adds the song to the crate. */
const SWIPE_PX = 72
const MAX_SWIPE_PX = 96

type Point = { clientX: number; clientY: number }
type Actions = { onLongPress: (row: HTMLElement) => void; onSwipe: (row: HTMLElement) => void; canSwipe: () => boolean }

export type TouchTracker = ReturnType<typeof trackTouch>

/** Follows a touch on a row until it ends: a long press, or a swipe to the right, which moves the row. */
export function trackTouch(row: HTMLElement, start: Point, { onLongPress, onSwipe, canSwipe }: Actions) {
  let isHandled = false
  let isSwipe = false
  const timer = setTimeout(() => {
    isHandled = true
    navigator.vibrate?.(10)
    swallowClickOfThisTouch()
    onLongPress(row)
  }, LONG_PRESS_MS)
  return {
    /** True when the click that ends this touch means nothing any more. */
    isHandled: () => isHandled,
    move: ({ clientX, clientY }: Point) => {
      const [right, down] = [clientX - start.clientX, Math.abs(clientY - start.clientY)]
      if (Math.hypot(right, down) > MAX_PRESS_MOVE_PX) clearTimeout(timer)
      if (isHandled && !isSwipe) return
      if (!isSwipe && (right < MAX_PRESS_MOVE_PX || right < down * 2 || !canSwipe())) return
      isHandled = true
      isSwipe = true
      row.style.setProperty('--swipe', `${Math.max(0, Math.min(right, MAX_SWIPE_PX))}px`)
      row.dataset.swipe = right >= SWIPE_PX ? 'ready' : ''
    },
    end: (isLifted: boolean) => {
      clearTimeout(timer)
      const isReady = row.dataset.swipe === 'ready'
      row.style.removeProperty('--swipe')
      delete row.dataset.swipe
      if (isLifted && isReady) onSwipe(row)
    },
  }
}

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
