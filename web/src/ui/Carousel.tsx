import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import css from './Carousel.module.css'
import { IconButton } from './IconButton.tsx'
import * as texts from './texts.ts'

/** Which ends of a horizontal scroller are visible. */
function useEdges(track: RefObject<HTMLUListElement | null>, content: ReactNode) {
  const [edges, setEdges] = useState({ start: true, end: false })
  // New content has a new width.
  useEffect(() => {
    const element = track.current
    if (!element) return
    const updateEdges = () => {
      const end = element.scrollLeft + element.clientWidth > element.scrollWidth - 4
      setEdges({ start: element.scrollLeft < 4, end })
    }
    updateEdges()
    element.addEventListener('scroll', updateEdges, { passive: true })
    const observer = new ResizeObserver(updateEdges)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', updateEdges)
      observer.disconnect()
    }
  }, [track, content])
  return edges
}

type Props = {
  title: string
  action?: ReactNode
  children: ReactNode
}

/** A row of five tiles, fewer in small windows: native horizontal scrolling with snapping, and two arrow buttons. Its children are `<li>`. */
export function Carousel({ title, action, children }: Props) {
  const track = useRef<HTMLUListElement>(null)
  const edges = useEdges(track, children)
  const scroll = (pages: number) =>
    track.current?.scrollBy({ left: pages * track.current.clientWidth * 0.9, behavior: 'smooth' })
  return (
    <section className={css.section} aria-label={title}>
      <div className={css.bar}>
        <h2>{title}</h2>
        {action}
        <div className={css.arrows}>
          <IconButton
            label={format(texts.previousIn, { title })}
            className={css.arrow}
            disabled={edges.start}
            onClick={() => scroll(-1)}
          >
            <IconChevronLeft size={18} />
          </IconButton>
          <IconButton
            label={format(texts.nextIn, { title })}
            className={css.arrow}
            disabled={edges.end}
            onClick={() => scroll(1)}
          >
            <IconChevronRight size={18} />
          </IconButton>
        </div>
      </div>
      <ul ref={track} className={css.track}>
        {children}
      </ul>
    </section>
  )
}
