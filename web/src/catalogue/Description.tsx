import { useEffect, useRef, useState } from 'react'
import css from './CollectionHeader.module.css'
import * as texts from './texts.ts'

/** What a collection is about. On phones it is cut after two lines, with a button that shows the rest. */
export function Description({ children }: { children: string }) {
  const paragraph = useRef<HTMLParagraphElement>(null)
  const [isCut, setCut] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const element = paragraph.current
    if (!element) return
    const observer = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight + 1))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <div className={css.description} data-description data-open={isOpen || undefined}>
      <p ref={paragraph}>{children}</p>
      {(isCut || isOpen) && (
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? texts.less : texts.more}
        </button>
      )}
    </div>
  )
}
