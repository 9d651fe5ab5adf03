import { useEffect, useEffectEvent, useRef } from 'react'

/** About one screen ahead, so that the content has loaded when it is scrolled to. */
const PRELOAD_MARGIN = '800px'

type Props = {
  /** Gives the placeholder about the height of its content. */
  className?: string | undefined
  /** How near the viewport it calls back, as a CSS length; by default one screen ahead. */
  margin?: string | undefined
  onNear: () => void
}

/** A placeholder that calls back once when it is near the viewport. */
export function NearViewport({ className, margin = PRELOAD_MARGIN, onNear }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  const callBack = useEffectEvent(onNear)
  useEffect(() => {
    if (!ref.current) return
    // A busy page gets several entries at once, oldest first.
    const observer = new IntersectionObserver(
      (intersections) => {
        if (!intersections.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        callBack()
      },
      { rootMargin: margin },
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [margin])
  return <div ref={ref} className={className} style={className ? undefined : { height: 1 }} />
}
