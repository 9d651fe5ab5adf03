import { type ReactNode, type RefObject, useEffect, useRef } from 'react'

/**
 * When the focused element inside disappears (a removed row, a closed form), the focus moves to what takes its place
 * instead of the top of the page.
 */
export function KeepFocus({ children }: { children: ReactNode }) {
  const container = useRef<HTMLDivElement>(null)
  useKeepFocus(container)
  return (
    <div ref={container} style={{ display: 'contents' }}>
      {children}
    </div>
  )
}

function useKeepFocus(container: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const root = container.current
    if (!root) return
    let ancestors: AncestorStep[] = []
    const remember = ({ target }: FocusEvent) => {
      ancestors = ancestorsOf(target as Element, root)
    }
    // A click outside every control removes the focus on purpose.
    const release = () =>
      setTimeout(() => {
        if (document.activeElement === document.body && isStillConnected(ancestors)) ancestors = []
      })
    const moveFocus = () => {
      if (document.activeElement === document.body && !isStillConnected(ancestors))
        findNearbyControl(ancestors)?.focus({ preventScroll: true })
    }
    // A dialog must close first: the content behind it can't take the focus before that.
    const observer = new MutationObserver(
      () => !isStillConnected(ancestors) && requestAnimationFrame(() => setTimeout(moveFocus)),
    )
    observer.observe(root, { childList: true, subtree: true })
    root.addEventListener('focusin', remember)
    addEventListener('pointerdown', release)
    return () => {
      observer.disconnect()
      root.removeEventListener('focusin', remember)
      removeEventListener('pointerdown', release)
    }
  }, [container])
}

/** An element and its index among its siblings. */
type AncestorStep = { element: Element; index: number }

/** The ancestors of an element, up to the container. */
function ancestorsOf(element: Element, container: Element): AncestorStep[] {
  const step = { element, index: element.parentElement ? [...element.parentElement.children].indexOf(element) : 0 }
  return element === container || !element.parentElement
    ? [step]
    : [step, ...ancestorsOf(element.parentElement, container)]
}

const isStillConnected = ([first]: AncestorStep[]) => !first || first.element.isConnected

const CONTROLS = 'button:enabled:not([data-handle]), a[href]:not([data-written] *)'

/** The first control in the closest remaining ancestor, starting at the old position. */
function findNearbyControl(ancestors: AncestorStep[]): HTMLElement | null {
  const connectedIndex = ancestors.findIndex(({ element }) => element.isConnected)
  const [inner, outer] = [ancestors[connectedIndex - 1], ancestors[connectedIndex]]
  if (!inner || !outer) return null
  const { children } = outer.element
  const siblingInPlace = children[Math.min(inner.index, children.length - 1)]
  if (siblingInPlace instanceof HTMLElement && siblingInPlace.matches(CONTROLS)) return siblingInPlace
  return siblingInPlace?.querySelector<HTMLElement>(CONTROLS) ?? outer.element.querySelector<HTMLElement>(CONTROLS)
}
