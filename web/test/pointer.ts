// Types what the DevTools protocol can be asked for.
import type {} from '@vitest/browser-playwright'
import { cdp, type Locator } from 'vitest/browser'

/**
 * The mouse and the finger step by step, where a click as a whole is not enough: half a double click, a drag that is looked
 * at before the drop, a long press. Sent over the DevTools protocol, so that the browser handles them as real input.
 */

type Point = { x: number; y: number }
type DragData = { items: { mimeType: string; data: string }[]; dragOperationsMask: number }

/** The centre of an element in the page around the test's frame, which may be scaled. */
function centreOf(place: Locator): Point {
  const frame = window.frameElement?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight)
  const scale = frame.width / innerWidth
  const { x, y, width, height } = place.element().getBoundingClientRect()
  return { x: frame.x + (x + width / 2) * scale, y: frame.y + (y + height / 2) * scale }
}

const send = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', point: Point, clickCount = 0, buttons = 0) =>
  cdp().send('Input.dispatchMouseEvent', { type, ...point, button: buttons ? 'left' : 'none', buttons, clickCount })

async function pressAndRelease(point: Point, clickCount: number) {
  await send('mousePressed', point, clickCount, 1)
  await cdp().send('Input.dispatchMouseEvent', {
    type: 'mouseReleased',
    ...point,
    button: 'left',
    buttons: 0,
    clickCount,
  })
}

/** Clicks an element, then does something, then clicks the same point again: to the browser that is a double click. */
export async function doubleClickAround(place: Locator, between: () => Promise<unknown>): Promise<void> {
  const point = centreOf(place)
  await send('mouseMoved', point)
  await pressAndRelease(point, 1)
  await between()
  await pressAndRelease(point, 2)
}

/** Starts to drag an element. Returns how to drag it over another one and drop it there. */
export async function startDrag(source: Locator) {
  const session = cdp()
  await session.send('Input.setInterceptDrags', { enabled: true })
  const intercepted = new Promise<DragData>((resolve) => {
    session.once('Input.dragIntercepted', (event: unknown) => resolve((event as { data: DragData }).data))
  })
  const from = centreOf(source)
  await send('mouseMoved', from)
  await send('mousePressed', from, 1, 1)
  const away = { x: from.x + 20, y: from.y + 8 }
  await send('mouseMoved', away, 0, 1)
  const data = await intercepted
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop', point: Point) =>
    session.send('Input.dispatchDragEvent', { type, ...point, data })
  await drag('dragEnter', away)
  return {
    over: (target: Locator) => drag('dragOver', centreOf(target)),
    dropOn: async (target: Locator) => {
      await drag('drop', centreOf(target))
      await session.send('Input.setInterceptDrags', { enabled: false })
    },
  }
}

/** A finger on the page. `lift` ends what `press` began. */
export const finger = {
  use: (enabled: boolean) => cdp().send('Emulation.setTouchEmulationEnabled', { enabled }),
  press: (place: Locator) =>
    cdp().send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [centreOf(place)] }),
  lift: () => cdp().send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
}
