import { type ReactNode, useEffect, useRef, useState } from 'react'

/** About a screen ahead: time enough to be there when it is scrolled to. */
const AHEAD = '800px'

/** What was reached once stands at once when one comes back, so that the scroll finds its place again. */
const reached = new Set<string>()

type Props = {
  /** Names the place among all that are waited for. */
  name: string
  /** Gives the place about the height it will have. */
  className?: string
  children: ReactNode
}

/** What stands so far down that it is not asked for until one comes near. It must be the last of its column. */
export function WhenNear({ name, className, children }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(() => reached.has(name))
  useEffect(() => {
    if (isNear || !place.current) return
    // A busy page is told of several moments at once, oldest first.
    const look = (moments: IntersectionObserverEntry[]) => {
      if (!moments.some(({ isIntersecting }) => isIntersecting)) return
      reached.add(name)
      setNear(true)
    }
    const observer = new IntersectionObserver(look, { rootMargin: AHEAD })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear, name])
  return isNear ? children : <div ref={place} className={className} style={className ? undefined : { height: 1 }} />
}
