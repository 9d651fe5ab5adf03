import { type ReactNode, useEffect, useRef, useState } from 'react'

/** About a screen ahead: time enough to be there when it is scrolled to. */
const PRELOAD_MARGIN = '800px'

/** What was reached once stands at once when one comes back, so that the scroll finds its place again. */
const visibleNames = new Set<string>()

type Props = {
  /** Names the place among all that are waited for. */
  name: string
  /** Gives the place about the height it will have. */
  className?: string
  children: ReactNode
}

/** What stands so far down that it is not asked for until one comes near. It must be the last of its column. */
export function RenderWhenVisible({ name, className, children }: Props) {
  const placeholderRef = useRef<HTMLDivElement>(null)
  const [isVisible, setVisible] = useState(() => visibleNames.has(name))
  useEffect(() => {
    if (isVisible || !placeholderRef.current) return
    // A busy page is told of several moments at once, oldest first.
    const handleIntersection = (intersections: IntersectionObserverEntry[]) => {
      if (!intersections.some(({ isIntersecting }) => isIntersecting)) return
      visibleNames.add(name)
      setVisible(true)
    }
    const observer = new IntersectionObserver(handleIntersection, { rootMargin: PRELOAD_MARGIN })
    observer.observe(placeholderRef.current)
    return () => observer.disconnect()
  }, [isVisible, name])
  return isVisible ? (
    children
  ) : (
    <div ref={placeholderRef} className={className} style={className ? undefined : { height: 1 }} />
  )
}
