import type {} from '@vitest/browser-playwright'
import { cdp } from 'vitest/browser'

/**
 * The browser's own mouse, for what `userEvent` cannot do: a drag that pauses (Chrome DevTools Protocol, domain Input).
 */

type Point = { x: number; y: number }

/** The tests run in a frame that is scaled to fit the window; the mouse uses the window's pixels. */
export function toWindowPoint({ x, y }: Point): Point {
  const { left, top, width } = window.frameElement!.getBoundingClientRect()
  const scale = width / innerWidth
  return { x: left + x * scale, y: top + y * scale }
}

const send = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', point: Point) =>
  cdp().send('Input.dispatchMouseEvent', {
    ...toWindowPoint(point),
    type,
    ...(type === 'mouseMoved' ? {} : { button: 'left', clickCount: 1 }),
    ...(type === 'mouseReleased' ? {} : { buttons: 1 }),
  })

export function centreOf(element: Element): Point {
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x: x + width / 2, y: y + height / 2 }
}

export const pressMouse = (at: Point) => send('mousePressed', at)
export const dragMouse = (point: Point) => send('mouseMoved', point)
export const releaseMouse = (at: Point) => send('mouseReleased', at)
