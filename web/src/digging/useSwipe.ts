import { type PointerEvent, useRef } from 'react'
import type { DigAction } from './digState.ts'

/** A swipe this far decides. */
const SWIPE_PX = 96
/** Less than this is a tap. */
const MIN_MOVE_PX = 8

/** There is no swipe for “Never again”: it mutes the song. */
type SwipeAction = Exclude<DigAction, 'never'>

/** Left skips, right adds to the crate, up to favourites. */
function actionOf(x: number, y: number): SwipeAction | undefined {
  if (-y > Math.abs(x)) return 'favourite'
  if (Math.abs(x) < Math.abs(y)) return undefined
  return x < 0 ? 'skip' : 'crate'
}

type Touch = { id: number; x: number; y: number }

/**
 * Keeps Chromium from taking a fast swipe for a fling: it ignores taps while a fling lasts, about a second, even on
 * an element with `touch-action: none`, and the button to undo would do nothing. React’s own listener is passive.
 */
function preventFlings(card: HTMLElement | null) {
  const prevent = (event: TouchEvent) => event.preventDefault()
  card?.addEventListener('touchmove', prevent, { passive: false })
  return () => card?.removeEventListener('touchmove', prevent)
}

/**
 * Handlers that let an element be swiped with a finger or a pen. It follows the finger by `--x` and `--y`;
 * `data-swipe` names what it means, and `data-ready` is set once lifting the finger decides.
 */
export function useSwipe(onSwipe: (action: SwipeAction) => void) {
  const touch = useRef<Touch | undefined>(undefined)
  const movement = ({ clientX, clientY }: PointerEvent, { x, y }: Touch) => [clientX - x, clientY - y] as const
  const release = (card: HTMLElement) => {
    touch.current = undefined
    card.style.removeProperty('--x')
    card.style.removeProperty('--y')
    delete card.dataset.swipe
    delete card.dataset.ready
  }
  return {
    ref: preventFlings,
    onPointerDown: ({
      pointerType,
      pointerId,
      clientX,
      clientY,
      isPrimary,
      currentTarget,
    }: PointerEvent<HTMLElement>) => {
      // A second finger ends the swipe.
      if (!isPrimary) return release(currentTarget)
      if (pointerType === 'mouse') return
      touch.current = { id: pointerId, x: clientX, y: clientY }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const card = event.currentTarget
      if (!touch.current || touch.current.id !== event.pointerId) return
      const [x, y] = movement(event, touch.current)
      if (Math.hypot(x, y) < MIN_MOVE_PX) return
      if (!card.hasPointerCapture(event.pointerId)) capture(card, event.pointerId)
      card.style.setProperty('--x', `${x}px`)
      card.style.setProperty('--y', `${Math.min(0, y)}px`)
      card.dataset.swipe = actionOf(x, y) ?? ''
      card.toggleAttribute('data-ready', isFar(x, y))
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (!touch.current || touch.current.id !== event.pointerId) return
      const [x, y] = movement(event, touch.current)
      release(event.currentTarget)
      const action = actionOf(x, y)
      if (action && isFar(x, y)) onSwipe(action)
    },
    onPointerCancel: ({ currentTarget }: PointerEvent<HTMLElement>) => release(currentTarget),
  }
}

const isFar = (x: number, y: number) => Math.max(Math.abs(x), -y) >= SWIPE_PX

/** A pointer that was lifted in between cannot be captured. */
function capture(card: HTMLElement, pointerId: number) {
  try {
    card.setPointerCapture(pointerId)
  } catch {}
}
