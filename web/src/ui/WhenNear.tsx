import { type ReactNode, useEffect, useRef, useState } from 'react'

/** About a screen ahead: time enough to be there when it is scrolled to. */
const AHEAD = '800px'

/** What stands so far down that it is not asked for until one comes near. It must be the last of its column. */
export function WhenNear({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (isNear || !place.current) return
    const look = ([entry]: IntersectionObserverEntry[]) => entry?.isIntersecting && setNear(true)
    const observer = new IntersectionObserver(look, { rootMargin: AHEAD })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear])
  return isNear ? children : <div ref={place} style={{ height: 1 }} />
}
