import { type ReactNode, useEffect, useRef, useState } from 'react'

/** About one screen ahead, so that the content has loaded when it is scrolled to. */
const PRELOAD_MARGIN = '800px'

/** Content that was visible before renders at once on return, so that the scroll position can be restored. */
const visibleNames = new Set<string>()

type Props = {
  /** A unique name among all such places. */
  name: string
  /** Gives the placeholder about the height of its content. */
  className?: string
  children: ReactNode
}

/** Loads content far down the page only when it is near the viewport. It must be the last of its column. */
export function RenderWhenVisible({ name, className, children }: Props) {
  const placeholderRef = useRef<HTMLDivElement>(null)
  const [isVisible, setVisible] = useState(() => visibleNames.has(name))
  useEffect(() => {
    if (isVisible || !placeholderRef.current) return
    // A busy page gets several entries at once, oldest first.
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
