import { useCallback, useState } from 'react'

/**
 * The width of an element with its border, in px. Known before the element is painted for the first time, so that what
 * depends on it does not move; 0 only while it is first rendered.
 */
export function useElementWidth() {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const measure = () => setWidth(element.offsetWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
