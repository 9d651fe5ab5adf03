import { cdp, type Locator } from 'vitest/browser'
import { centreOf, toWindowPoint } from './mouse.ts'

/**
 * Double clicks, drags and touches in steps, where `userEvent` only offers the whole gesture: half a double click, a
 * drag that is checked before the drop, a long press.
 */

const pointOf = (locator: Locator) => toWindowPoint(centreOf(locator.element()))

type Point = ReturnType<typeof pointOf>
type DragData = { items: { mimeType: string; data: string }[]; dragOperationsMask: number }

const move = (point: Point, buttons = 0) =>
  cdp().send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...point, button: buttons ? 'left' : 'none', buttons })

const press = (point: Point, clickCount = 1) =>
  cdp().send('Input.dispatchMouseEvent', { type: 'mousePressed', ...point, button: 'left', buttons: 1, clickCount })

const release = (point: Point, clickCount = 1) =>
  cdp().send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...point, button: 'left', clickCount })

/** Clicks an element, runs a function, and clicks the same point again: for the browser that is a double click. */
export async function doubleClickAround(locator: Locator, between: () => Promise<unknown>): Promise<void> {
  const point = pointOf(locator)
  await move(point)
  await press(point)
  await release(point)
  await between()
  await press(point, 2)
  await release(point, 2)
}

let onIntercepted = (_: DragData) => {}
let isListening = false

/**
 * The next drag that the browser would hand to the operating system. Listened to once: Vitest cannot remove the
 * listener.
 */
function nextDrag(): Promise<DragData> {
  if (!isListening)
    cdp().on('Input.dragIntercepted', (event: unknown) => onIntercepted((event as { data: DragData }).data))
  isListening = true
  return new Promise((resolve) => {
    onIntercepted = resolve
  })
}

/** Starts dragging an element. Returns a function to drag it over another one and drop it there. */
export async function startDrag(source: Locator) {
  const session = cdp()
  await session.send('Input.setInterceptDrags', { enabled: true })
  const intercepted = nextDrag()
  const from = pointOf(source)
  const farAway = { x: from.x + 20, y: from.y + 8 }
  await move(from)
  await press(from)
  await move(farAway, 1)
  const data = await intercepted
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop', point: Point) =>
    session.send('Input.dispatchDragEvent', { type, ...point, data })
  await drag('dragEnter', farAway)
  return {
    over: (target: Locator) => drag('dragOver', pointOf(target)),
    dropOn: async (target: Locator) => {
      await drag('drop', pointOf(target))
      await session.send('Input.setInterceptDrags', { enabled: false })
    },
  }
}

let touched = { x: 0, y: 0 }

/** A touch on the screen. `moveBy` moves it to the right; `lift` ends what `press` started. */
export const touch = {
  enable: (enabled: boolean) => cdp().send('Emulation.setTouchEmulationEnabled', { enabled, maxTouchPoints: 1 }),
  press: (locator: Locator) => {
    touched = pointOf(locator)
    return cdp().send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [touched] })
  },
  /** In two steps: the browser first decides whether the touch scrolls the page. */
  moveBy: async (px: number) => {
    for (const x of [touched.x + px / 2, touched.x + px])
      await cdp().send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ ...touched, x }] })
  },
  lift: () => cdp().send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
}
