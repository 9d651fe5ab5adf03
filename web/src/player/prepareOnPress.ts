import type { PointerEvent } from 'react'
import type { Entry } from './queue.ts'

/**
 * The handler for a pointer that presses play: with a mouse, the song is prepared before the button is released. A touch
 * may be the start of scrolling.
 */
export const prepareOnPress =
  (entry: Entry) =>
  ({ pointerType, button }: PointerEvent) => {
    if (pointerType !== 'mouse' || button !== 0) return
    // Without that code (offline) the song starts as usual.
    import('./preload.ts').then(
      ({ prepareNow }) => prepareNow(entry),
      () => undefined,
    )
  }
