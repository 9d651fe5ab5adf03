import { type ReactNode, type RefObject, useEffect, useRef } from 'react'

/**
 * What is in it may go while it has the focus: a row that is removed, a form that is closed. The focus goes on to what
 * stands in its place then, and is not lost to the top of the page.
 */
export function FocusHeld({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useFocusHeld(box)
  return (
    <div ref={box} style={{ display: 'contents' }}>
      {children}
    </div>
  )
}

function useFocusHeld(box: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const own = box.current
    if (!own) return
    let way: Step[] = []
    const remember = ({ target }: FocusEvent) => {
      way = wayTo(target as Element, own)
    }
    // Whoever presses beside everything has let go of it.
    const letGo = () =>
      setTimeout(() => {
        if (document.activeElement === document.body && isThere(way)) way = []
      })
    const pass = () => {
      if (document.activeElement === document.body && !isThere(way)) controlAt(way)?.focus({ preventScroll: true })
    }
    // A dialog that asked goes first: what is behind it takes no focus before.
    const observer = new MutationObserver(() => !isThere(way) && requestAnimationFrame(() => setTimeout(pass)))
    observer.observe(own, { childList: true, subtree: true })
    own.addEventListener('focusin', remember)
    addEventListener('pointerdown', letGo)
    return () => {
      observer.disconnect()
      own.removeEventListener('focusin', remember)
      removeEventListener('pointerdown', letGo)
    }
  }, [box])
}

/** An element and its place among its siblings. */
type Step = { element: Element; at: number }

/** From an element outwards, up to the box it is in. */
function wayTo(element: Element, box: Element): Step[] {
  const step = { element, at: element.parentElement ? [...element.parentElement.children].indexOf(element) : 0 }
  return element === box || !element.parentElement ? [step] : [step, ...wayTo(element.parentElement, box)]
}

const isThere = ([first]: Step[]) => !first || first.element.isConnected

const CONTROLS = 'button:enabled:not([data-handle]), a[href]:not([data-written] *)'

/** The first control of what stands now where the way led; of what is around it where there is none. */
function controlAt(way: Step[]): HTMLElement | null {
  const around = way.findIndex(({ element }) => element.isConnected)
  const [inner, outer] = [way[around - 1], way[around]]
  if (!inner || !outer) return null
  const { children } = outer.element
  const inPlace = children[Math.min(inner.at, children.length - 1)]
  if (inPlace instanceof HTMLElement && inPlace.matches(CONTROLS)) return inPlace
  return inPlace?.querySelector<HTMLElement>(CONTROLS) ?? outer.element.querySelector<HTMLElement>(CONTROLS)
}
