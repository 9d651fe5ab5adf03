import { type KeyboardEvent, useEffect, useRef } from 'react'
import css from './QueueDialog.module.css'
import { QueueList } from './QueueList.tsx'
import { closeQueuePanel } from './queue-panel.ts'
import * as texts from './texts.ts'

/** The queue above its button. The playing entry gets the focus; closing returns it. */
export function QueueDialog() {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const playing = panel.current?.querySelector<HTMLElement>('[data-current] [data-jump]')
    ;(playing ?? panel.current)?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') closeQueuePanel()
  }
  return (
    <div
      ref={panel}
      className={css.panel}
      role="dialog"
      aria-label={texts.queue}
      tabIndex={-1}
      onKeyDown={closeOnEscape}
    >
      <QueueList />
    </div>
  )
}
